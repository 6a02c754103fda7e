/** The forms of tokens and secrets, and how they are recognised without being kept. */
import { hash, timingSafeEqual } from "node:crypto";

import type { RandomBytes } from "../clock.ts";
import type { WorkspaceKind } from "../metadata/records.ts";

/** `live` tokens open live workspaces, `test` tokens sandboxes. */
export type TokenKind = "live" | "test";

export const WORKSPACE_OF_TOKEN: Readonly<Record<TokenKind, WorkspaceKind>> = { live: "live", test: "sandbox" };

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const TOKEN_CHARACTERS = 32;
const CLIENT_ID_CHARACTERS = 24;
const CLIENT_SECRET_CHARACTERS = 40;
/** A token is looked up by 8 of its 32 characters; the other 24 are 143 bits that nobody but the bearer knows. */
const LOOKUP = /^svc_(?:live|test|at)_.{8}/s;
const SALT_BYTES = 16;

/** What is unknown is hashed against this, so that it costs what the known costs. */
export const NOBODY = { salt: "0".repeat(32), hash: "0".repeat(64) };

/** Makes a token such as `svc_live_…` with 32 random characters. */
export function createToken(kind: TokenKind, random: RandomBytes): string {
  return `svc_${kind}_${randomText(TOKEN_CHARACTERS, random)}`;
}

/** Makes an OAuth access token such as `svc_at_…` with 32 random characters. */
export function createAccessToken(random: RandomBytes): string {
  return `svc_at_${randomText(TOKEN_CHARACTERS, random)}`;
}

export function isAccessToken(token: string): boolean {
  return token.startsWith("svc_at_");
}

/** Which kind of workspace a key was made for. @param prefix of the key */
export function workspaceOfKey(prefix: string): WorkspaceKind {
  return WORKSPACE_OF_TOKEN[prefix.startsWith("svc_test_") ? "test" : "live"];
}

/** What OAuth knows a service account by; no secret. */
export function createClientId(random: RandomBytes): string {
  return `cli_${randomText(CLIENT_ID_CHARACTERS, random)}`;
}

export function createClientSecret(random: RandomBytes): string {
  return `svc_cs_${randomText(CLIENT_SECRET_CHARACTERS, random)}`;
}

/** The part of a token by which it is looked up and recognised; no secret. Empty for what is no token's form. */
export function lookupPrefix(token: string): string {
  return LOOKUP.exec(token)?.[0] ?? "";
}

/** What is kept of a token. It has at least 190 random bits, so that a fast hash is as good as a slow one. */
export function hashToken(token: string, random: RandomBytes): { salt: string; hash: string } {
  const salt = random(SALT_BYTES).toString("hex");
  return { salt, hash: saltedHash(salt, token) };
}

/** Whether it is the token that was kept. Takes the same time whatever the answer. */
export function isToken(token: string, kept: { salt: string; hash: string }): boolean {
  return timingSafeEqual(Buffer.from(saltedHash(kept.salt, token), "hex"), Buffer.from(kept.hash, "hex"));
}

function saltedHash(salt: string, token: string): string {
  return hash("sha256", salt + token, "hex");
}

function randomText(length: number, random: RandomBytes): string {
  // Bytes at or above the largest multiple of the alphabet would make its first letters likelier.
  const limit = 256 - (256 % ALPHABET.length);
  let text = "";
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < limit && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}
