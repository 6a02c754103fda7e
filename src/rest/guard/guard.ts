/** What every request passes before its route is looked for, in this order. */
import type { Authenticator } from "../../auth/bearer.ts";
import { isGraphqlRequest } from "../graphql.ts";
import type { OperationSources } from "../operation.ts";
import type { Middleware } from "../state.ts";
import { createAccessRule } from "./access.ts";
import { requireAllowed } from "./allowlist.ts";
import { authenticateRequest } from "./bearer.ts";
import type { LockoutGuard } from "./lockout.ts";
import type { Quota } from "./quota.ts";

export interface GuardParts extends OperationSources {
  lockout: LockoutGuard;
  authenticator: Authenticator;
  quota: Quota;
}

export function createGuard({ lockout, authenticator, quota, ...sources }: GuardParts): Middleware {
  const accessOf = createAccessRule(sources);
  return async (ctx, next) => {
    const access = accessOf(ctx);
    if (access !== "exempt") await lockout.refuseBlocked(ctx.state.source);
    if (access === "token") {
      const principal = await authenticateRequest(ctx, authenticator);
      await requireAllowed(ctx, principal, quota);
      // How many requests a question to GraphQL counts as is known when its body was read.
      if (isGraphqlRequest(ctx)) await quota.show(ctx, principal);
      else await quota.take(ctx, principal, 1);
    }
    return next();
  };
}
