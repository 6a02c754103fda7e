/** Creates tokens and secrets, and checks them against the salted hashes that are stored. */
import { hash, timingSafeEqual } from "node:crypto";

import type { RandomBytes } from "../clock.ts";
import type { WorkspaceKind } from "../metadata/records.ts";

/** `live` tokens are for live workspaces, `test` tokens for sandboxes. */
export type TokenKind = "live" | "test";

export const WORKSPACE_OF_TOKEN: Readonly<Record<TokenKind, WorkspaceKind>> = { live: "live", test: "sandbox" };

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const TOKEN_CHARACTERS = 32;
const CLIENT_ID_CHARACTERS = 24;
const CLIENT_SECRET_CHARACTERS = 40;
/** A token is looked up by the first 8 of its 32 characters. The other 24 are 143 bits that only the bearer knows. */
const LOOKUP = /^svc_(?:live|test|at)_.{8}/s;
const SALT_BYTES = 16;

/** Unknown tokens are compared with this, so that they take the same time as known ones. */
export const NOBODY = { salt: "0".repeat(32), hash: "0".repeat(64) };

/** Creates a token such as `svc_live_…` with 32 random characters. */
export function createToken(kind: TokenKind, random: RandomBytes): string {
  return `svc_${kind}_${randomText(TOKEN_CHARACTERS, random)}`;
}

/** Creates an OAuth access token such as `svc_at_…` with 32 random characters. */
export function createAccessToken(random: RandomBytes): string {
  return `svc_at_${randomText(TOKEN_CHARACTERS, random)}`;
}

export function isAccessToken(token: string): boolean {
  return token.startsWith("svc_at_");
}

/**
 * The kind of workspace for which a key was created.
 * @param prefix the beginning of the key
 */
export function workspaceOfKey(prefix: string): WorkspaceKind {
  return WORKSPACE_OF_TOKEN[prefix.startsWith("svc_test_") ? "test" : "live"];
}

/** Creates the OAuth client id of a service account. It is not a secret. */
export function createClientId(random: RandomBytes): string {
  return `cli_${randomText(CLIENT_ID_CHARACTERS, random)}`;
}

export function createClientSecret(random: RandomBytes): string {
  return `svc_cs_${randomText(CLIENT_SECRET_CHARACTERS, random)}`;
}

/**
 * The part of a token by which it is looked up. It is not a secret. Returns "" if the text does not look like a token.
 */
export function lookupPrefix(token: string): string {
  return LOOKUP.exec(token)?.[0] ?? "";
}

/**
 * The salted hash that is stored for a token. A fast hash is good enough, because a token has at least 190 random bits.
 */
export function hashToken(token: string, random: RandomBytes): { salt: string; hash: string } {
  const salt = random(SALT_BYTES).toString("hex");
  return { salt, hash: saltedHash(salt, token) };
}

/** Whether the token has this hash. Compares in constant time. */
export function isToken(token: string, kept: { salt: string; hash: string }): boolean {
  return timingSafeEqual(Buffer.from(saltedHash(kept.salt, token), "hex"), Buffer.from(kept.hash, "hex"));
}

function saltedHash(salt: string, token: string): string {
  return hash("sha256", salt + token, "hex");
}

function randomText(length: number, random: RandomBytes): string {
  // Larger bytes are skipped, because they would make the first letters of the alphabet more likely.
  const limit = 256 - (256 % ALPHABET.length);
  let text = "";
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < limit && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}
