import type { Statements } from "./statements.ts";

/** Throws if the file cannot be read. */
export function check(sql: Statements): void {
  sql.get("SELECT count(*) FROM sqlite_schema", {});
}
