/** Runs a prepared operation for as long as its request lasts. */
import type { ExecutionResult } from "graphql";

import { unlessAborted } from "../work/unless-aborted.ts";
import type { CompiledOperation } from "./compile.ts";
import type { GraphqlContext } from "./context.ts";
import { findAppError } from "./errors.ts";

/**
 * @returns the result, the errors of single fields included
 * @throws AppError for what ends the request as a whole, as soon as it ends: no part of an answer is given then. What was
 *   still under way is never settled (see `loaders.ts`), so that thousands of fields do not fail one by one.
 */
export async function runToEnd(
  operation: CompiledOperation,
  context: Pick<GraphqlContext, "budget" | "signal">,
  variables: Readonly<Record<string, unknown>>,
): Promise<ExecutionResult> {
  try {
    const result = await unlessAborted(context.signal, Promise.try(operation, context, variables));
    const ending = result.errors?.map(findAppError).find((error) => error?.endsRequest);
    if (ending) throw ending;
    return result;
  } finally {
    context.budget.close();
  }
}
