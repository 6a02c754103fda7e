/** Names a request, so that what was read once need not be read again. */
import { hash } from "node:crypto";

import type { LineageRequest } from "./request.ts";

/** Changes with every change of what is answered: by these rules, counted up, or by the parser. */
export const RESOLVER_VERSION = "7 @polyglot-sql/sdk@0.12.1";

/** SHA-256, in hexadecimal digits, over all that an answer depends on. */
export function statementKey({ sql, dialect, relations, wanted = [] }: LineageRequest): string {
  const tables = relations.map((relation) => {
    const { database, schema, name, columns, completeness, inlinedAs } = relation;
    return [database, schema, name, columns, completeness, inlinedAs];
  });
  return hash("sha256", JSON.stringify([RESOLVER_VERSION, dialect, sql, tables, wanted]), "hex");
}
