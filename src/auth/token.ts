/** The form of an API key's token, and how it is recognised without being kept. */
import { hash, timingSafeEqual } from "node:crypto";

import type { RandomBytes } from "../clock.ts";
import type { WorkspaceKind } from "../metadata/records.ts";

/** `live` tokens open live workspaces, `test` tokens sandboxes. */
export type TokenKind = "live" | "test";

export const WORKSPACE_OF_TOKEN: Readonly<Record<TokenKind, WorkspaceKind>> = { live: "live", test: "sandbox" };

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const SECRET_CHARACTERS = 32;
/** `svc_live_` and 8 of the 32 characters; the other 24 are 143 bits that nobody but the bearer knows. */
const LOOKUP_CHARACTERS = 17;
const SALT_BYTES = 16;

/** Makes a token such as `svc_live_…` with 32 random characters. */
export function createToken(kind: TokenKind, random: RandomBytes): string {
  return `svc_${kind}_${randomText(SECRET_CHARACTERS, random)}`;
}

/** The part of a token by which it is looked up and recognised; no secret. */
export function lookupPrefix(token: string): string {
  return token.slice(0, LOOKUP_CHARACTERS);
}

/** What is kept of a token. It has 190 random bits, so that a fast hash is as good as a slow one. */
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
