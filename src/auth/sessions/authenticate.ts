/** Finds the principal of a request by its session cookie. */
import type { Logger } from "pino";

import type { Clock } from "../../clock.ts";
import type { MetadataStore } from "../../metadata/store.ts";
import { scopesOf } from "../permissions.ts";
import type { Principal } from "../principal.ts";
import { unauthorized } from "../unauthorized.ts";
import { isSecretValue, lookupOf } from "./cookie-value.ts";
import { endOf, hasEnded, isDueToBeSeen, type SessionLifetime } from "./lifetime.ts";

/** The principal of a session: always a person, with everything that the person's role allows. */
export type SessionPrincipal = Principal & { session: NonNullable<Principal["session"]> };

export type SessionAuthenticator = ReturnType<typeof createSessionAuthenticator>;

export function createSessionAuthenticator({
  store,
  clock,
  lifetime,
  log,
}: {
  store: MetadataStore;
  clock: Clock;
  lifetime: SessionLifetime;
  log: Pick<Logger, "warn">;
}) {
  return {
    /**
     * @param isUse whether the person did something. A subscription that only stays open is no use of the session.
     * @throws AppError `unauthorized` if the session is unknown or has ended, or its user is disabled
     */
    async authenticate(cookie: string, isUse = true): Promise<SessionPrincipal> {
      const found = await store.credentials.findSession(lookupOf(cookie));
      const known = isSecretValue(cookie, found);
      if (found === null || !known) throw unauthorized();
      const { session, workspace, security, owner } = found;
      const now = clock.now();
      if (owner.disabledAt !== null || hasEnded(session, lifetime, now)) throw unauthorized();
      if (isUse && isDueToBeSeen(session, now)) {
        // If the disk is full, people must stay logged in.
        await store.sessions.see(session.id).catch((err: unknown) => log.warn({ err }, "a session was not renewed"));
        session.seenAt = now.toISOString();
      }
      const { role, grants, disabledAt: _, ...actor } = owner;
      return {
        workspace,
        security,
        networks: [],
        tokenId: session.id,
        // All sessions of a person share one quota.
        quotaId: actor.id,
        actor,
        role,
        scopes: scopesOf(role),
        grants: new Set(grants),
        session: { ...session, expiresAt: endOf(session, lifetime) },
      };
    },
  };
}
