/** The form of every change to who may come in: one transaction with what the audit trail says of it. */
import type { Clock, RandomBytes } from "../clock.ts";
import type { AuditAction, AuditEvent } from "../metadata/records.ts";
import type { MetadataStore, SecurityNouns } from "../metadata/store.ts";
import type { Origin } from "./origin.ts";
import { unauthorized } from "./unauthorized.ts";

/** What the use cases work with. */
export interface AuthParts {
  store: MetadataStore;
  clock: Clock;
  random: RandomBytes;
}

/** Writes an event of the trail. @param subject the id of what was changed */
export type Note = (action: AuditAction, subject: string, details?: AuditEvent["details"]) => Promise<void>;

/**
 * Changes something, and notes it, or does neither.
 * @throws AppError `unauthorized` where the origin's token was revoked while the request was under way: what is made
 * with a revoked token must not outlive it
 */
export function change<T>(
  store: MetadataStore,
  origin: Origin,
  work: (nouns: SecurityNouns, note: Note) => Promise<T>,
): Promise<T> {
  const { workspace, actor, source, tokenId } = origin;
  return store.transaction(async (nouns) => {
    if (tokenId !== null && (await isRevoked(nouns, workspace.id, tokenId))) throw unauthorized();
    return work(nouns, (action, subject, details = {}) =>
      nouns.audit.append({ workspaceId: workspace.id, action, actor: actor.name, source, subject, details }),
    );
  });
}

async function isRevoked(nouns: SecurityNouns, workspaceId: string, tokenId: string): Promise<boolean> {
  const token =
    (await nouns.keys.findById(workspaceId, tokenId)) ?? (await nouns.accessTokens.findById(workspaceId, tokenId));
  return token?.revokedAt !== null;
}
