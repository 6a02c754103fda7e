/** From the Authorization header to the principal behind it. */
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { KeyCredential } from "../metadata/api-keys.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { Principal } from "./principal.ts";
import { scopesOf } from "./scopes.ts";
import { isToken, lookupPrefix } from "./token.ts";

/** RFC 6750, section 2.1, held to one space and to the one spelling of the scheme. */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/;

/** An unknown token is hashed against this, so that it costs what a known one costs. */
const NOBODY = { salt: "0".repeat(32), hash: "0".repeat(64) };

/**
 * The token of a request.
 * @param headers the values of all its Authorization headers
 * @throws AppError `unauthorized` where there is none, `invalid_auth_header` for anything but one well-formed header
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

export interface Authenticator {
  /**
   * Who a request is from.
   * @param headers the values of all its Authorization headers
   * @throws AppError `invalid_auth_header`, or `unauthorized` alike for tokens unknown, revoked, expired, and orphaned
   */
  authenticate(headers: readonly string[]): Promise<Principal>;
}

export function createAuthenticator({ store, clock }: { store: MetadataStore; clock: Clock }): Authenticator {
  return {
    async authenticate(headers) {
      const token = parseAuthorization(headers);
      const credential = await store.keys.findByPrefix(lookupPrefix(token));
      const known = isToken(token, credential ?? NOBODY);
      if (credential === null || !known) throw unauthorized();
      return toPrincipal(credential, clock.now().toISOString());
    },
  };
}

function toPrincipal({ key, workspace, creator }: KeyCredential, now: string): Principal {
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  if (creator === null || key.revokedAt !== null || expired) throw unauthorized();
  const allowed = scopesOf(creator.role);
  return {
    workspace,
    tokenId: key.id,
    actor: creator.email,
    scopes: new Set(key.scopes.filter((scope) => allowed.has(scope))),
  };
}

function unauthorized(): AppError {
  return new AppError(
    "unauthorized",
    "A valid bearer token is needed: this one is missing, unknown, expired or revoked.",
  );
}
