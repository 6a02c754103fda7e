/** What is kept of events: only what the catalog shows, so that an event with large facets takes little room. */
import type { ColumnUse } from "../../catalog/edge.ts";
import type { NodeRef } from "../../catalog/identity.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { DatasetName } from "./naming.ts";

export interface KeptColumn {
  /** Nested fields are dotted paths, such as `address.city`. */
  name: string;
  dataType: string;
  description: string;
}

export interface KeptTag {
  label: string;
  /** The column that it is about; null: the dataset. */
  field: string | null;
}

/** A dataset, or one of its columns, that feeds another one. */
export interface KeptInput extends DatasetName {
  /** Null: the dataset as a whole. */
  field: string | null;
  uses: ColumnUse[];
}

/** Where the data of one dataset comes from. */
export interface KeptLineage {
  /** What feeds the dataset as a whole. A field among them affects every row. */
  inputs: KeptInput[];
  /** What feeds each column. */
  fields: [field: string, inputs: KeptInput[]][];
}

/** The values of the facets that are kept of a dataset. */
interface DatasetFacets {
  columns: KeptColumn[];
  description: string;
  owners: string[];
  tags: KeptTag[];
  type: string;
  /** Explicit lineage. It comes before `columnLineage`. */
  lineage: KeptLineage;
  columnLineage: KeptLineage;
  lifecycle: { change: string; previous: DatasetName | null };
  /** The name of the dataset as a table. */
  table: DatasetName;
}

interface JobFacets {
  description: string;
  owners: string[];
  tags: KeptTag[];
  sql: string;
  type: { integration: string; jobType: string; processingType: string };
  url: string;
  parent: DatasetName;
  /** Explicit lineage by its target; a null target is the job itself. */
  lineage: { target: DatasetName | null; lineage: KeptLineage }[];
}

/** A facet and when it was said. A value of null deletes the facet. */
export interface Said<Value> {
  /** ISO 8601, UTC. */
  at: string;
  value: Value | null;
}

type SaidFacets<Facets> = { [Facet in keyof Facets]?: Said<Facets[Facet]> };
export type DatasetFacts = SaidFacets<DatasetFacets>;
export type JobFacts = SaidFacets<JobFacets>;

export interface KeptDataset extends DatasetName {
  facts: DatasetFacts;
}

/** What is kept of a RunEvent or a JobEvent. */
export interface KeptJobEvent {
  /** Null for a JobEvent. */
  run: { id: string; state: string } | null;
  at: string;
  job: DatasetName;
  facts: JobFacts;
  inputs: KeptDataset[];
  outputs: KeptDataset[];
  /** What did not fit the specification and was left out. */
  ignored: string[];
}

/** What is kept of a DatasetEvent. */
export interface KeptDatasetEvent {
  at: string;
  dataset: KeptDataset;
  ignored: string[];
}

/** What one subject says about a dataset: a job by its deciding run, or the dataset's own events. */
export interface PlacedNote {
  /** The place of the dataset, as the subject names it. */
  ref: NodeRef;
  /** When the dataset was last written or described; null: it was only named. */
  heldAt: string | null;
  /** When it was last dropped or renamed away. */
  goneAt: string | null;
  /** Its columns of which the writer tells the lineage; null: of none. Undefined: the subject does not write it. */
  traced?: string[] | null;
  facts: DatasetFacts;
}

/** Joins what was said about one thing at several times: of each facet, the latest counts. */
export function joinFacts<Facts extends DatasetFacts | JobFacts>(said: readonly Facts[]): Facts {
  const joined: Record<string, Said<unknown>> = {};
  for (const facts of said) {
    for (const [facet, one] of Object.entries<Said<unknown>>(facts)) {
      const other = joined[facet];
      if (other === undefined || compareSaid(other, one) < 0) joined[facet] = one;
    }
  }
  // Each facet comes from one of the given ones.
  return joined as Facts;
}

/** Two statements of the same moment are ordered by their text, so that the order of their arrival does not count. */
function compareSaid(a: Said<unknown>, b: Said<unknown>): number {
  return compareCodePoints(a.at, b.at) || compareCodePoints(JSON.stringify(a.value), JSON.stringify(b.value));
}
