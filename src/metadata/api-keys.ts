/** Stores API keys. Only a salted hash of each token is kept. */
import { latestFrom } from "../clock.ts";
import { notFound } from "../errors.ts";
import type { AccountId, TokenId, UserId, WorkspaceId } from "../ids.ts";
import { findFirst, inTransaction, type StoreContext } from "./context.ts";
import type { ApiKey, SaltedHash } from "./records.ts";

type NewApiKey = Pick<ApiKey, "workspaceId" | "createdBy" | "name" | "prefix" | "scopes" | "networks" | "expiresAt"> &
  SaltedHash;

const KEY_COLUMNS = [
  "id",
  "workspaceId",
  "createdBy",
  "name",
  "prefix",
  "scopes",
  "networks",
  "createdAt",
  "expiresAt",
  "revokedAt",
  "lastUsedAt",
] as const;

export function createApiKeyStore({ db, now, newId }: StoreContext) {
  const keysOf = (workspaceId: WorkspaceId) =>
    db.selectFrom("apiKeys").select(KEY_COLUMNS).where("workspaceId", "=", workspaceId);

  const findById = (workspaceId: WorkspaceId, id: TokenId): Promise<ApiKey | null> =>
    findFirst(keysOf(workspaceId).where("id", "=", id));

  return {
    async create({ salt, hash, ...key }: NewApiKey): Promise<ApiKey> {
      const created: ApiKey = { id: newId("key"), ...key, createdAt: now(), revokedAt: null, lastUsedAt: null };
      await db
        .insertInto("apiKeys")
        .values({ ...created, salt, hash })
        .execute();
      return created;
    },
    /** Oldest first, including revoked and expired keys. If a creator is given, only their keys. */
    list: (workspaceId: WorkspaceId, createdBy?: UserId | AccountId): Promise<ApiKey[]> =>
      keysOf(workspaceId)
        .$call((query) => (createdBy === undefined ? query : query.where("createdBy", "=", createdBy)))
        .orderBy("createdAt")
        .orderBy("id")
        .execute(),
    findById,
    /** @throws AppError `not_found` */
    rename: (workspaceId: WorkspaceId, id: TokenId, name: string): Promise<ApiKey> =>
      db
        .updateTable("apiKeys")
        .set({ name })
        .where((eb) => eb.and({ workspaceId, id }))
        .returning(KEY_COLUMNS)
        .executeTakeFirstOrThrow(() => notFound("key", id)),
    /**
     * Revokes the key at once. A key that is already revoked stays as it is.
     * @throws AppError `not_found`
     */
    async revoke(workspaceId: WorkspaceId, id: TokenId): Promise<ApiKey> {
      await db
        .updateTable("apiKeys")
        .set({ revokedAt: now() })
        .where((eb) => eb.and({ workspaceId, id }))
        .where("revokedAt", "is", null)
        .execute();
      const key = await findById(workspaceId, id);
      if (key === null) throw notFound("key", id);
      return key;
    },
    /** Notes when keys were last used, by their ids. A time never moves back. */
    touch: (uses: ReadonlyMap<TokenId, string>) =>
      inTransaction(db, async (trx) => {
        for (const [id, lastUsedAt] of uses) {
          await trx
            .updateTable("apiKeys")
            .set({ lastUsedAt })
            .where("id", "=", id)
            .where(({ or, eb }) =>
              or([
                eb("lastUsedAt", "is", null),
                eb("lastUsedAt", "<", lastUsedAt),
                eb("lastUsedAt", ">", latestFrom(new Date(now()))),
              ]),
            )
            .execute();
        }
      }),
  };
}
