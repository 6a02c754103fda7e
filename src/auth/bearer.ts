/** Finds the principal of a request by its Authorization header. */
import { type Clock, latestFrom } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { TokenId } from "../ids.ts";
import type { Credential } from "../metadata/credentials.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { ACCESS_TOKEN_SECONDS } from "./lifetime.ts";
import { scopesOf } from "./permissions.ts";
import type { Principal } from "./principal.ts";
import { isAccessToken, isToken, lookupPrefix, NOBODY, workspaceOfKey } from "./token.ts";
import { unauthorized } from "./unauthorized.ts";

/** RFC 6750, section 2.1, but with exactly one space and only this spelling of the scheme. */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/;

/**
 * Returns the token of a request.
 * @param headers the values of all its Authorization headers
 * @throws AppError `unauthorized` if there is no header, `invalid_auth_header` if it is malformed or there are several
 */
export function parseAuthorization(headers: readonly string[]): string {
  const [header] = headers;
  if (header === undefined) throw unauthorized();
  const token = headers.length === 1 ? BEARER.exec(header)?.[1] : undefined;
  if (token === undefined) {
    throw new AppError("invalid_auth_header", 'The Authorization header must be "Bearer", one space and the token.');
  }
  return token;
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** @param parts.noteUse called with the id of each key that was accepted */
export function createAuthenticator({
  store,
  clock,
  noteUse = () => {},
}: {
  store: MetadataStore;
  clock: Clock;
  noteUse?: (keyId: TokenId) => void;
}) {
  return {
    /**
     * Returns the principal of a request.
     * @param headers the values of all its Authorization headers
     * @throws AppError `invalid_auth_header`; `unauthorized` if the token is unknown, revoked, expired or for the other
     *   kind of workspace, or its owner is disabled or deleted
     */
    async authenticate(headers: readonly string[]): Promise<Principal> {
      const token = parseAuthorization(headers);
      const prefix = lookupPrefix(token);
      const isKey = !isAccessToken(token);
      const credential = await (isKey ? store.credentials.findKey(prefix) : store.credentials.findAccessToken(prefix));
      const known = isToken(token, credential ?? NOBODY);
      if (credential === null || !known) throw unauthorized();
      const principal = toPrincipal(credential, isKey, clock.now());
      if (isKey) noteUse(credential.id);
      return principal;
    },
  };
}

function toPrincipal(credential: Credential, isKey: boolean, now: Date): Principal {
  const { id, prefix, networks, expiresAt, revokedAt, workspace, security, owner } = credential;
  // An access token that would last too long was issued before the clock was set back. A key has a date, which stays.
  const isFromFuture = !isKey && (expiresAt ?? "") > latestFrom(now, ACCESS_TOKEN_SECONDS * 1_000);
  const expired = isFromFuture || (expiresAt !== null && expiresAt <= now.toISOString());
  const astray = isKey && workspaceOfKey(prefix) !== workspace.kind;
  if (owner === null || owner.disabledAt !== null || revokedAt !== null || expired || astray) throw unauthorized();
  const { role, grants, disabledAt: _, ...actor } = owner;
  const allowed = scopesOf(role);
  return {
    workspace,
    security,
    networks,
    tokenId: id,
    session: null,
    quotaId: isKey ? id : owner.id,
    actor,
    role,
    scopes: new Set(credential.scopes.filter((scope) => allowed.has(scope))),
    grants: new Set(grants),
  };
}
