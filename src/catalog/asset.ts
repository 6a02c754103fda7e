/** The catalog's nouns: assets and metrics, and what a node of the graph shows of them. */
import type { MetricDefinition } from "./metric.ts";

export const ASSET_TYPES = ["table", "model", "dashboard", "pipeline", "column"] as const;

/** Metrics are nodes of the graph beside the assets; they are listed apart. */
export const NODE_TYPES = [...ASSET_TYPES, "metric"] as const;
export type NodeType = (typeof NODE_TYPES)[number];

export const CERTIFICATIONS = ["certified", "pending", "deprecated", "none"] as const;
export type Certification = (typeof CERTIFICATIONS)[number];

/** held: a connector states it, or a person made it. referenced: it only stands at an end of somebody's lineage. */
export const EXISTENCES = ["held", "referenced"] as const;
export type Existence = (typeof EXISTENCES)[number];

export const COLUMN_LINEAGE_STATUSES = ["known", "partial", "unknown"] as const;

/** Whether it is known which columns an asset's columns, or a column itself, come from. */
export interface ColumnLineage {
  status: (typeof COLUMN_LINEAGE_STATUSES)[number];
  /** Why not all of it is known. Of what is known: why a column comes from no column of the SQL, else "". */
  reason: string;
  /**
   * Of a column: names all of the SQL that decides its values and its rows. Of all else: names the whole of its SQL, and of
   * a metric that of its expression and its filters. It is the same however the SQL is spelled. Absent where it cannot be told.
   */
  basis?: string;
}

/** One asset or metric as the catalog shows it: every connector's and every person's word, merged. */
export interface CatalogNode {
  /** See `nodeId` in identity.ts. */
  id: string;
  workspace: string;
  /** A relation is a model while any holder states it as one, else a table. Of all else it never changes. */
  type: NodeType;
  /** What is only referenced is in no list, search or total. */
  existence: Existence;
  /** The immutable order of unsearched lists; see `sortKey` in identity.ts. */
  key: string;
  name: string;
  /** Dot-separated, in the case in which the source shows it. */
  fqn: string;
  /** The warehouse's adapter or the tool, such as `postgres` or `snowflake`. */
  platform: string;
  /** The table or model that a column belongs to; null for everything else. */
  parentId: string | null;
  /** A column's place in its table, from 0; null for everything else. */
  ordinal: number | null;
  /** A column's data type as the source names it; "" when unknown and for everything else. */
  dataType: string;
  /** Of a column: no source lists it, and SQL that names it says that it is there. */
  inferred: boolean;
  description: string;
  tags: string[];
  certification: Certification;
  certifiedBy: string | null;
  /** ISO 8601, UTC. */
  certifiedAt: string | null;
  /** An e-mail address, or "" when unknown. */
  owner: string;
  /** The owner's name, or an owner that is no e-mail address; "" when unknown. */
  ownerName: string;
  /** The name of the connector of highest precedence that holds the node; "" when none does. */
  sourceConnector: string;
  /** Names of all connectors that hold the node, highest precedence first. */
  connectors: string[];
  /** The name of the connector whose SQL and lineage are shown; "" when none has any. */
  lineageConnector: string;
  /** Where the source tool shows it. */
  url: string | null;
  /** The compiled SQL that builds it. */
  sql: string | null;
  /** Null where there is no SQL to read it from. */
  columnLineage: ColumnLineage | null;
  /** Why what is shown of it may lack lineage; "" when nothing is known to be missing. */
  gap: string;
  /** How the source builds it, such as `view`, `table` or `incremental`; "" when unknown. */
  materialization: string;
  /** Whatever else its sources say of it, as JSON. */
  meta: Record<string, unknown>;
  /** Present on metrics, null on assets. */
  metric: MetricDefinition | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** When what is shown last changed. ISO 8601, UTC. */
  updatedAt: string;
}

export type MetricNode = CatalogNode & { metric: MetricDefinition };

export function isMetric(node: CatalogNode | null | undefined): node is MetricNode {
  return node?.type === "metric" && node.metric !== null;
}
