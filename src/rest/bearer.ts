/** Who is asking. */
import type { Authenticator } from "../auth/bearer.ts";
import type { Middleware, RestContext } from "./state.ts";

/** Everything behind this guard that needs a token has a principal. */
export function requireBearer(authenticator: Authenticator, needsToken: (ctx: RestContext) => boolean): Middleware {
  return async (ctx, next) => {
    if (needsToken(ctx)) {
      // Node's `headers` keeps the first of several; here several are a fault.
      ctx.state.principal = await authenticator.authenticate(ctx.req.headersDistinct["authorization"] ?? []);
    }
    return next();
  };
}
