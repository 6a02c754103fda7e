/** What a query does with the columns that its clauses name. */
import type { ColumnUse } from "../../catalog/edge.ts";

/** A field of a table, as far as queries need it. */
export interface KnownField {
  id: number;
  table: number;
  /** The name of its column. A part of a column has the column's name. */
  column: string;
  /** The field that a foreign key points to. */
  target: number | null;
  /** Whether it is among the fields of a query that names none. */
  isListed: boolean;
}

export interface KnownMetadata {
  /** Null if the table could not be read. */
  fieldsOf(table: number): readonly KnownField[] | null;
  field(id: number): KnownField | null;
  /** The filter of a segment; null if it could not be read. */
  segment(id: number): unknown;
}

/** One way in which a query uses a field. */
export interface FieldUse {
  field: number;
  use: ColumnUse;
}

export type Direct = "IDENTITY" | "TRANSFORMATION" | "AGGREGATION";
export type Indirect = "JOIN" | "GROUP_BY" | "FILTER" | "SORT" | "CONDITIONAL";

export const DIRECT_ORDER: readonly Direct[] = ["IDENTITY", "TRANSFORMATION", "AGGREGATION"];

/** Where the values of a column of a query come from. */
export interface Trace {
  field: number;
  transformation: Direct;
  expression: string;
}

/** A column that a stage yields, or that it can name. */
export interface Column {
  /** The names by which later stages may name it. */
  names: string[];
  id: number | null;
  traces: Trace[];
}

/** What a stage can name. */
export interface Inputs {
  columns: Column[];
  /** By their aliases. */
  joined: ReadonlyMap<string, Column[]>;
  /** Whether there may be columns that are not listed: those of a card, or of SQL. */
  isOpen: boolean;
}

export function toColumn({ id, column }: KnownField): Column {
  return { names: [column], id, traces: [{ field: id, transformation: "IDENTITY", expression: column }] };
}

/** What is done with the columns that a clause names. */
export type Role =
  | { indirect: Indirect; expression: string }
  | { traces: Trace[]; transformation: Direct; expression: string };

export function toOperand(role: Role): Role {
  return "indirect" in role || role.transformation !== "IDENTITY"
    ? role
    : { ...role, transformation: "TRANSFORMATION" };
}

export function toAggregated(role: Role): Role {
  return "indirect" in role ? role : { ...role, transformation: "AGGREGATION" };
}

export function toCondition(role: Role): Role {
  return "indirect" in role ? role : { indirect: "CONDITIONAL", expression: role.expression };
}
