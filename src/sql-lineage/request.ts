/** What is asked of a statement, and what is answered: which column comes from which. */

/** Where a relation lives. In a request, "" as the database or the schema matches every one. */
export interface RelationPath {
  database: string;
  schema: string;
  name: string;
}

/**
 * Which columns a relation may have besides those that are listed. `*` lists only these.
 * - all: none. It is a model whose SQL is known in full.
 * - seen: those that came since the warehouse was looked at.
 * - some: any. It is a source that is documented in part, and what `*` lists of it is incomplete.
 */
type Completeness = "all" | "seen" | "some";

/** A table, view or model that the statement may read. */
export interface Relation extends RelationPath {
  /**
   * In their order, spelled as they are stored. A nested column is listed by its path, such as `address.city`, beside
   * its root or without it.
   */
  columns: readonly string[];
  completeness: Completeness;
  /**
   * The name of the CTE as which dbt writes this ephemeral model into the statement (`__dbt__cte__orders`); "" for others.
   * Such a CTE means this relation; its own text is not read.
   */
  inlinedAs: string;
}

export interface LineageRequest {
  sql: string;
  /** The warehouse's adapter, such as `snowflake`. */
  dialect: string;
  /** Those that the statement names; others only cost time. */
  relations: readonly Relation[];
  /** Columns that others name of what the statement yields: looked up where its own list is not complete. */
  wanted?: readonly string[];
  /** Whether to tell where in the text columns are named. */
  places?: boolean;
}

/** From the weakest to the strongest. */
export const DIRECT_TRANSFORMATIONS = ["IDENTITY", "TRANSFORMATION", "AGGREGATION"] as const;
type IndirectTransformation = "JOIN" | "GROUP_BY" | "FILTER" | "SORT" | "WINDOW" | "CONDITIONAL";

/** OpenLineage's words: https://openlineage.io/docs/spec/facets/dataset-facets/column_lineage_facet */
export type Transformation = (typeof DIRECT_TRANSFORMATIONS)[number] | IndirectTransformation;

/** A column of one of the request's relations. */
export interface NamedColumn {
  /** Index into the request's relations. */
  relation: number;
  /** As the relation spells it; as the statement writes it where the relation does not list it. */
  column: string;
}

/** Of more places than this the first that are found are told. */
export const MAX_PLACES = 10_000;

/** A place of the text at which a column is named. */
export interface NamedPlace extends NamedColumn {
  /** Offsets in the text, as JavaScript counts them; the end is not part of it. */
  start: number;
  end: number;
}

/** One way in which a stored column reaches an output column. */
export interface ColumnParent extends NamedColumn {
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
  /**
   * The columns that the SQL names, wherever it does: also in a CTE that nothing reads, or where the value is not carried
   * on. The name of an unchanged copy in a CTE or subquery names the relation's column. `*` and a whole row name nothing,
   * unless their columns are taken by their places, as in a union of two stars: then each of them has to be there.
   */
  named: NamedColumn[];
  /**
   * Where these names are written, as far as each is written in one place; only if they are asked for. Null where the text
   * was rewritten before it could be parsed.
   */
  places?: NamedPlace[] | null;
  /** Why the SQL may use further columns that neither `columns` nor `named` show; null when every use is known. */
  unresolvedUse: string | null;
  /** What the SQL reads that is none of the request's relations; CTEs and functions are not among them. */
  unfound: RelationPath[];
}

export interface Unresolved extends Read {
  /** Why nothing is known. */
  unresolved: string;
  /** The text took too long or ended its thread: it may be read at another time. */
  gaveUp?: true;
  /** As in resolved columns, as far as the text could be parsed. */
  unfound: RelationPath[];
}

export type LineageAnswer = ResolvedColumns | Unresolved;

/** The answer about a text of which nothing is known. */
export function unresolved(reason: string, unfound: RelationPath[] = []): Unresolved {
  return { unresolved: reason, unfound };
}
