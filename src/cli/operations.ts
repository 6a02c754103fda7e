/** What the operations that commands run answer. */
import type { Found, Operation } from "../tools/operations.ts";

export type { Found, Operation };

/** What an operation answers if all that it asks for is there. */
export type Answer<Name extends Operation> = { [Field in keyof Found<Name>]: NonNullable<Found<Name>[Field]> };

/** An operation that answers a list in pages, and an item of it. */
export type ListOperation = {
  [Name in Operation]: Found<Name> extends { list: object | null } ? Name : never;
}[Operation];
export type Item<Name extends ListOperation> =
  Answer<Name> extends { list: { nodes: readonly (infer Each)[] } } ? Each : never;
