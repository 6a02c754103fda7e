/** Relations of requests to the reader of SQL. */
import type { Relation } from "../../src/sql-lineage/request.ts";

/**
 * @param path `database.schema.name` or less
 * @param columns all columns of the relation; if it is empty, none is known
 */
export function relationOf(path: string, columns: readonly string[], more: Partial<Relation> = {}): Relation {
  const [name = "", schema = "", database = ""] = path.split(".").toReversed();
  const completeness = columns.length === 0 ? "some" : "all";
  return { database, schema, name, columns, completeness, inlinedAs: "", ...more };
}
