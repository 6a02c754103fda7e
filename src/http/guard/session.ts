/** Authenticates browsers by their session cookies, and protects what they change from other sites. */
import { isCsrfTokenOf } from "../../auth/sessions/cookie-value.ts";
import type { SessionAuthenticator, SessionPrincipal } from "../../auth/sessions/authenticate.ts";
import { AppError } from "../../errors.ts";
import type { Cookies } from "../auth/cookies.ts";
import { GRAPHQL_PATH, isAuthPath } from "../paths.ts";
import type { Check, RestContext } from "../state.ts";

const CSRF_HEADER = "X-CSRF-Token";

export interface SessionGuard {
  /** The session cookie of the request. Null if it has none, or if its path accepts no session. */
  cookieOf(ctx: RestContext): string | null;
  /**
   * @throws AppError `unauthorized`; `forbidden` if a change comes from another site, or without the session's token
   */
  enter(ctx: RestContext, cookie: string): Promise<SessionPrincipal>;
}

interface SessionGuardParts {
  sessions: SessionAuthenticator;
  cookies: Cookies;
  ownOrigin: Check;
}

export function createSessionGuard({ sessions, cookies, ownOrigin }: SessionGuardParts): SessionGuard {
  return {
    cookieOf: (ctx) => (ctx.path === GRAPHQL_PATH || isAuthPath(ctx.path) ? cookies.session.read(ctx) : null),
    async enter(ctx, cookie) {
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
