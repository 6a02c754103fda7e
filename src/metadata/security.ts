/** The rules for the tokens of a workspace, and changes of all its tokens at once. */
import { notFound } from "../errors.ts";
import type { AccountId, WorkspaceId } from "../ids.ts";
import { inTransaction, type StoreContext } from "./context.ts";
import type { SecuritySettings } from "./records.ts";

const SETTINGS = ["rateLimitPerMinute", "allowlist", "maxTokenLifetimeSeconds"] as const;

/** Both kinds of tokens. */
const TOKEN_TABLES = ["apiKeys", "accessTokens"] as const;

export function createSecurityStore({ db, now }: StoreContext) {
  return {
    /** @throws AppError `not_found` if the workspace does not exist */
    get: (workspaceId: WorkspaceId): Promise<SecuritySettings> =>
      db
        .selectFrom("workspaces")
        .select(SETTINGS)
        .where("id", "=", workspaceId)
        .executeTakeFirstOrThrow(() => notFound("workspace", workspaceId)),
    /**
     * Changes the given settings. A new maximum lifetime shortens every key and token that would live longer. This is
     * permanent: a longer maximum that is set later does not restore them.
     * @throws AppError `not_found` if the workspace does not exist
     */
    set: (workspaceId: WorkspaceId, change: Partial<SecuritySettings>) =>
      inTransaction(db, async (trx): Promise<SecuritySettings> => {
        const settings = await trx
          .updateTable("workspaces")
          .set(change)
          .where("id", "=", workspaceId)
          .returning(SETTINGS)
          .executeTakeFirstOrThrow(() => notFound("workspace", workspaceId));
        const seconds = change.maxTokenLifetimeSeconds ?? null;
        if (seconds !== null) await bringForwardExpiry(trx, workspaceId, seconds);
        return settings;
      }),
    /**
     * Revokes every key and access token of the workspace at once, or those of one account if it is given. Returns how
     * many were not revoked before.
     */
    revokeAll: (workspaceId: WorkspaceId, accountId?: AccountId) =>
      inTransaction(db, async (trx) => {
        const keys = await trx
          .updateTable("apiKeys")
          .set({ revokedAt: now() })
          .where("workspaceId", "=", workspaceId)
          .$call((query) => (accountId === undefined ? query : query.where("createdBy", "=", accountId)))
          .where("revokedAt", "is", null)
          .executeTakeFirst();
        const accessTokens = await trx
          .updateTable("accessTokens")
          .set({ revokedAt: now() })
          .where("workspaceId", "=", workspaceId)
          .$call((query) => (accountId === undefined ? query : query.where("accountId", "=", accountId)))
          .where("revokedAt", "is", null)
          .executeTakeFirst();
        return { keys: Number(keys.numUpdatedRows), accessTokens: Number(accessTokens.numUpdatedRows) };
      }),
  };
}

/** Row by row, because each engine calculates with times in its own way. */
async function bringForwardExpiry(db: StoreContext["db"], workspaceId: WorkspaceId, maxSeconds: number): Promise<void> {
  for (const table of TOKEN_TABLES) {
    const tokens = await db
      .selectFrom(table)
      .select(["id", "createdAt", "expiresAt"])
      .where("workspaceId", "=", workspaceId)
      .where("revokedAt", "is", null)
      .execute();
    for (const { id, createdAt, expiresAt: until } of tokens) {
      const expiresAt = new Date(Date.parse(createdAt) + maxSeconds * 1_000).toISOString();
      if (until === null || expiresAt < until) {
        await db.updateTable(table).set({ expiresAt }).where("id", "=", id).execute();
      }
    }
  }
}
