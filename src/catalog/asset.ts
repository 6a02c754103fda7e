/** The catalog's nouns: assets and metrics, and what a node of the graph shows of them. */
import type { NodeId, WorkspaceId } from "../ids.ts";
import type { MetricDefinition } from "./metric.ts";
import type { NodeType } from "./node-types.ts";
import { fold } from "./text.ts";
import type { AssetUsage } from "./usage.ts";

export const CERTIFICATIONS = ["certified", "pending", "deprecated", "none"] as const;
export type Certification = (typeof CERTIFICATIONS)[number];

/** held: a connector states it, or a person made it. referenced: it is only named at one end of an edge. */
export const EXISTENCES = ["held", "referenced"] as const;
export type Existence = (typeof EXISTENCES)[number];

export const COLUMN_LINEAGE_STATUSES = ["known", "partial", "unknown"] as const;

/** Whether the catalog knows which columns an asset's columns, or a single column, come from. */
export interface ColumnLineage {
  status: (typeof COLUMN_LINEAGE_STATUSES)[number];
  /** Why the lineage is not fully known. For a known column that comes from no other column, it says why; else "". */
  reason: string;
  /**
   * A hash of the SQL that the node depends on. For a column, this is all SQL that decides its values and its rows. For
   * a metric, it is the expression and the filters; for any other node, the whole SQL. The spelling of the SQL and the
   * names of relations do not change the hash. It is absent if it cannot be worked out.
   */
  basis?: string;
  /** Ids of the relations that an asset's SQL names, in the order of the SQL. `basis` counts them by this order. */
  reads?: NodeId[];
  /** What decides an asset's rows: a hash of that part of its SQL, and the ids of the columns. Absent if not known. */
  rows?: { basis: string; from: NodeId[] };
}

/** One asset or metric as the catalog shows it: a merge of what every connector and every person says. */
export interface CatalogNode {
  /** See `nodeId` in identity.ts. */
  id: NodeId;
  workspace: WorkspaceId;
  /**
   * A relation is a model while any connector that holds it states it as one, else a table. Other types never change.
   */
  type: NodeType;
  /** A node that is only referenced is in no list, search or total. */
  existence: Existence;
  /** The order of lists without a search. It never changes; see `sortKey` in identity.ts. */
  key: string;
  name: string;
  /** Dot-separated, with upper and lower case as the source shows it. */
  fqn: string;
  /** The warehouse's adapter or the tool, such as `postgres` or `looker`. */
  platform: string;
  /** The table or model that a column belongs to; null for everything else. */
  parentId: NodeId | null;
  /** A column's position in its table, counted from 0; null for everything else. */
  ordinal: number | null;
  /** A column's data type as the source names it; "" if unknown, and for everything else. */
  dataType: string;
  /** True for a column that no source lists and that exists because SQL or an edge names it. */
  inferred: boolean;
  description: string;
  tags: string[];
  certification: Certification;
  certifiedBy: string | null;
  /** ISO 8601, UTC. */
  certifiedAt: string | null;
  /** An e-mail address; "" if unknown. */
  owner: string;
  /** The owner's name, or an owner that is not an e-mail address; "" if unknown. */
  ownerName: string;
  /** The name of the connector with the highest precedence that holds the node; "" if none does. */
  sourceConnector: string;
  /** Names of all connectors that hold the node, highest precedence first. */
  connectors: string[];
  /** The name of the connector whose SQL and lineage are shown; "" if no connector has any. */
  lineageConnector: string;
  /** The node's page in the source tool. */
  url: string | null;
  /** The compiled SQL that builds it. */
  sql: string | null;
  /** Null if there is no SQL to read it from. */
  columnLineage: ColumnLineage | null;
  /** Why lineage of this node may be missing; "" if nothing is known to be missing. */
  gap: string;
  /** How the source builds it, such as `view`, `table` or `incremental`; "" if unknown. */
  materialization: string;
  /** What kinds of resource its sources have it as, such as `seed` and `source`; [] if unknown. */
  resourceTypes: string[];
  /** Everything else that its sources say about it, as JSON. */
  meta: Record<string, unknown>;
  /** Present on metrics, null on assets. */
  metric: MetricDefinition | null;
  /** Null if no source tells it, and for the state at an earlier time. */
  usage: AssetUsage | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** When anything that is shown last changed. ISO 8601, UTC. */
  updatedAt: string;
}

/** A node as it was shown at an earlier time. Usage has no history. */
export type PastNode = Omit<CatalogNode, "usage">;

export type MetricNode = CatalogNode & { metric: MetricDefinition };

export function isMetric(node: CatalogNode | null | undefined): node is MetricNode {
  return node?.type === "metric" && node.metric !== null;
}

/** The owner as filters take it; "" for no owner. An owner without an address has no value, so no filter finds it. */
export function ownerValues({ owner, ownerName }: Pick<CatalogNode, "owner" | "ownerName">): readonly string[] {
  return owner === "" && ownerName !== "" ? [] : [fold(owner)];
}
