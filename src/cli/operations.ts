/** What the operations that commands run answer. */
import type { Answer, Found, Operation } from "../operations.ts";

export type { Answer, Found, Operation };

/** An operation that answers a list in pages, and an item of it. */
export type ListOperation = {
  [Name in Operation]: Found<Name> extends { list: object | null } ? Name : never;
}[Operation];
export type Item<Name extends ListOperation> =
  Answer<Name> extends { list: { nodes: readonly (infer Each)[] } } ? Each : never;
