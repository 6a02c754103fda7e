/** Ends sessions: by logging out, or another one of the same person. They are refused from the next request on. */
import { AppError, notFound } from "../../errors.ts";
import type { SessionId, UserId } from "../../ids.ts";
import type { MetadataStore } from "../../metadata/store.ts";
import type { Session } from "../../metadata/login-records.ts";
import { type AuthParts, change } from "../change.ts";
import type { Origin } from "../origin.ts";
import type { SessionPrincipal } from "./authenticate.ts";
import { endOf, type SessionLifetime } from "./lifetime.ts";

export async function logOut(
  store: MetadataStore,
  { session, actor }: SessionPrincipal,
  source: string,
): Promise<void> {
  const { id, workspaceId, userId } = session;
  await store.transaction(async (nouns) => {
    if (!(await nouns.sessions.end(workspaceId, userId, id))) return;
    await nouns.audit.append({
      workspaceId,
      action: "logged_out",
      actor: actor.name,
      source,
      subject: id,
      details: {},
    });
  });
}

/**
 * The sessions of the person who asks, the newest first.
 * @throws AppError `forbidden` if a service account asks
 */
export async function listSessions(
  { store, clock, lifetime }: AuthParts & { lifetime: SessionLifetime },
  { workspace, actor }: Pick<Origin, "workspace" | "actor">,
): Promise<Session[]> {
  const now = clock.now().toISOString();
  const sessions = await store.sessions.list(workspace.id, requirePerson(actor));
  for (const session of sessions) session.expiresAt = endOf(session, lifetime);
  return sessions.filter(({ expiresAt }) => expiresAt > now);
}

/** @throws AppError `not_found` if it is no session of the person who asks; `forbidden` if a service account asks */
export async function endSession({ store }: AuthParts, origin: Origin, id: SessionId): Promise<void> {
  const userId = requirePerson(origin.actor);
  await change(store, origin, async (nouns, note) => {
    if (!(await nouns.sessions.end(origin.workspace.id, userId, id))) throw notFound("session", id);
    await note("session_ended", id);
  });
}

function requirePerson(actor: Origin["actor"]): UserId {
  if (actor.kind === "user") return actor.id;
  throw new AppError("forbidden", "A service account has no sessions.");
}
