/** Runs an operation for as long as its request lasts. */
import type { ExecutionResult } from "graphql";

import { unlessAborted } from "../work/unless-aborted.ts";
import type { GraphqlContext } from "./context.ts";
import { findAppError } from "./errors.ts";

/**
 * @returns the result, with the errors of single fields
 * @throws AppError as soon as the whole request ends, for example because its budget is spent. Then there is no partial
 *   answer. Fields that still wait never settle (see `loaders.ts`), so that thousands of them do not fail one by one.
 */
export async function runToEnd(
  run: () => Promise<ExecutionResult> | ExecutionResult,
  { budget, signal }: Pick<GraphqlContext, "budget" | "signal">,
): Promise<ExecutionResult> {
  try {
    const result = await unlessAborted(signal, Promise.try(run));
    const ending = result.errors?.map(findAppError).find((error) => error?.endsRequest);
    if (ending) throw ending;
    return result;
  } finally {
    budget.close();
  }
}
