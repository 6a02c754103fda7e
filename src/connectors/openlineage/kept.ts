/** What is kept of events: only what the catalog shows, so that an event with large facets takes little room. */
import { type ColumnUse, joinUses } from "../../catalog/edge.ts";
import type { NodeRef } from "../../catalog/identity.ts";
import { compareCodePoints, fold } from "../../catalog/text.ts";
import { type DatasetName, isPath, nameKey } from "./naming.ts";

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
  /** All columns that the SQL of the job names. Absent if it was not read. */
  named?: KeptInput[];
}

/** The values of the facets that are kept of a dataset. */
interface DatasetFacets {
  /** As who writes the dataset says. */
  columns: KeptColumn[];
  /** As a job that only reads the dataset says, perhaps without those that it does not use. */
  columnsSeen: KeptColumn[];
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
  /** The job of which this one is a part, and the outermost one. */
  parent: { job: DatasetName; root: DatasetName | null };
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

/** A name that a dataset has lost, because the dataset was dropped or renamed. */
export interface GoneName extends DatasetName {
  at: string;
  /** Its new name; null if it was dropped. */
  to: DatasetName | null;
}

/** What a path is as a table. */
export interface NamedTable extends DatasetName {
  at: string;
  /** Null if a later event took it back. */
  table: DatasetName | null;
}

/** The larger run of which a run is a part. */
export interface PartOf {
  run: string;
  /** Which part it is, as Airflow numbers the runs of a mapped task; null if the parts have no numbers. */
  index: number | null;
  /** When the larger run began; null if that is not told. */
  began: string | null;
}

/** The small part of a RunEvent or a JobEvent that counts even if its run does not decide. */
export interface JobEventHead {
  /** Null for a JobEvent. */
  run: { id: string; state: string } | null;
  /** Undefined if the run is the whole of what the job does. */
  partOf?: PartOf;
  /** Whether Airflow says so. It tells more than others do of the same run. */
  isWhole?: true;
  /** Equal for messages of parts that say the same. */
  says?: string;
  at: string;
  job: DatasetName;
  /** Whether it names any dataset. */
  hasData: boolean;
  /** Pairs of columns in its lineage. */
  pairs: number;
  gone: GoneName[];
  tables: NamedTable[];
}

/** The rest of what is kept of a RunEvent or a JobEvent. */
export interface JobEventContent {
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
  /** The dataset, as the subject names it. */
  ref: NodeRef;
  /** When the dataset was last read, written or described; null: it was dropped or renamed away. */
  heldAt: string | null;
  /** When it was last dropped or renamed away. */
  goneAt: string | null;
  /** Its columns with lineage from the writer; null if there are none. Undefined if the subject does not write it. */
  traced?: string[] | null;
  /** Why even the lineage of these is not all. Absent if it is. */
  untold?: string;
  /** The larger run of the run that wrote it. */
  within?: string;
  /** Whether the subject only runs another command of the larger run, which writes. */
  isWrapper?: true;
  facts: DatasetFacts;
}

/** The facets that describe a dataset, without those about its lineage, its names and its lifecycle. */
export function describing(facts: DatasetFacts): DatasetFacts {
  const { lifecycle: _lifecycle, lineage: _lineage, columnLineage: _columnLineage, table: _table, ...said } = facts;
  return said;
}

/** What an input says: the job may not see all of its columns. */
export function asSeen({ columns, ...facts }: DatasetFacts): DatasetFacts {
  return columns === undefined ? facts : { ...facts, columnsSeen: columns };
}

/** The facets that were stated after a time. */
export function since(facts: DatasetFacts, time: string): DatasetFacts {
  return Object.fromEntries(Object.entries<Said<unknown>>(facts).filter(([, { at }]) => at > time)) as DatasetFacts;
}

/** The datasets that feed a dataset. One that is named twice is listed twice. */
export function sourcesOf(lineage: KeptLineage | null | undefined): DatasetName[] {
  return lineage ? [...lineage.inputs, ...lineage.fields.flatMap(([, inputs]) => inputs)] : [];
}

/** The names that a dataset has lost, according to its lifecycle facet. */
export function goneNames({ namespace, name, facts }: KeptDataset, at: string): GoneName[] {
  const { change = "", previous = null } = facts.lifecycle?.value ?? {};
  if (change === "DROP") return [{ namespace, name, at, to: null }];
  return change === "RENAME" && previous !== null ? [{ ...previous, at, to: { namespace, name } }] : [];
}

/** The table that the dataset is, if its name is a path and an event names the table. */
export function namedTables({ namespace, name, facts: { table } }: KeptDataset): NamedTable[] {
  return table === undefined || !isPath({ namespace, name })
    ? []
    : [{ namespace, name, at: table.at, table: table.value }];
}

/** Joins facets that were stated at several times: for each facet, the latest counts. */
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

/** Joins what the events of one run say about one dataset: each may have a part of the lineage. */
export function joinFactsOfRun(said: readonly DatasetFacts[]): DatasetFacts {
  const lineage = uniteLineage(said.flatMap((facts) => facts.lineage ?? []));
  const columnLineage = uniteLineage(said.flatMap((facts) => facts.columnLineage ?? []));
  return {
    ...joinFacts(said.map(({ lineage: _lineage, columnLineage: _columnLineage, ...others }) => others)),
    ...(lineage && { lineage }),
    ...(columnLineage && { columnLineage }),
  };
}

function uniteLineage(said: readonly Said<KeptLineage>[]): Said<KeptLineage> | undefined {
  const ordered = said.toSorted(compareSaid);
  const last = ordered.at(-1);
  const parts = ordered
    .slice(ordered.findLastIndex(({ value }) => value === null) + 1)
    .flatMap(({ value }) => value ?? []);
  if (last === undefined || parts.length < 2) return last;
  const fields = Map.groupBy(
    parts.flatMap((part) => part.fields),
    ([field]) => fold(field),
  );
  const value: KeptLineage = {
    inputs: uniteInputs(parts.flatMap((part) => part.inputs)),
    fields: [...fields.values()].map((same) => [same[0]?.[0] ?? "", uniteInputs(same.flatMap(([, inputs]) => inputs))]),
  };
  return { at: last.at, value };
}

/** Each input once, with all of its uses. */
function uniteInputs(inputs: readonly KeptInput[]): KeptInput[] {
  const united = new Map<string, KeptInput>();
  for (const input of inputs) {
    const key = `${nameKey(input)}\n${input.field === null ? "" : `.${input.field}`}`;
    const other = united.get(key);
    united.set(key, other === undefined ? input : { ...input, uses: joinUses([...other.uses, ...input.uses]) });
  }
  return [...united.values()];
}

/** Two statements of the same moment are ordered by their text, so that the order of their arrival does not count. */
export function compareSaid(a: Said<unknown>, b: Said<unknown>): number {
  return compareCodePoints(a.at, b.at) || compareCodePoints(JSON.stringify(a.value), JSON.stringify(b.value));
}
