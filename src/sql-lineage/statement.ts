/** Finds the query in a statement: a plain query, or the one inside CREATE TABLE, CREATE VIEW or INSERT. */
import { NOTHING } from "./lineage.ts";
import { toName } from "./names.ts";
import { readQuery } from "./query.ts";
import { type Rowset, renamed } from "./rowset.ts";
import type { Environment } from "./scope.ts";
import type { Expression, Identifier } from "./syntax.ts";
import { withTables } from "./with.ts";

const QUERIES = ["select", "union", "intersect", "except", "values", "subquery", "paren", "pivot"];

/** Statements that remove tables or all rows, or begin or end a transaction. */
const IDLE = ["truncate", "drop_table", "drop_view", "transaction", "commit"];

/** Whether the statement reads nothing, so that the text means the same without it. */
export function isIdle(statement: Expression): boolean {
  if (!("delete" in statement)) return IDLE.some((tag) => tag in statement);
  const { where_clause, using, joins, limit, returning } = statement.delete;
  return (
    [where_clause, limit].every((part) => part == null) && [using, joins, returning].every((part) => part.length === 0)
  );
}

function named(rowset: Rowset, columns: readonly Identifier[], { dialect, findings }: Environment): Rowset {
  if (columns.length > 0) findings.addByPosition(rowset.columns);
  return renamed(
    rowset,
    columns.map((column) => toName(column, dialect)),
  );
}

/** Reads the last query. Each statement sees the tables that earlier ones create. Returns null if there is no query. */
export function readStatements(statements: readonly Expression[], environment: Environment): Rowset | null {
  let last: Rowset | null = null;
  let ctes = environment.ctes;
  for (const statement of statements) {
    const rowset = readStatement(statement, { ...environment, ctes });
    last = rowset ?? last;
    if (rowset === null || !("create_table" in statement)) continue;
    const name = toName(statement.create_table.name.name, environment.dialect);
    ctes = { name, rowset: { ...rowset, order: NOTHING }, outer: ctes };
  }
  return last;
}

/** @returns null if the statement contains no query */
function readStatement(statement: Expression, environment: Environment): Rowset | null {
  if (QUERIES.some((tag) => tag in statement)) return readQuery(statement, environment);
  if ("create_table" in statement) {
    const { as_select, with_cte, ...others } = statement.create_table;
    // Keys and partitions name columns of the new table, not of a relation that is read.
    for (const part of Object.values(others))
      if (typeof part === "object" && part) environment.findings.markHandled(part);
    return as_select === null ? null : readQuery(as_select, withTables(with_cte, environment));
  }
  if ("create_view" in statement) {
    const { query, columns } = statement.create_view;
    return named(
      readQuery(query, environment),
      columns.map(({ name }) => name),
      environment,
    );
  }
  if ("insert" in statement) {
    const { query, columns, with: clause } = statement.insert;
    return query === null ? null : named(readQuery(query, withTables(clause, environment)), columns, environment);
  }
  return null;
}
