/** The query in a statement: dbt's are queries, views and tables carry one. */
import { NOTHING } from "./lineage.ts";
import { toName } from "./names.ts";
import { readQuery } from "./query.ts";
import { type Rowset, renamed } from "./rowset.ts";
import type { Environment } from "./scope.ts";
import type { Expression, Identifier } from "./syntax.ts";
import { withTables } from "./with.ts";

const QUERIES = ["select", "union", "intersect", "except", "values", "subquery", "paren"];

function named(rowset: Rowset, columns: readonly Identifier[], { dialect }: Environment): Rowset {
  return renamed(
    rowset,
    columns.map((column) => toName(column, dialect)),
  );
}

/** What the last query of the statements yields; null where there is none. Each sees the tables that those before it make. */
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

/** What a statement yields or stores; null for one that holds no query. */
function readStatement(statement: Expression, environment: Environment): Rowset | null {
  if (QUERIES.some((tag) => tag in statement)) return readQuery(statement, environment);
  if ("create_table" in statement) {
    const { as_select, with_cte } = statement.create_table;
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
