/** OAuth access tokens, issued by the client-credentials grant (RFC 6749, section 4.4). */
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
  /** Null: all that the account's role allows. */
  scopes: readonly Scope[] | null;
  /** The address that the request came from. */
  source: string;
}

export interface IssuedAccessToken {
  token: string;
  expiresInSeconds: number;
}

/**
 * Issues a token to a client that shows one of its secrets. Nothing else is kept of it than what recognises it.
 * @param admit counts the request of a client that is believed, or refuses it: each costs a write
 * @throws OauthError `invalid_client` alike for a client unknown or disabled and a secret wrong or revoked,
 * `invalid_scope` for scopes beyond the account's role
 * @throws AppError `forbidden` where the workspace takes no tokens from there
 */
export async function issueAccessToken(
  { store, clock, random }: AuthParts,
  { clientId, clientSecret, scopes, source }: AccessTokenRequest,
  admit: (client: ClientCredential) => Promise<void> = async () => {},
): Promise<IssuedAccessToken> {
  // Looked at before the write lock is taken, which a stranger shall not be able to hold.
  const { client } = requireClient(await store.accounts.findByClientId(clientId), clientSecret);
  requireAllowedSource(source, client.security);
  await admit(client);
  return store.transaction(async (nouns) => {
    // And once more behind the lock: the secret may have been revoked in between.
    const found = await nouns.accounts.findByClientId(clientId);
    const { client: believed, secretId } = requireClient(found, clientSecret);
    const { account, workspace, security } = believed;
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
 * As many hashes whether the client is known or not, and however many secrets it has.
 * @returns the client, and which of its secrets was shown
 */
function requireClient(
  client: ClientCredential | null,
  clientSecret: string,
): { client: ClientCredential; secretId: string } {
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
