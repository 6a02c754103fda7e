/** Finds the table that a statement fills. */
import type { SqlDialect } from "./dialect.ts";
import { partsOf } from "./relations.ts";
import type { RelationPath } from "./request.ts";
import { isIdle } from "./statement.ts";
import type { Expression, Node } from "./syntax.ts";

const NOT_KNOWN: RelationPath = { database: "", schema: "", name: "" };

/**
 * @param statements one that is not idle, and idle ones
 * @returns null if it is a plain query; a path without a name if the table cannot be told
 */
export function findWrittenTable(statements: readonly Expression[], dialect: SqlDialect): RelationPath | null {
  const at = statements.findLastIndex((statement) => !isIdle(statement));
  const statement = statements[at];
  // What comes later may remove the rows again.
  if (statement === undefined || !statements.slice(at + 1).every(endsTransaction)) return NOT_KNOWN;
  if ("create_table" in statement) return toPath(statement.create_table, statement.create_table.name, dialect);
  if ("create_view" in statement) return toPath(statement.create_view, statement.create_view.name, dialect);
  if ("insert" in statement) return toPath({ temporary: false }, statement.insert.table, dialect);
  return selectsInto(statement) ? NOT_KNOWN : null;
}

function endsTransaction(statement: Expression): boolean {
  return "transaction" in statement || "commit" in statement;
}

/** A temporary table hides the table that has the same name. */
function toPath({ temporary }: { temporary: boolean }, table: Node<"table">, dialect: SqlDialect): RelationPath {
  if (temporary) return NOT_KNOWN;
  const [database, schema, name] = partsOf(table, dialect).map((part) => part?.name ?? "");
  return { database: database ?? "", schema: schema ?? "", name: name ?? "" };
}

/** Whether it fills a table by `select … into`. Of several queries, the first one says so. */
function selectsInto(statement: Expression): boolean {
  if ("select" in statement) return statement.select.into != null;
  if ("union" in statement) return selectsInto(statement.union.left);
  if ("intersect" in statement) return selectsInto(statement.intersect.left);
  return "except" in statement && selectsInto(statement.except.left);
}
