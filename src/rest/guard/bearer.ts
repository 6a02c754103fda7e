/** Authenticates requests, by a Bearer token or, for browsers, by a session. */
import type { Authenticator } from "../../auth/bearer.ts";
import { isWhole } from "../body.ts";
import type { Check } from "../state.ts";
import type { SessionGuard } from "./session.ts";

/** @returns a check that throws the errors of `authenticate` and `enter`. A request with both uses the token. */
export function requireToken(authenticator: Authenticator, sessions: SessionGuard): Check {
  return async (ctx) => {
    const { req, state } = ctx;
    state.wasWhole = isWhole(ctx);
    // Node's `headers` contains only the first of several headers. Here, several are an error.
    const headers = req.headersDistinct["authorization"] ?? [];
    const cookie = headers.length === 0 ? sessions.cookieOf(ctx) : null;
    state.principal = cookie === null ? await authenticator.authenticate(headers) : await sessions.enter(ctx, cookie);
  };
}
