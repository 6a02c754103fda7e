/** Blocks sources that fail to authenticate too often, and counts their failures. */
import type { Logger } from "pino";

import type { RefusalTrail } from "../../auth/refusals.ts";
import { AppError } from "../../errors.ts";
import type { Lockout } from "../../limits/limits.ts";
import { GRAPHQL_PATH, LOGIN_PATH, TOKEN_PATH, WITH_SESSION } from "../paths.ts";
import type { Check, Middleware, RestContext } from "../state.ts";

export type LockoutGuard = ReturnType<typeof createLockoutGuard>;

interface LockoutParts {
  lockout: Lockout;
  refusals: RefusalTrail;
  log: Logger;
}

export function createLockoutGuard({ lockout, refusals, log }: LockoutParts) {
  return {
    /** @throws AppError `rate_limited` while the source is blocked */
    async refuseBlocked(source: string): Promise<void> {
      const retryAfterSeconds = await lockout.blockedForSeconds(source);
      if (retryAfterSeconds === 0) return;
      throw new AppError("rate_limited", "Too many attempts to authenticate failed from this address.", {
        details: { reason: "auth_lockout" },
        retryAfterSeconds,
      });
    },
    /** Counts a 401. If it blocks the source, writes an audit event. */
    async noteFailure(source: string): Promise<void> {
      if (!(await lockout.noteFailure(source))) return;
      log.warn({ source }, "source locked out: too many attempts to authenticate failed");
      await refusals.noteLockout(source);
    },
    /** Resets the count after a valid token or client. Never rejects. */
    noteSuccess: (source: string) =>
      lockout.noteSuccess(source).catch((err: unknown) => log.error({ err }, "a success could not be counted")),
  };
}

/** @returns a check that throws the error of `refuseBlocked` */
export function refuseLockedOut(guard: LockoutGuard): Check {
  return ({ state }) => guard.refuseBlocked(state.source);
}

/**
 * Whether a 401 counts as a failed attempt. A browser without a session, or with one that has ended, does not count, because
 * nobody can guess a session. Wrong passwords have counts of their own, so that people who mistype theirs do not block the
 * programs of their network.
 */
function isAttempt({ path, req: { headers } }: RestContext): boolean {
  if (path === LOGIN_PATH) return false;
  if (headers.authorization !== undefined) return true;
  const isOfPage = headers.cookie !== undefined || headers["x-csrf-token"] !== undefined;
  return !WITH_SESSION.includes(path) && !(path === GRAPHQL_PATH && isOfPage);
}

/** Runs around all other steps, because the status that the client sees counts, also that of errors. */
export function noteAuthentication(guard: LockoutGuard): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.status === 401) {
      if (isAttempt(ctx)) await guard.noteFailure(ctx.state.source);
    } else if (wasAccepted(ctx)) {
      // The answer does not wait for it.
      void guard.noteSuccess(ctx.state.source);
    }
  };
}

function wasAccepted({ path, state, status }: RestContext): boolean {
  return state.principal !== null || (path === TOKEN_PATH && status === 200);
}
