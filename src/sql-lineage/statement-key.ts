/** A key for each request, under which its answer is cached. */
import { hash } from "node:crypto";

import type { LineageRequest } from "./request.ts";

/** Must change whenever answers or their stored form change: count the number up, or change the parser's version. */
export const RESOLVER_VERSION = "19 @polyglot-sql/sdk@0.12.1";

/** SHA-256, in hexadecimal digits, of everything that the answer depends on. */
export function statementKey({ sql, dialect, relations, wanted = [] }: LineageRequest): string {
  const tables = relations.map((relation) => {
    const { database, schema, name, columns, completeness, inlinedAs } = relation;
    return [database, schema, name, columns, completeness, inlinedAs];
  });
  return hash("sha256", JSON.stringify([RESOLVER_VERSION, dialect, sql, tables, wanted]), "hex");
}
