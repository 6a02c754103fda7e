/** Revokes tokens: one, all of an account, or all of the workspace. They are refused from the next request on. */
import { notFound } from "../errors.ts";
import type { AccountId, TokenId } from "../ids.ts";
import type { AccessToken, ApiKey } from "../metadata/records.ts";
import { revokeApiKey } from "./api-keys.ts";
import { type AuthParts, change } from "./change.ts";
import type { Origin } from "./origin.ts";

/**
 * Revokes a key or an access token by its id. A token that is already revoked does not change.
 * @throws AppError `not_found`
 */
export async function revokeToken(parts: AuthParts, origin: Origin, id: TokenId): Promise<ApiKey | AccessToken> {
  if (id.startsWith("key_")) return revokeApiKey(parts, origin, id);
  return change(parts.store, origin, async (nouns, note) => {
    const token = await nouns.accessTokens.findById(origin.workspace.id, id);
    if (token === null) throw notFound("token", id);
    if (token.revokedAt !== null) return token;
    await note("token_revoked", id, { accountId: token.accountId });
    return nouns.accessTokens.revoke(origin.workspace.id, id);
  });
}

/**
 * Revokes all access tokens of an account, and the keys that it created.
 * @returns the number of revoked tokens
 * @throws AppError `not_found`
 */
export async function revokeAccountTokens({ store }: AuthParts, origin: Origin, accountId: AccountId): Promise<number> {
  return change(store, origin, async (nouns, note) => {
    const account = await nouns.accounts.findById(origin.workspace.id, accountId);
    if (account === null) throw notFound("account", accountId);
    const revoked = await nouns.security.revokeAll(origin.workspace.id, accountId);
    const tokens = revoked.keys + revoked.accessTokens;
    if (tokens > 0) await note("token_revoked", accountId, revoked);
    return tokens;
  });
}

/**
 * Revokes all keys and access tokens of the workspace, and ends all sessions, including the one of this request. Links
 * that set a password end too.
 */
export async function revokeAllTokens(
  { store }: AuthParts,
  origin: Origin,
): Promise<{ keys: number; accessTokens: number; sessions: number }> {
  return change(store, origin, async (nouns, note) => {
    const { id } = origin.workspace;
    const revoked = { ...(await nouns.security.revokeAll(id)), sessions: await nouns.sessions.endAll(id) };
    await nouns.loginLinks.endAll(id);
    await note("all_tokens_revoked", id, revoked);
    return revoked;
  });
}
