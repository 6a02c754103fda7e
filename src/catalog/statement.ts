/** What a connector says of the world: assets, metrics and edges, named by where they live. */
import type { Certification, ColumnLineage } from "./asset.ts";
import type { EdgeKind } from "./edge.ts";
import type { NodeRef } from "./identity.ts";
import type { MetricDefinition } from "./metric.ts";

/** What one source knows of one node. Unknown is "", null or []: it never hides another source's word. */
export interface NodeFacts {
  name: string;
  fqn: string;
  /** The source's own id of it, such as dbt's unique id; it stays when the thing is built elsewhere. Never shown. */
  sourceId: string;
  description: string;
  tags: string[];
  /** Null when the source says nothing of it. */
  certification: Certification | null;
  certifiedBy: string | null;
  certifiedAt: string | null;
  owner: string;
  ownerName: string;
  dataType: string;
  /** Of a column: the source does not list it, and SQL names it. */
  inferred: boolean;
  ordinal: number | null;
  /** Names of its columns, for search; the columns are nodes of their own. */
  columnNames: string[];
  url: string | null;
  sql: string | null;
  /** Worked out by the crawl. */
  columnLineage: ColumnLineage | null;
  /** What the crawl had to leave out of it, and why; "" for nothing. */
  gap: string;
  materialization: string;
  /** Whatever else the source says of it, as JSON. */
  meta: Record<string, unknown>;
  metric: MetricDefinition | null;
}

export interface ColumnStatement {
  name: string;
  dataType: string;
  description: string;
  tags: string[];
}

/** What the query of a `MeasuredRelation` calls its relation, wherever that lives. */
export const MEASURED = "measured";

/** What a metric measures, as a query: all of its expression and its filters. */
export function measuringQuery({ expression, filters }: Pick<MetricDefinition, "expression" | "filters">): string {
  const where = filters.length === 0 ? "" : ` where ${filters.map((filter) => `(${filter})`).join(" and ")}`;
  return `select ${expression} from ${MEASURED}${where}`;
}

/** A query of one relation that says which of its columns a metric reads: `select sum(amount) from measured`. */
export interface MeasuredRelation {
  relation: NodeRef;
  /** In the SQL of the relation's platform. */
  sql: string;
}

/** An asset or metric as a connector states it; its columns become nodes of their own. */
export interface AssetStatement {
  ref: NodeRef;
  /** The shown name; the fqn is the ref's parts. */
  name: string;
  facts: Partial<
    Omit<NodeFacts, "name" | "fqn" | "columnNames" | "columnLineage" | "dataType" | "inferred" | "ordinal">
  >;
  /** In the source's order; empty when unknown and for all but tables and models. */
  columns: ColumnStatement[];
  /** Whether the warehouse says that these are its columns and types; else it is what people wrote down. */
  columnsSeen?: boolean;
  /** Columns that people wrote down and the warehouse was not seen to have; the SQL may yield them by now. */
  columnsUnseen?: ColumnStatement[];
  /** Names of columns that its tool adds to those of its SQL, such as a snapshot's `dbt_valid_from`. */
  columnsAdded?: string[];
  /** The CTE as which its tool writes it into the SQL of its readers; absent for what is a relation of the warehouse. */
  inlinedAs?: string;
  /** What a metric reads, where that is known; the relations are stated by the same connector. */
  reads?: MeasuredRelation[];
}

/** An edge as a connector states it; `from` is the upstream end. Both ends must be stated by the same connector. */
export interface EdgeStatement {
  from: NodeRef;
  to: NodeRef;
  kind: EdgeKind;
}

const NOTHING: NodeFacts = {
  name: "",
  fqn: "",
  sourceId: "",
  description: "",
  tags: [],
  certification: null,
  certifiedBy: null,
  certifiedAt: null,
  owner: "",
  ownerName: "",
  dataType: "",
  inferred: false,
  ordinal: null,
  columnNames: [],
  url: null,
  sql: null,
  columnLineage: null,
  gap: "",
  materialization: "",
  meta: {},
  metric: null,
};

/** Facts with everything unsaid filled in as unknown. */
export function toFacts(known: Partial<NodeFacts> & Pick<NodeFacts, "name" | "fqn">): NodeFacts {
  return { ...NOTHING, ...known };
}
