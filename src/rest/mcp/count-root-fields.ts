/** How many requests an operation counts as: as many as `/graphql` would count for it. */
import { type DocumentNode, getOperationAST } from "graphql";

/** @throws Error where there is no such operation */
export function countRootFields(operations: ReadonlyMap<string, DocumentNode>, name: string): number {
  const document = operations.get(name);
  const operation = document && getOperationAST(document, name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  return operation.selectionSet.selections.length;
}
