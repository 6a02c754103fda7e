/** `/auth/…`: people log in and out with browsers. Passwords, one-time links and sessions; see `sso.ts` for the rest. */
import type { z } from "zod";

import { changePassword } from "../../auth/logins/change-password.ts";
import { logIn } from "../../auth/logins/log-in.ts";
import type { LoginParts } from "../../auth/logins/login-parts.ts";
import { readLink, useLink } from "../../auth/links/use-link.ts";
import type { SessionPrincipal } from "../../auth/sessions/authenticate.ts";
import { logOut } from "../../auth/sessions/end.ts";
import { switchWorkspace } from "../../auth/sessions/switch.ts";
import type { Browser } from "../../auth/sessions/open.ts";
import type { Sso } from "../../auth/sso/sso.ts";
import { unauthorized } from "../../auth/unauthorized.ts";
import { callerOf } from "../../graphql/context.ts";
import type { Caller } from "../../work/caller.ts";
import { JSON_TYPE } from "../answer/error-answer.ts";
import type { LockoutGuard } from "../guard/lockout.ts";
import type { Check, Middleware, RestContext } from "../state.ts";
import { AUTH_ENDPOINTS } from "./rows.ts";
import { readFields } from "../body/fields.ts";
import { answerNewSession, answerSession, type SessionAnswerParts } from "./session-answer.ts";

export interface AuthParts extends SessionAnswerParts {
  logins: LoginParts;
  sso: Sso | null;
  lockout: LockoutGuard;
  ownOrigin: Check;
  lookAgain: Check;
}

/** The browser of a request. */
export function browserOf(ctx: RestContext, { cookies }: Pick<AuthParts, "cookies">): Browser {
  return { source: ctx.state.source, userAgent: ctx.get("User-Agent"), cookie: cookies.session.read(ctx) };
}

/** The caller of a request without a session. Such callers take turns by their source addresses. */
function strangerOf({ state }: RestContext): Caller {
  return { tenant: `login ${state.source}`, signal: state.signal };
}

/** The session of the request, and its cookie. The guard also accepts tokens here, which have no session. */
function sessionOf(ctx: RestContext, { cookies }: Pick<AuthParts, "cookies">) {
  const { principal } = ctx.state;
  const cookie = cookies.session.read(ctx);
  if (principal === null || principal.session === null || cookie === null) throw unauthorized();
  const found: SessionPrincipal = { ...principal, session: principal.session };
  return { principal: found, cookie };
}

/** Reads the body of a request without a session. Checks the origin before, and the lockout afterwards. */
async function readFromStranger<Fields extends z.ZodObject>(
  ctx: RestContext,
  parts: AuthParts,
  { body }: { body: { schema: Fields } },
): Promise<z.output<Fields>> {
  await parts.ownOrigin(ctx);
  const fields = await readFields(ctx, body.schema);
  // Otherwise, many bodies that are sent slowly could try many passwords at the same time.
  await parts.lockout.refuseBlocked(ctx.state.source);
  return fields;
}

export function createLoginHandlers(parts: AuthParts) {
  const { logins, cookies } = parts;
  return {
    async readSession(ctx) {
      const { principal, cookie } = sessionOf(ctx, parts);
      await answerSession(ctx, principal, cookie, parts);
    },
    async logIn(ctx) {
      const { workspace = null, ...request } = await readFromStranger(ctx, parts, AUTH_ENDPOINTS.logIn);
      const login = { ...request, workspace, device: cookies.device.read(ctx) };
      const cookie = await logIn(logins, login, browserOf(ctx, parts), strangerOf(ctx));
      await answerNewSession(ctx, cookie, parts);
    },
    async logOut(ctx) {
      const { principal } = sessionOf(ctx, parts);
      await logOut(parts.store, principal, ctx.state.source);
      cookies.session.clear(ctx);
      const redirect = principal.session.sso && parts.sso !== null ? await parts.sso.logoutUrl() : null;
      if (redirect === null) {
        ctx.status = 204;
        return;
      }
      ctx.set("Content-Type", JSON_TYPE);
      ctx.body = JSON.stringify({ redirect });
    },
    async switchWorkspace(ctx) {
      const { workspace } = await readFields(ctx, AUTH_ENDPOINTS.switchWorkspace.body.schema);
      await parts.lookAgain(ctx);
      const { principal, cookie } = sessionOf(ctx, parts);
      const moved = await switchWorkspace(logins, principal, workspace, ctx.state.source);
      if (moved === null) await answerSession(ctx, principal, cookie, parts);
      else await answerNewSession(ctx, moved, parts);
    },
    async changePassword(ctx) {
      const { principal, cookie } = sessionOf(ctx, parts);
      const fields = await readFields(ctx, AUTH_ENDPOINTS.changePassword.body.schema);
      await parts.lookAgain(ctx);
      const change = { ...fields, source: ctx.state.source };
      await changePassword(logins, principal, change, callerOf(ctx.state));
      await answerSession(ctx, principal, cookie, parts);
    },
    async readLink(ctx) {
      const { token } = await readFromStranger(ctx, parts, AUTH_ENDPOINTS.readLink);
      const { kind, email } = await readLink(logins, token);
      ctx.set("Content-Type", JSON_TYPE);
      ctx.body = JSON.stringify({ kind, email });
    },
    async useLink(ctx) {
      const { token, password, name, email } = await readFromStranger(ctx, parts, AUTH_ENDPOINTS.useLink);
      const use = { token, password, name: name || null, email: email ?? null };
      const cookie = await useLink(logins, use, browserOf(ctx, parts), ctx.state);
      await answerNewSession(ctx, cookie, parts);
    },
  } satisfies Partial<Record<keyof typeof AUTH_ENDPOINTS, Middleware>>;
}
