/** OAuth access tokens, issued by the client-credentials grant (RFC 6749, section 4.4). */
import type { SecretId } from "../ids.ts";
import type { ClientCredential } from "../metadata/accounts.ts";
import type { Scope } from "../metadata/records.ts";
import { requireAllowedSource } from "./allowed-source.ts";
import { type AuthParts } from "./change.ts";
import { accessTokenSeconds, secondsFrom } from "./lifetime.ts";
import { OauthError } from "./oauth-error.ts";
import { scopesOf } from "./permissions.ts";
import { createAccessToken, hashToken, isToken, lookupPrefix, NOBODY } from "./token.ts";

export interface AccessTokenRequest {
  clientId: string;
  clientSecret: string;
  /** Null: all scopes of the account's role. */
  scopes: readonly Scope[] | null;
  /** The address that the request came from. */
  source: string;
}

export interface IssuedAccessToken {
  token: string;
  expiresInSeconds: number;
}

/**
 * Issues a token to a client with a valid secret. Only a salted hash of the token is stored.
 * @param admit counts the request of an authenticated client, or refuses it, because each request costs a write
 * @throws OauthError `invalid_client` if the client is unknown or disabled, or the secret is wrong or revoked;
 * `invalid_scope` for scopes that the account's role does not have
 * @throws AppError `forbidden` if the workspace's allowlist does not contain the address
 */
export async function issueAccessToken(
  { store, clock, random }: AuthParts,
  { clientId, clientSecret, scopes, source }: AccessTokenRequest,
  admit: (client: ClientCredential) => Promise<void> = async () => {},
): Promise<IssuedAccessToken> {
  // Checked before the write lock is taken, so that strangers cannot hold the lock.
  const { client } = requireClient(await store.accounts.findByClientId(clientId), clientSecret);
  requireAllowedSource(source, client.security);
  await admit(client);
  return store.transaction(async (nouns) => {
    // Checked again under the lock, because the secret may have been revoked in between.
    const found = await nouns.accounts.findByClientId(clientId);
    const { client: authenticated, secretId } = requireClient(found, clientSecret);
    const { account, workspace, security } = authenticated;
    requireAllowedSource(source, security);
    const granted = grantScopes(scopes, scopesOf(account.role));
    const token = createAccessToken(random);
    const expiresInSeconds = accessTokenSeconds(security);
    await nouns.accounts.noteSecretUse(secretId);
    await nouns.accessTokens.removeExpired();
    const { id } = await nouns.accessTokens.create({
      workspaceId: workspace.id,
      accountId: account.id,
      prefix: lookupPrefix(token),
      scopes: granted,
      expiresAt: secondsFrom(clock.now(), expiresInSeconds),
      ...hashToken(token, random),
    });
    const details = { accountId: account.id, scopes: granted };
    const event = { workspaceId: workspace.id, actor: account.name, source, subject: id, details } as const;
    await nouns.audit.append({ action: "token_issued", ...event });
    return { token, expiresInSeconds };
  });
}

/**
 * Checks the secret. It always computes two hashes, so the time reveals neither whether the client exists nor how many
 * secrets it has.
 * @returns the client, and the id of the secret that matched
 */
function requireClient(
  client: ClientCredential | null,
  clientSecret: string,
): { client: ClientCredential; secretId: SecretId } {
  const secrets = client?.secrets ?? [];
  const [first = NOBODY, second = NOBODY] = secrets;
  const matches = [first, second].map((kept) => isToken(clientSecret, kept));
  const shown = secrets[matches.indexOf(true)];
  if (client === null || client.account.disabledAt !== null || shown === undefined) {
    throw new OauthError("invalid_client", "The client is unknown, or its secret is wrong.");
  }
  return { client, secretId: shown.id };
}

function grantScopes(asked: readonly Scope[] | null, allowed: ReadonlySet<Scope>): Scope[] {
  if (asked === null) return [...allowed];
  const beyond = asked.filter((scope) => !allowed.has(scope));
  if (beyond.length > 0) {
    throw new OauthError("invalid_scope", `The account's role does not allow: ${beyond.join(", ")}.`);
  }
  return [...new Set(asked)];
}
