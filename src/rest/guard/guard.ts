/** What every request passes before its route is looked for, in this order. */
import { callerOf } from "../../graphql/context.ts";
import { isGraphqlRequest } from "../graphql.ts";
import type { OperationSources } from "../operation.ts";
import type { Middleware } from "../state.ts";
import { createAccessRule } from "./access.ts";
import type { Admission } from "./admission.ts";
import type { LockoutGuard } from "./lockout.ts";
import type { Progress } from "./progress.ts";
import type { Quota } from "./quota.ts";

export interface GuardParts extends OperationSources {
  lockout: LockoutGuard;
  admit: Admission;
  quota: Quota;
  progress: Progress;
}

export function createGuard({ lockout, admit, quota, progress, ...sources }: GuardParts): Middleware {
  const accessOf = createAccessRule(sources);
  return async (ctx, next) => {
    const access = accessOf(ctx);
    if (access === "public") await lockout.refuseBlocked(ctx.state.source);
    if (access !== "token") return next();
    const principal = await admit(ctx);
    // The headers stand on a refusal, too.
    await quota.show(ctx, principal);
    return progress.run(callerOf(ctx.state), async () => {
      // How many requests a question to GraphQL counts as is known when its body was read.
      if (!isGraphqlRequest(ctx)) await quota.take(ctx, principal, 1);
      await next();
    });
  };
}
