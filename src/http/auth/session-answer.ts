/** Answers a browser with its session. */
import type { z } from "zod";

import { DEVICE_SECONDS, type Devices } from "../../auth/logins/devices.ts";
import { csrfTokenOf } from "../../auth/sessions/cookie-value.ts";
import type { SessionAuthenticator, SessionPrincipal } from "../../auth/sessions/authenticate.ts";
import type { MetadataStore } from "../../metadata/store.ts";
import { AppError } from "../../errors.ts";
import { SCOPES } from "../../metadata/records.ts";
import { JSON_TYPE, toErrorAnswer, type Translator } from "../answer/error-answer.ts";
import type { RestContext } from "../state.ts";
import type { Cookies } from "./cookies.ts";
import type { sessionAnswer } from "./rows.ts";

export interface SessionAnswerParts {
  store: MetadataStore;
  sessions: SessionAuthenticator;
  cookies: Cookies;
  devices: Devices;
  /** How long a session lasts at most. */
  maxMs: number;
}

/** Answers with the session of a principal. */
export async function answerSession(
  ctx: RestContext,
  { session, actor, role, scopes, workspace }: SessionPrincipal,
  cookie: string,
  { store }: Pick<SessionAnswerParts, "store">,
): Promise<void> {
  const user = await store.users.findById(workspace.id, session.userId);
  const proven = await store.logins.listProven(session);
  ctx.set("Content-Type", JSON_TYPE);
  const answer: z.input<typeof sessionAnswer> = {
    user: { id: actor.id, name: user?.name || actor.name, email: actor.name, role },
    workspace: { id: workspace.id, name: workspace.name },
    workspaces: proven.map(({ workspace: { id, name } }) => ({ id, name })),
    scopes: SCOPES.filter((scope) => scopes.has(scope)),
    csrf_token: csrfTokenOf(cookie),
    expires_at: session.expiresAt,
  };
  ctx.body = JSON.stringify(answer);
}

/**
 * Sets the cookie of a new session, and answers with the session. If the person has a password, the browser is
 * recognised from now on.
 */
export async function answerNewSession(ctx: RestContext, cookie: string, parts: SessionAnswerParts): Promise<void> {
  const principal = await parts.sessions.authenticate(cookie);
  setSessionCookie(ctx, cookie, parts);
  const { session, actor } = principal;
  if (!session.sso) parts.cookies.device.set(ctx, parts.devices.issue(actor.name), DEVICE_SECONDS);
  await answerSession(ctx, principal, cookie, parts);
}

export function setSessionCookie(
  ctx: RestContext,
  cookie: string,
  { cookies, maxMs }: Pick<SessionAnswerParts, "cookies" | "maxMs">,
): void {
  cookies.session.set(ctx, cookie, Math.floor(maxMs / 1_000));
}

/** How people can log in. */
export interface LoginWays {
  password: true;
  sso: { name: string } | null;
}

/** No bearer token would help here. */
const NO_SESSION = "This browser has no session, or none that is still valid: log in.";

/** Translates the errors of `/auth/session`: without a session, `details.login` says how people can log in. */
export function toSessionErrorAnswer(login: LoginWays): Translator {
  return (error) =>
    toErrorAnswer(error.status === 401 ? new AppError(error.code, NO_SESSION, { details: { login } }) : error);
}
