/** What a connector states: assets, metrics and edges, named by their paths. */
import type { Certification, ColumnLineage } from "./asset.ts";
import type { ColumnUse, EdgeKind } from "./edge.ts";
import type { NodeRef } from "./identity.ts";
import type { MetricDefinition } from "./metric.ts";
import type { AssetUsage } from "./usage.ts";

/**
 * What one source knows about one node. Unknown values are "", null or []; they never hide what another source says.
 */
export interface NodeFacts {
  name: string;
  fqn: string;
  /** The installation of the platform; "" if there is only one. It is part of the node's id. */
  instance: string;
  /**
   * The source's own id of it, such as dbt's unique id. It stays the same if the node is built elsewhere. It is never
   * shown.
   */
  sourceId: string;
  description: string;
  tags: string[];
  /** Null if the source says nothing about it. */
  certification: Certification | null;
  certifiedBy: string | null;
  certifiedAt: string | null;
  owner: string;
  ownerName: string;
  /** Whether the owner is the role to which it belongs in its database. Absent if not. */
  ownedByRole?: true;
  dataType: string;
  /** True for a column that the source does not list but SQL or an edge names. */
  inferred: boolean;
  /** The type of a column in the documentation, which may be ""; absent if the documentation does not list it. */
  documentedType?: string;
  /** Whether the columns of a table or model come from the warehouse. Absent if not. */
  columnsSeen?: true;
  ordinal: number | null;
  /** Names of its columns, for search. The columns are nodes of their own. */
  columnNames: string[];
  url: string | null;
  sql: string | null;
  /** Hash of the code and macros from which the SQL is compiled, or of a Python model's code or a seed's file. Absent if not known. */
  codeHash?: string;
  /** Worked out by the crawl. */
  columnLineage: ColumnLineage | null;
  /** What the crawl had to leave out of the node, and why; "" if nothing. */
  gap: string;
  /**
   * Names of its source that differ from its own only in case. They are left out, because they would be the same node.
   * Those of columns are without the relation.
   */
  alikeNames: string[];
  materialization: string;
  /** What kinds of resource the source has it as, such as `model`; several if it names it more than once. */
  resourceTypes: string[];
  /** Everything else that the source says about it, as JSON. */
  meta: Record<string, unknown>;
  metric: MetricDefinition | null;
  /** Absent if the source tells nothing about it. */
  usage?: AssetUsage;
  /** Of its last run or write, which `meta` shows. A change of it is no change of the node. Absent: nothing. */
  latest?: Record<string, unknown>;
}

export interface ColumnStatement {
  name: string;
  dataType: string;
  /** As in `NodeFacts`. */
  documentedType?: string;
  description: string;
  tags: string[];
  /** Absent if there are none. */
  alikeNames?: string[];
  /** What the source itself tells of its lineage, by edges. Absent if it tells nothing of this column. */
  columnLineage?: ColumnLineage;
}

/** The name of the relation in the query of a `MeasuredRelation`, whatever its real name is. */
export const MEASURED = "measured";

/** What a metric measures, as one query: its expression and all its filters. */
export function measuringQuery({ expression, filters }: Pick<MetricDefinition, "expression" | "filters">): string {
  const where = filters.length === 0 ? "" : ` where ${filters.map((filter) => `(${filter})`).join(" and ")}`;
  return `select ${expression} from ${MEASURED}${where}`;
}

/**
 * A query of one relation. It says which columns of the relation a metric reads: `select sum(amount) from measured`.
 */
export interface MeasuredRelation {
  relation: NodeRef;
  /** In the SQL of the relation's platform. */
  sql: string;
}

/** The CTE that has an asset's SQL in the statement of `runsAs`. */
export const OWN_SQL = "snapshot_query";

/** The statement whose columns the asset has. */
export function sqlAsRun({ facts, runsAs }: AssetStatement): string {
  const sql = facts.sql ?? "";
  return runsAs === undefined ? sql : `with ${OWN_SQL} as (\n${sql.replace(/;\s*$/, "")}\n)\n${runsAs}`;
}

