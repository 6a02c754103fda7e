/** How many units of the rate limit a GraphQL request takes: one for each response key at its root. */
import { type DocumentNode, getOperationAST } from "graphql";

import type { Documents } from "./documents.ts";
import { listRootFields } from "./root-fields.ts";

/**
 * Counts the response keys at the root of the chosen operation, after fragments and `@skip`/`@include` are applied.
 * `__typename` counts too. Fields that merge into one key count once.
 * @param params the request's parsed JSON, which may be any value
 * @returns at least 1, also for a request that cannot be read or chooses no operation
 */
export function countRootUnits(params: unknown, documents: Pick<Documents, "parse">): number {
  const { query, operationName, variables } = isRecord(params) ? params : {};
  const document = findDocument(query, documents);
  // An empty name counts as no name.
  const name = typeof operationName === "string" && operationName !== "" ? operationName : null;
  const operation = document && getOperationAST(document, name);
  if (!document || !operation) return 1;
  const fields = listRootFields(document, operation, isRecord(variables) ? variables : {});
  return Math.max(1, new Set(fields.map(({ alias, name: own }) => (alias ?? own).value)).size);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function findDocument(query: unknown, documents: Pick<Documents, "parse">): DocumentNode | null {
  try {
    return typeof query === "string" ? documents.parse(query) : null;
  } catch {
    return null;
  }
}
