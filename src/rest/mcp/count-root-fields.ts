/** Counts how many requests an operation is worth: as many as at `/graphql`. */
import { type DocumentNode, getOperationAST } from "graphql";

/** @throws Error if there is no such operation */
export function countRootFields(operations: ReadonlyMap<string, DocumentNode>, name: string): number {
  const document = operations.get(name);
  const operation = document && getOperationAST(document, name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  return operation.selectionSet.selections.length;
}
