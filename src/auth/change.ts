/** Makes every change of access in one transaction with its audit event. */
import type { Clock, RandomBytes } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { SessionId, TokenId, WorkspaceId } from "../ids.ts";
import { isSessionId } from "../metadata/ids.ts";
import type { AuditAction } from "../metadata/audit-actions.ts";
import type { AuditEvent } from "../metadata/records.ts";
import type { MetadataStore, SecurityRepositories, Repositories } from "../metadata/store.ts";
import type { Origin } from "./origin.ts";
import { scopesOf } from "./permissions.ts";
import { unauthorized } from "./unauthorized.ts";

/** The parts that the use cases need. */
export interface AuthParts {
  store: MetadataStore;
  clock: Clock;
  random: RandomBytes;
}

/**
 * Writes an audit event.
 * @param subject the id of the changed object
 */
export type Note = (action: AuditAction, subject: string, details?: AuditEvent["details"]) => Promise<void>;

/**
 * Makes a change and writes its audit event, or does neither.
 * @throws AppError `unauthorized` if the token was revoked or the actor disabled during the request; `forbidden` if the
 * actor lost rights during the request. So nobody can create a key with rights that they have lost.
 */
export function change<T>(
  store: MetadataStore,
  origin: Origin,
  work: (nouns: Repositories, note: Note) => Promise<T>,
): Promise<T> {
  const { workspace, actor, source, tokenId } = origin;
  return store.transaction(async (nouns) => {
    if (tokenId !== null) {
      if (await isRevoked(nouns, workspace.id, tokenId)) throw unauthorized();
      await requireSameRights(nouns, origin);
    }
    return work(nouns, (action, subject, details = {}) =>
      nouns.audit.append({ workspaceId: workspace.id, action, actor: actor.name, source, subject, details }),
    );
  });
}

async function isRevoked(
  nouns: SecurityRepositories,
  workspaceId: WorkspaceId,
  tokenId: TokenId | SessionId,
): Promise<boolean> {
  if (isSessionId(tokenId)) return (await nouns.sessions.findById(workspaceId, tokenId)) === null;
  const token =
    (await nouns.keys.findById(workspaceId, tokenId)) ?? (await nouns.accessTokens.findById(workspaceId, tokenId));
  return token?.revokedAt !== null;
}

async function requireSameRights(
  { users, accounts }: SecurityRepositories,
  { workspace, actor, scopes, grants }: Origin,
): Promise<void> {
  const owner =
    actor.kind === "user"
      ? await users.findById(workspace.id, actor.id)
      : await accounts.findById(workspace.id, actor.id);
  if (owner === null || owner.disabledAt !== null) throw unauthorized();
  const granted = new Set("grants" in owner ? owner.grants : []);
  if (scopes.isSubsetOf(scopesOf(owner.role)) && grants.isSubsetOf(granted)) return;
  throw new AppError("forbidden", `${actor.name} lost the right to do this during the request.`);
}
