/** Opens a session for a person who has logged in. */
import type { UserId } from "../../ids.ts";
import type { LoginUser } from "../../metadata/logins.ts";
import { excerpt } from "../../characters.ts";
import type { Repositories } from "../../metadata/store.ts";
import { isPlainLine } from "../../plain-text.ts";
import { requireAllowedSource } from "../allowed-source.ts";
import type { AuthParts } from "../change.ts";
import { createSecretValue, isSecretValue, lookupOf } from "./cookie-value.ts";
import type { SessionLifetime } from "./lifetime.ts";

const MAX_USER_AGENT_CHARACTERS = 200;

export type SessionParts = AuthParts & { lifetime: SessionLifetime };

/** The browser that logs in. */
export interface Browser {
  /** The address that the request came from. */
  source: string;
  userAgent: string;
  /** The session cookie that the browser sent; null if none. That session ends, because the cookie may be planted. */
  cookie: string | null;
}

export interface Login {
  user: Pick<LoginUser["user"], "id" | "workspaceId" | "email">;
  sso: boolean;
  /** The same person's users that this login was good for, in all workspaces. */
  userIds: readonly UserId[];
}

/**
 * Opens a session with a new cookie, in a transaction that has begun.
 * @returns the cookie's value, which is not stored
 * @throws AppError `forbidden` if the workspace accepts nobody from this address
 */
export async function openSession(
  { clock, random, lifetime }: SessionParts,
  nouns: Repositories,
  { user, sso, userIds }: Login,
  browser: Browser,
): Promise<string> {
  const { source } = browser;
  const { workspaceId } = user;
  requireAllowedSource(source, await nouns.security.get(workspaceId));
  const { value, stored } = createSecretValue(random);
  const now = clock.now().getTime();
  await nouns.sessions.removeEnded(new Date(now - lifetime.idleMs).toISOString());
  await endPlanted(nouns, browser);
  const session = await nouns.sessions.create({
    workspaceId,
    userId: user.id,
    ...stored,
    source,
    userAgent: toLine(browser.userAgent),
    sso,
    userIds: [...userIds],
    expiresAt: new Date(now + lifetime.maxMs).toISOString(),
  });
  await nouns.logins.noteLogin(workspaceId, user.id);
  const details = { userId: user.id, by: sso ? "single sign-on" : "password" };
  await nouns.audit.append({
    workspaceId,
    action: "logged_in",
    actor: user.email,
    source,
    subject: session.id,
    details,
  });
  return value;
}

async function endPlanted({ sessions }: Repositories, { cookie }: Browser): Promise<void> {
  if (cookie === null) return;
  const found = await sessions.findByLookup(lookupOf(cookie));
  if (found === null || !isSecretValue(cookie, found)) return;
  await sessions.end(found.session.workspaceId, found.session.userId, found.session.id);
}

function toLine(userAgent: string): string {
  return isPlainLine(userAgent) ? excerpt(userAgent, MAX_USER_AGENT_CHARACTERS) : "";
}
