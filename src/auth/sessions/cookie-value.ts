/** The random values that sessions and one-time links are recognised by, and the CSRF token that follows from one. */
import { createHmac, timingSafeEqual } from "node:crypto";

import type { RandomBytes } from "../../clock.ts";
import { hashToken, isToken, NOBODY } from "../token.ts";

/** A value is looked up by its first 16 characters, 96 bits. The other 43 are 256 bits that only the browser knows. */
const LOOKUP_BYTES = 12;
const LOOKUP_CHARACTERS = 16;
const SECRET_BYTES = 32;
const VALUE = /^[\w-]{59}$/;

export interface StoredValue {
  lookup: string;
  salt: string;
  hash: string;
}

/** @returns the value, which is not stored, and what is stored of it */
export function createSecretValue(random: RandomBytes): { value: string; stored: StoredValue } {
  const [lookup, secret] = [random(LOOKUP_BYTES), random(SECRET_BYTES)].map((bytes) => bytes.toString("base64url"));
  const value = `${lookup}${secret}`;
  return { value, stored: { lookup: lookupOf(value), ...hashToken(value, random) } };
}

/** The part by which a value is looked up. It is not a secret. Returns "" if the text does not look like a value. */
export function lookupOf(value: string): string {
  return VALUE.test(value) ? value.slice(0, LOOKUP_CHARACTERS) : "";
}

/** Whether the stored value is this one. An unknown one takes as long as a known one. */
export function isSecretValue(value: string, stored: Pick<StoredValue, "salt" | "hash"> | null): boolean {
  return isToken(value, stored ?? NOBODY) && stored !== null;
}

/**
 * The token that a page must send with every change. It follows from the cookie, which scripts cannot read, so it
 * changes with each session and need not be stored.
 */
export function csrfTokenOf(cookie: string): string {
  return createHmac("sha256", cookie).update("tributary csrf").digest("base64url");
}

/** Compares in constant time. */
export function isCsrfTokenOf(cookie: string, given: string): boolean {
  const [expected, actual] = [Buffer.from(csrfTokenOf(cookie)), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