/** A query that an asset runs in a database, such as that of a dashboard's question. It may read any relations. */
export interface StatedQuery {
  /** In the SQL of the platform. */
  sql: string;
  /** Where it runs. `parts` are the database and schema of relations that the SQL names without them. */
  on: Pick<NodeRef, "platform" | "instance" | "parts">;
}

/** An asset or metric as a connector states it. Its columns become nodes of their own. */
export interface AssetStatement {
  ref: NodeRef;
  /** The name to show. The fqn is made from the parts of `ref`. */
  name: string;
  facts: Partial<
    Omit<
      NodeFacts,
      | "name"
      | "fqn"
      | "instance"
      | "columnNames"
      | "columnLineage"
      | "dataType"
      | "documentedType"
      | "inferred"
      | "ordinal"
      | "columnsSeen"
    >
  >;
  /** In the source's order. Empty if unknown, and for everything but tables and models. */
  columns: ColumnStatement[];
  /** Whether the columns and types come from the warehouse. If not, they are what people wrote down. */
  columnsSeen?: boolean;
  /**
   * Names of stated columns that exist only while the SQL yields them. If the SQL's list is complete without them, they
   * are gone. Only a what-if knows them: its warehouse still has the columns of the present SQL.
   */
  columnsReplaced?: ReadonlySet<string>;
  /** Columns that people wrote down but the warehouse did not have when it was read. The SQL may yield them by now. */
  columnsUnseen?: ColumnStatement[];
  /**
   * Names of columns of which the source itself tells what they come from, by edges. Absent if it tells that of none. With
   * it, SQL adds only which columns it names and how it chooses rows.
   */
  columnsTraced?: string[];
  /** Why even the lineage of these is not all, or why there are none though some edges are stated. Absent if it is all. */
  untraced?: string;
  /** Names of columns that the tool adds to those of the SQL, such as a snapshot's `dbt_valid_from`. */
  columnsAdded?: string[];
  /**
   * Why the source does not tell its SQL this time, though it has one. Then the SQL that the connector told last counts. Its
   * lineage is known only if `codeHash` is still the same.
   */
  sqlUntold?: string;
  /**
   * What the tool does with its SQL, if that is more than to run it: the rest of a statement after a CTE `OWN_SQL`, which has
   * the SQL.
   */
  runsAs?: string;
  /**
   * Why it may read more than its SQL names, such as the name of a function that reads tables. Absent if the SQL tells
   * all. With it, no column lineage of the asset is fully known.
   */
  readsMore?: string;
  /**
   * Whether its stated edges name every relation that it reads, as the catalog of a database tells. Then its SQL refers to
   * no other relation, whatever it seems to name: a partition, say, belongs to its table.
   */
  sourcesComplete?: true;
  /**
   * The name of the CTE as which the tool writes this asset into the SQL of its readers. Absent if the asset is a
   * relation of the warehouse. It counts if the asset's own SQL is known: then its copies in other SQL need not be read.
   */
  inlinedAs?: string;
  /** What a metric reads, if that is known. The same connector must state the relations. */
  reads?: MeasuredRelation[];
  /** What a dashboard or pipeline runs. Its edges from the relations and columns that they read need not be stated. */
  queries?: StatedQuery[];
  /**
   * Whether the stated edges from columns are all that there are. Only for a dashboard or pipeline without queries, such
   * as a question that was built without SQL.
   */
  columnsRead?: ColumnLineage;
}

/**
 * An edge as a connector states it; `from` is the upstream end. An end that the connector does not state is only
 * referenced: another connector may state it, or nobody.
 */
export interface EdgeStatement {
  from: NodeRef;
  to: NodeRef;
  kind: EdgeKind;
  /** How the column at the upstream end is used, if the source says so. */
  uses?: readonly ColumnUse[];
}

const NOTHING: NodeFacts = {
  name: "",
  fqn: "",
  instance: "",
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
  alikeNames: [],
  materialization: "",
  resourceTypes: [],
  meta: {},
  metric: null,
};

/** Fills in everything that is not given as unknown. */
export function toFacts(known: Partial<NodeFacts> & Pick<NodeFacts, "name" | "fqn">): NodeFacts {
  return { ...NOTHING, ...known };
}
