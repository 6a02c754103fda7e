/** What is asked of a statement, and what is answered: which column comes from which. */

/** A table, view or model that the statement may read. */
export interface Relation {
  /** "" matches every database, and likewise for the schema. */
  database: string;
  schema: string;
  name: string;
  /** In their order, spelled as they are stored; none when they are not known. */
  columns: readonly string[];
}

export interface LineageRequest {
  sql: string;
  /** The warehouse's adapter, such as `snowflake`. */
  dialect: string;
  /** Those that the statement names; others only cost time. */
  relations: readonly Relation[];
}

/** From the weakest to the strongest. */
export const DIRECT_TRANSFORMATIONS = ["IDENTITY", "TRANSFORMATION", "AGGREGATION"] as const;
type IndirectTransformation = "JOIN" | "GROUP_BY" | "FILTER" | "SORT" | "WINDOW" | "CONDITIONAL";

/** OpenLineage's words: https://openlineage.io/docs/spec/facets/dataset-facets/column_lineage_facet */
export type Transformation = (typeof DIRECT_TRANSFORMATIONS)[number] | IndirectTransformation;

/** One way in which a stored column reaches an output column. */
export interface ColumnParent {
  /** Index into the request's relations. */
  relation: number;
  /** As the relation spells it. */
  column: string;
  /** DIRECT: its values go into the output's. INDIRECT: it decides which values or rows there are. */
  kind: "DIRECT" | "INDIRECT";
  transformation: Transformation;
  /** The SQL of the step closest to the output that does more than pass the parent on; cut when long. */
  expression: string;
}

export interface OutputColumn {
  /** As the statement writes it. An expression without a name is named by its text. */
  name: string;
  /** Direct ones first. None for what is computed from no column, such as `count(*)`. */
  parents: ColumnParent[];
  /** Why further parents may be missing; null when all are known. */
  unresolved: string | null;
  /**
   * SHA-256, in hexadecimal digits, of all in the statement that decides its values and which rows there are; what only
   * other columns are computed by is no part of it. Null where the two cannot be told apart.
   */
  basis: string | null;
}

interface Read {
  /**
   * SHA-256, in hexadecimal digits: the same for statements that differ in spelling alone, such as the case of keywords.
   * Absent where the text could not be read at all.
   */
  digest?: string;
}

interface ResolvedColumns extends Read {
  /** In the statement's order. */
  columns: OutputColumn[];
  /** Why the statement may have further columns; null when these are all. */
  incomplete: string | null;
  /** What else a reader of the answer should know, such as an unknown dialect. */
  notes: string[];
}

interface Unresolved extends Read {
  unresolved: string;
  /** The text took too long or ended its thread: it may be read at another time. */
  gaveUp?: true;
}

export type LineageAnswer = ResolvedColumns | Unresolved;
