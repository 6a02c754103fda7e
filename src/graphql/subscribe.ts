/**
 * Subscriptions: each event is answered like a request of its own, with its own loaders and budget. The token is looked up
 * again before each event.
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
  /** Makes a context: one to read the source of the events, then one for each event. */
  openContext: () => GraphqlContext;
  /** Looks the token up again before each event. @throws AppError if it is no longer valid */
  stillAllowed: RequestScope["stillAllowed"];
  toShown: (error: unknown) => GraphQLError;
}

/** Whether a request asks for a subscription. @param params its parsed JSON, which may be any value */
export function isSubscription(params: unknown, documents: Pick<Documents, "parse">): boolean {
  if (typeof params !== "object" || params === null) return false;
  const { query, operationName } = params as { query?: unknown; operationName?: unknown };
  if (typeof query !== "string") return false;
  try {
    const name = typeof operationName === "string" && operationName !== "" ? operationName : null;
    return getOperationAST(documents.parse(query), name)?.operation === OperationTypeNode.SUBSCRIPTION;
  } catch {
    // The faults of the document are reported when it is answered.
    return false;
  }
}

/**
 * Begins a subscription. Its document, variables and cost have been checked.
 * @returns its events, or a single result with the reason why there are none
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
  // What the source reads is not held: it reads one object at a time.
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

/** @throws AppError if the token is no longer valid, or the whole request ends */
async function answerEvent(
  rootValue: unknown,
  { schema, document, operationName, variableValues, openContext, stillAllowed, toShown }: Subscription,
): Promise<ExecutionResult> {
  // First, because the context has the principal that is then the token's.
  await stillAllowed?.();
  const context = openContext();
  const run = () => execute({ schema, document, operationName, variableValues, rootValue, contextValue: context });
  const result = await runToEnd(run, context);
  return result.errors === undefined ? result : { ...result, errors: result.errors.map(toShown) };
}
