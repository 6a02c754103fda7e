/** The compiled SQL of models and snapshots. dbt writes it into the manifest only for those that its last command selected. */
import { hash } from "node:crypto";

import type { CrawlEvent } from "../connector.ts";
import { listSome, warningEvent } from "../faults.ts";
import type { Source } from "./faults.ts";
import type { Macros } from "./macros.ts";
import type { Code, Relation } from "./shapes.ts";

/** Null for a Python model, and if only raw code with Jinja is there. */
export function compiledSql({ language, compiled_code, compiled_sql }: Code): string | null {
  return language === "python" ? null : compiled_code || compiled_sql || null;
}

/** Whether it is built by SQL. Sources and seeds have no code. */
export function hasSql({ language, raw_code: raw }: Code): boolean {
  return language !== "python" && raw !== "";
}

/** What a relation's statement says about its SQL, and about the code or file that it is made from. */
export function stateSql({ checksum, depends_on: on, ...code }: Relation, macros: Macros) {
  const sql = compiledSql(code);
  const isUntold = sql === null && hasSql(code);
  const file = checksum.name === "path" ? "" : checksum.checksum;
  const called = hasSql(code) ? macros.hashOf(on.macros) : "";
  const source = code.raw_code === "" ? file : JSON.stringify([code.raw_code, on.nodes, called]);
  return {
    facts: { sql, ...(source !== "" && { codeHash: hash("sha256", source) }) },
    ...(isUntold && { sqlUntold: "the manifest has no compiled SQL of it" }),
  };
}

/** @param ids the unique ids of those that are not compiled */
export function* warnOfUncompiled({ name }: Source, ids: readonly string[], total: number): Generator<CrawlEvent> {
  if (ids.length === 0) return;
  const message =
    `${name} has no compiled SQL for ${ids.length} of ${total} models and snapshots (${listSome(ids)}): its last command did not ` +
    "select them. What earlier syncs know of their SQL is kept. Run `dbt compile`, and sync again.";
  yield warningEvent({ code: "not_compiled", object: name, message });
}
