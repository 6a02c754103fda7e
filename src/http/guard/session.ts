/** Authenticates browsers by their session cookies, and protects what they change from other sites. */
import { isCsrfTokenOf } from "../../auth/sessions/cookie-value.ts";
import type { SessionAuthenticator, SessionPrincipal } from "../../auth/sessions/authenticate.ts";
import { AppError } from "../../errors.ts";
import type { Cookies } from "../auth/cookies.ts";
import { GRAPHQL_PATH, isAuthPath } from "../paths.ts";
import type { Check, RestContext } from "../state.ts";

const CSRF_HEADER = "X-CSRF-Token";

export type SessionGuard = ReturnType<typeof createSessionGuard>;

interface SessionGuardParts {
  sessions: SessionAuthenticator;
  cookies: Cookies;
  ownOrigin: Check;
}

export function createSessionGuard({ sessions, cookies, ownOrigin }: SessionGuardParts) {
  return {
    /** The session cookie of the request. Null if it has none, or if its path accepts no session. */
    cookieOf: (ctx: RestContext) =>
      ctx.path === GRAPHQL_PATH || isAuthPath(ctx.path) ? cookies.session.read(ctx) : null,
    /**
     * @throws AppError `unauthorized`; `forbidden` if a change comes from another site, or without the session's token
     */
    async enter(ctx: RestContext, cookie: string): Promise<SessionPrincipal> {
      try {
        // The second check of one request does not count as a further use of the session.
        const principal = await sessions.authenticate(cookie, ctx.state.principal === null);
        if (ctx.method !== "GET" && ctx.method !== "HEAD") await requireOwnPage(ctx, cookie);
        return principal;
      } catch (error) {
        if (error instanceof AppError && error.code === "unauthorized" && !ctx.headerSent) cookies.session.clear(ctx);
        throw error;
      }
    },
  };

  async function requireOwnPage(ctx: RestContext, cookie: string): Promise<void> {
    await ownOrigin(ctx);
    if (isCsrfTokenOf(cookie, ctx.get(CSRF_HEADER))) return;
    throw new AppError("forbidden", `The header ${CSRF_HEADER} must have the token of the session.`, {
      details: { reason: "csrf" },
    });
  }
}
