/** `/auth/sso`: single sign-on. Every answer redirects the browser: to the provider, back to its page, or to the login. */
import type { Logger } from "pino";

import { LoginError } from "../../auth/logins/login-error.ts";
import { FLOW_SECONDS } from "../../auth/sso/flow.ts";
import type { Sso } from "../../auth/sso/sso.ts";
import { AppError, badFields } from "../../errors.ts";
import { parseQueryString } from "../body/query-string.ts";
import type { Middleware, RestContext } from "../state.ts";
import { type AuthParts, browserOf } from "./logins.ts";
import { setSessionCookie } from "./session-answer.ts";

type SsoParts = AuthParts & { log: Pick<Logger, "warn"> };

export function createSsoHandlers(parts: SsoParts) {
  const { cookies } = parts;
  /** @throws AppError `not_found` if no provider is configured */
  const requireSso = (): Sso => {
    if (parts.sso === null) throw new AppError("not_found", "There is no single sign-on here.");
    return parts.sso;
  };
  return {
    async beginSso(ctx) {
      const sso = requireSso();
      const { values, faults } = parseQueryString(ctx.querystring);
      if (faults.length > 0) throw badFields(faults);
      await leadToLogin(ctx, parts, async () => {
        const { url, flow } = await sso.begin({ returnTo: values["return_to"], workspace: values["workspace"] });
        cookies.flow.set(ctx, flow, FLOW_SECONDS);
        redirect(ctx, url.href);
      });
    },
    async finishSso(ctx) {
      const sso = requireSso();
      const flow = cookies.flow.read(ctx);
      cookies.flow.clear(ctx);
      await leadToLogin(ctx, parts, async () => {
        const { cookie, returnTo } = await sso.finish(ctx.querystring, flow, browserOf(ctx, parts));
        setSessionCookie(ctx, cookie, parts);
        redirect(ctx, returnTo);
      });
    },
  } satisfies Record<string, Middleware>;
}

/** A person is looking at this, so an error leads to the login page, which explains it. */
async function leadToLogin(ctx: RestContext, { log }: SsoParts, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const code = error instanceof LoginError ? error.reason : error.code;
    // Only the message: other fields of the error may contain tokens.
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    log.warn({ code, reason, requestId: ctx.state.requestId }, "a login by single sign-on failed");
    redirect(ctx, `/login?error=${code}`);
  }
}

/** Koa's own `redirect` would write the address into a page. */
function redirect(ctx: RestContext, location: string): void {
  ctx.status = 302;
  ctx.set("Location", location);
  ctx.body = null;
  ctx.status = 302;
}
