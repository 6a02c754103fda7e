/** The request to read a statement, and the answer: which column comes from which. */

/** The path of a relation. In a request, "" as the database or the schema matches every one. */
export interface RelationPath {
  database: string;
  schema: string;
  name: string;
}

/**
 * How complete a relation's list of columns is. `*` always expands to the listed columns.
 * - all: complete. The relation is a model, and its SQL is fully known.
 * - seen: complete when the warehouse was last read. Columns may have been added since.
 * - some: partial. The relation is a source with incomplete documentation, so the expansion of `*` is incomplete too.
 */
type Completeness = "all" | "seen" | "some";

/** A table, view or model that the statement may read. */
export interface Relation extends RelationPath {
  /**
   * In their order, spelled as they are stored. A nested column is listed by its path, such as `address.city`. The
   * column around it, `address`, may be listed too.
   */
  columns: readonly string[];
  completeness: Completeness;
  /**
   * The name of the CTE that holds this ephemeral model in the statement (`__dbt__cte__orders`, written by dbt); "" for
   * any other relation. The CTE means this relation, and the SQL in the CTE is not read.
   */
  inlinedAs: string;
}

export interface LineageRequest {
  sql: string;
  /** The warehouse's adapter, such as `snowflake`. */
  dialect: string;
  /** The relations that the statement names. Others only cost time. */
  relations: readonly Relation[];
  /** Output columns that other models name. If the list of outputs is incomplete, these are looked up and added. */
  wanted?: readonly string[];
  /** Whether to answer where in the text columns are named. */
  references?: boolean;
}

/** From the weakest to the strongest. */
export const DIRECT_TRANSFORMATIONS = ["IDENTITY", "TRANSFORMATION", "AGGREGATION"] as const;
type IndirectTransformation = "JOIN" | "GROUP_BY" | "FILTER" | "SORT" | "WINDOW" | "CONDITIONAL";

/** In OpenLineage's words: https://openlineage.io/docs/spec/facets/dataset-facets/column_lineage_facet */
export type Transformation = (typeof DIRECT_TRANSFORMATIONS)[number] | IndirectTransformation;

/** A column of one of the request's relations. */
export interface NamedColumn {
  /** Index into the request's relations. */
  relation: number;
  /** As the relation spells it. If the relation does not list it: as the statement writes it. */
  column: string;
}

/** If there are more references, only the first that are found are kept. */
export const MAX_REFERENCES = 10_000;

/** A part of the text that names a column. */
export interface ColumnReference extends NamedColumn {
  /** Offsets in the text, as JavaScript counts them; the end is not part of it. */
  start: number;
  end: number;
}

/** One use of a stored column by an output column. */
export interface ColumnParent extends NamedColumn {
  /** DIRECT: its values go into the output's values. INDIRECT: it decides which values or rows there are. */
  kind: "DIRECT" | "INDIRECT";
  transformation: Transformation;
  /** The SQL of the last step that does more than copy the value. Long texts are cut. */
  expression: string;
}

export interface OutputColumn {
  /** As the statement writes it. An expression without a name is named by its text. */
  name: string;
  /** Direct ones first. Empty if the output reads no column, as `count(*)`. */
  parents: ColumnParent[];
  /** Why parents may be missing; null if all are known. */
  unresolved: string | null;
  /**
   * SHA-256, in hexadecimal digits, of the parts of the statement that decide this column's values and the rows, and of
   * the columns that names mean in its value. Parts that only other columns use are left out. Null if the parts cannot
   * be separated.
   */
  basis: string | null;
}

/** What decides which rows a statement yields. */
export interface ResolvedRows {
  /** SHA-256, in hexadecimal digits, of the parts of the statement that decide the rows, and of the columns in `from`. */
  basis: string;
  /** The columns in filters, joins and groups, each once. */
  from: NamedColumn[];
}

interface Read {
  /**
   * SHA-256 of the statement, in hexadecimal digits. Statements that differ only in spelling, such as the case of
   * keywords, have the same digest. Known relations count by their order in `reads`, and not by their names. Absent if
   * the text could not be split into tokens.
   */
  digest?: string;
  /** The relations that the SQL reads, as indexes into the request's relations, in the order of the statement. */
  reads?: number[];
}

interface ResolvedColumns extends Read {
  /** In the statement's order. */
  columns: OutputColumn[];
  /** Absent if not all that decides the rows is known, or it cannot be separated from what decides the columns. */
  rows?: ResolvedRows;
  /** Why the statement may have further columns; null if it has none. */
  incomplete: string | null;
  /** Remarks on how the text was read, for example that its dialect is not known. */
  notes: string[];
  /**
   * All columns that the SQL names, also in a CTE that nothing reads, or if the value is not used. If a CTE or subquery
   * copies a column unchanged, the name of the copy names the relation's column. `*` and a whole row name nothing,
   * unless their columns are used by position, as in a union of two stars: then each of these columns must exist. A name
   * in a subquery names nothing if it would mean a column of the outer query were its own column dropped.
   */
  named: NamedColumn[];
  /**
   * Where these names are written, for each name that is written as one piece. Only if they are asked for. Null if the text
   * was rewritten before it could be parsed.
   */
  references?: ColumnReference[] | null;
  /**
   * The table that a single statement fills, as the statement writes it; absent if it is a plain query. It has no name if it
   * cannot be told, as that of a temporary table, or if later statements may empty it.
   */
  writes?: RelationPath;
  /** Why the SQL may use columns that neither `columns` nor `named` contains; null if every use is known. */
  unresolvedUse: string | null;
  /** The relations in the SQL that the request does not contain. CTEs and functions are not listed. */
  unfound: RelationPath[];
}

export interface Unresolved extends Read {
  /** Why nothing is known. */
  unresolved: string;
  /** Reading took too long or ended the thread. Another attempt may succeed. */
  gaveUp?: true;
  /** As in `ResolvedColumns`, if the text could be parsed. */
  unfound: RelationPath[];
}

export type LineageAnswer = ResolvedColumns | Unresolved;

/** The answer for a text that could not be read. */
export function unresolved(reason: string, unfound: RelationPath[] = []): Unresolved {
  return { unresolved: reason, unfound };
}

/** The calls that the parser's thread answers. */
export interface ParserCalls {
  resolveColumns: (request: LineageRequest) => LineageAnswer;
}
