/** The checks of a token: the source is not locked out, the token is valid, and its workspace accepts this address. */
import { requireAllowedKey } from "../../auth/allowed-source.ts";
import type { Authenticator } from "../../auth/bearer.ts";
import { getPrincipal } from "../../graphql/context.ts";
import { isWhole } from "../body/body.ts";
import type { Check } from "../state.ts";
import { type LockoutGuard, refuseLockedOut } from "./lockout.ts";
import type { SessionGuard } from "./session.ts";

interface TokenCheckParts {
  lockout: LockoutGuard;
  authenticator: Authenticator;
  sessionGuard: SessionGuard;
}

/** The checks of a token, in this order. */
export interface TokenChecks {
  lockout: Check;
  bearer: Check;
  allowlist: Check;
}

export function createTokenChecks({ lockout, authenticator, sessionGuard }: TokenCheckParts): TokenChecks {
  return {
    lockout: refuseLockedOut(lockout),
    bearer: requireToken(authenticator, sessionGuard),
    allowlist: ({ state }) => requireAllowedKey(state.source, getPrincipal(state)),
  };
}

/** @returns a check that throws the errors of `authenticate` and `enter`. A request with both uses the token. */
function requireToken(authenticator: Authenticator, sessions: SessionGuard): Check {
  return async (ctx) => {
    const { req, state } = ctx;
    state.wasWhole = isWhole(ctx);
    // Node's `headers` contains only the first of several headers. Here, several are an error.
    const headers = req.headersDistinct["authorization"] ?? [];
    const cookie = headers.length === 0 ? sessions.cookieOf(ctx) : null;
    state.principal = cookie === null ? await authenticator.authenticate(headers) : await sessions.enter(ctx, cookie);
  };
}

/**
 * Repeats the checks of a token if the request was not complete when the token was looked up, because the token may
 * have been revoked in the meantime. So every token was valid after its whole request had arrived. Runs when the body
 * has been read.
 */
export function createSecondLook(checkToken: Check): Check {
  return async (ctx) => {
    if (!ctx.state.wasWhole) await checkToken(ctx);
  };
}
