/** Stores OAuth access tokens. Only a salted hash of each token is kept. */
import { notFound } from "../errors.ts";
import type { AccountId, TokenId, WorkspaceId } from "../ids.ts";
import { findFirst, type StoreContext } from "./context.ts";
import type { AccessToken, SaltedHash } from "./records.ts";

type NewAccessToken = Pick<AccessToken, "workspaceId" | "accountId" | "prefix" | "scopes" | "expiresAt"> & SaltedHash;

const TOKEN_COLUMNS = [
  "id",
  "workspaceId",
  "accountId",
  "prefix",
  "scopes",
  "createdAt",
  "expiresAt",
  "revokedAt",
] as const;

export function createAccessTokenStore({ db, now, newId }: StoreContext) {
  const tokensOf = (workspaceId: WorkspaceId) =>
    db.selectFrom("accessTokens").select(TOKEN_COLUMNS).where("workspaceId", "=", workspaceId);

  const findById = (workspaceId: WorkspaceId, id: TokenId): Promise<AccessToken | null> =>
    findFirst(tokensOf(workspaceId).where("id", "=", id));

  return {
    async create({ salt, hash, ...token }: NewAccessToken): Promise<AccessToken> {
      const created: AccessToken = { id: newId("tok"), ...token, createdAt: now(), revokedAt: null };
      await db
        .insertInto("accessTokens")
        .values({ ...created, salt, hash })
        .execute();
      return created;
    },
    findById,
    /** Tokens that are neither revoked nor expired, oldest first. If an account is given, only its tokens. */
    listLive: (workspaceId: WorkspaceId, accountId?: AccountId): Promise<AccessToken[]> =>
      tokensOf(workspaceId)
        .$call((query) => (accountId === undefined ? query : query.where("accountId", "=", accountId)))
        .where("revokedAt", "is", null)
        .where("expiresAt", ">", now())
        .orderBy("createdAt")
        .orderBy("id")
        .execute(),
    /**
     * Revokes the token at once. A token that is already revoked stays as it is.
     * @throws AppError `not_found`
     */
    async revoke(workspaceId: WorkspaceId, id: TokenId): Promise<AccessToken> {
      await db
        .updateTable("accessTokens")
        .set({ revokedAt: now() })
        .where((eb) => eb.and({ workspaceId, id }))
        .where("revokedAt", "is", null)
        .execute();
      const token = await findById(workspaceId, id);
      if (token === null) throw notFound("token", id);
      return token;
    },
    /** Deletes expired tokens of every workspace. They are refused like unknown ones. */
    async removeExpired(): Promise<void> {
      await db.deleteFrom("accessTokens").where("expiresAt", "<=", now()).execute();
    },
  };
}
