/** The operations that the service itself sends, and what each answers. The types follow from the texts and the printed schema. */
import type { initGraphQLTada, ResultOf } from "gql.tada";

import type { introspection } from "../schema/introspection.d.ts";
import type { OperationTexts } from "../schema/operation-texts.d.ts";

interface Setup<Time> {
  introspection: introspection;
  disableMasking: true;
  scalars: { DateTime: Time; EmailAddress: string; JSONObject: object; NonNegativeInt: number; URL: string };
}

/** Is never called: the package tells the type of a document by that of a call. */
const typeDocument = <const Text extends string, Time>(gql: initGraphQLTada<Setup<Time>>, text: Text) => gql(text);

/** The name of an operation of `schema/commands` or `schema/tools`. */
export type Operation = keyof OperationTexts;

/**
 * What an operation answers. A root field is null if there is no such thing.
 * @template Time times are text in JSON, and may be dates in this process
 */
export type Found<Name extends Operation, Time = string> = ResultOf<
  ReturnType<typeof typeDocument<OperationTexts[Name], Time>>
>;

/** What an operation answers if all that it asks for is there. */
export type Answer<Name extends Operation, Time = string> = {
  [Field in keyof Found<Name, Time>]: NonNullable<Found<Name, Time>[Field]>;
};
