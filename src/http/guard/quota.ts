/** Applies the rate limit, and sets the headers with its state. */
import type { Principal } from "../../auth/principal.ts";
import { AppError } from "../../errors.ts";
import type { RateLimiter, RateLimitState } from "../../limits/limits.ts";
import { getPrincipal } from "../../graphql/context.ts";
import { isGraphqlRequest } from "../graphql/answer.ts";
import type { Check, Middleware, RestContext } from "../state.ts";

/** The owner of a quota, and the settings with its size. */
type Tenant = Pick<Principal, "quotaId"> & { security: Pick<Principal["security"], "rateLimitPerMinute"> };

export type Quota = ReturnType<typeof createQuota>;

export function createQuota(limiter: RateLimiter) {
  /** Sets the headers without counting. `matters` is asked when the state is known. */
  const show = async (ctx: RestContext, { quotaId, security }: Tenant, matters = () => true): Promise<void> => {
    const state = await limiter.look(quotaId, security.rateLimitPerMinute);
    if (matters()) setHeaders(ctx, state);
  };

  return {
    show,
    /**
     * Counts the request.
     * @throws AppError `rate_limited`, or `bad_request` if the request needs more than the whole quota
     */
    async take(ctx: RestContext, tenant: Tenant, units: number): Promise<void> {
      const limit = tenant.security.rateLimitPerMinute;
      if (units > limit) {
        await show(ctx, tenant);
        const message = `This counts as ${units} requests; the limit is ${limit} a minute.`;
        throw new AppError("bad_request", message, { endsRequest: true });
      }
      const { admitted, retryAfterSeconds, ...state } = await limiter.admit(tenant.quotaId, limit, units);
      setHeaders(ctx, state);
      if (admitted) return;
      const message = `The limit of ${limit} requests a minute is reached.`;
      throw new AppError("rate_limited", message, { retryAfterSeconds, endsRequest: true });
    },
  };
}

/**
 * Sets the headers on every answer to a valid token, also on refusals. The request goes on before the state is known, so
 * that reading the state and counting the request are one message to the limits store.
 */
export function showQuota(quota: Quota): Middleware {
  return async (ctx, next) => {
    let isCounted = false;
    const shown = quota.show(ctx, getPrincipal(ctx.state), () => !isCounted);
    ctx.state.takeUnits = (units) => {
      isCounted = true;
      return quota.take(ctx, getPrincipal(ctx.state), units);
    };
    const outcomes = await Promise.allSettled([next(), shown]);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  };
}

/** Counts a request. A GraphQL request is counted later, because its cost is known only from its body. */
export const countRequest: Check = async (ctx) => {
  if (!isGraphqlRequest(ctx)) await ctx.state.takeUnits(1);
};

function setHeaders(ctx: RestContext, { limit, remaining, resetAtSeconds }: RateLimitState): void {
  ctx.set({
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(resetAtSeconds),
  });
}
