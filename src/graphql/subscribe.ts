/**
 * Subscriptions: each event is answered as a request of its own would be, with fresh loaders and a fresh budget, after the
 * token has been asked for again.
 */
import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
} from "graphql";
import { isAsyncIterable } from "graphql-yoga";

import type { GraphqlContext, RequestScope } from "./context.ts";
import type { Documents } from "./documents.ts";
import { runToEnd } from "./run-to-end.ts";

export interface Subscription {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName: string | null | undefined;
  variableValues: Readonly<Record<string, unknown>>;
  /** Makes what the source of the events is read with, and then what each event is answered with. */
  openContext: () => GraphqlContext;
  /** Asks again for the token, before each event. @throws AppError if it may not any more */
  stillAllowed: RequestScope["stillAllowed"];
  toShown: (error: unknown) => GraphQLError;
}

/** Whether a request asks for a subscription. @param params its parsed JSON, whatever it is */
export function isSubscription(params: unknown, documents: Pick<Documents, "parse">): boolean {
  if (typeof params !== "object" || params === null) return false;
  const { query, operationName } = params as { query?: unknown; operationName?: unknown };
  if (typeof query !== "string") return false;
  try {
    const name = typeof operationName === "string" && operationName !== "" ? operationName : null;
    return getOperationAST(documents.parse(query), name)?.operation === OperationTypeNode.SUBSCRIPTION;
  } catch {
    // What is wrong with the document is told where it is answered.
    return false;
  }
}

/**
 * Begins a subscription whose document, variables and cost were checked.
 * @returns its events, or the one result that says why there are none
 */
export async function subscribe(
  subscription: Subscription,
): Promise<AsyncGenerator<ExecutionResult, void, undefined> | ExecutionResult> {
  const { schema, document, operationName, variableValues, openContext } = subscription;
  const context = openContext();
  const source = await createSourceEventStream({
    schema,
    document,
    operationName,
    variableValues,
    contextValue: context,
  });
  // What the source reads is not held: it looks at one thing at a time.
  context.budget.close();
  return isAsyncIterable(source) ? answerEvents(source, subscription) : source;
}

async function* answerEvents(
  source: AsyncIterable<unknown>,
  { toShown, ...subscription }: Subscription,
): AsyncGenerator<ExecutionResult, void, undefined> {
  try {
    for await (const event of source) yield await answerEvent(event, { toShown, ...subscription });
  } catch (error) {
    yield { errors: [toShown(error)] };
  }
}

/** @throws AppError if the token may not any more, or for what ends a request as a whole */
async function answerEvent(
  rootValue: unknown,
  { schema, document, operationName, variableValues, openContext, stillAllowed, toShown }: Subscription,
): Promise<ExecutionResult> {
  // First, because the context has the principal that is then the token's.
  await stillAllowed?.();
  const context = openContext();
  const run = (contextValue: unknown, variables: Readonly<Record<string, unknown>>) =>
    execute({ schema, document, operationName, variableValues: variables, rootValue, contextValue });
  const result = await runToEnd(run, context, variableValues);
  return result.errors === undefined ? result : { ...result, errors: result.errors.map(toShown) };
}
