/** A client may hold its body back for as long as it likes: what was revoked in the meantime opens nothing. */
import type { Check } from "../state.ts";

/**
 * Makes all checks of a token once more if a part of the request was still to come when it was looked up. So every
 * token was good at some moment after all of its request had come. Asked when the body is read.
 */
export function createSecondLook(checkToken: Check): Check {
  return async (ctx) => {
    if (!ctx.state.wasWhole) await checkToken(ctx);
  };
}
