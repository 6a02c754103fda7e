/** Checks a token again if the body came late, because the token may have been revoked in the meantime. */
import type { Check } from "../state.ts";

/**
 * Repeats the checks of a token if the request was not complete when the token was looked up. So every token was valid
 * after its whole request had arrived. Runs when the body has been read.
 */
export function createSecondLook(checkToken: Check): Check {
  return async (ctx) => {
    if (!ctx.state.wasWhole) await checkToken(ctx);
  };
}
