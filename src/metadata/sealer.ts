/** Encrypts what a stolen file must not reveal: the secret options of connectors. */
import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

import type { RandomBytes } from "../clock.ts";
import { unavailable } from "../errors.ts";

const CIPHER = "aes-256-gcm";
/** NIST SP 800-38D, section 8.2: 96 random bits, new for every text. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MIN_SECRET_KEY_BYTES = 32;

export type Sealer = ReturnType<typeof createSealer>;

/**
 * AES-256-GCM under a key derived from the service's secret by HKDF (RFC 5869).
 * @param secretKey at least 32 bytes
 * @param purpose each has a key of its own
 */
export function createSealer(secretKey: Buffer, random: RandomBytes, purpose = "connector options") {
  if (secretKey.length < MIN_SECRET_KEY_BYTES) {
    throw new RangeError(`The secret key has ${secretKey.length} bytes; it needs at least ${MIN_SECRET_KEY_BYTES}.`);
  }
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", `tributary ${purpose}`, 32));
  return {
    /** Returns base64url of nonce, ciphertext and tag. The same `owner` is needed to open it. */
    seal(text: string, owner: string): string {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
      return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString(
        "base64url",
      );
    },
    /**
     * @throws AppError `unavailable` if the key differs, or if the sealed text was changed or belongs to another owner
     */
    open(sealed: string, owner: string): string {
      const bytes = Buffer.from(sealed, "base64url");
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(owner))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch (error) {
        throw unavailable(
          "The secret options cannot be read: the data was encrypted with another SECRET_KEY, or it was changed.",
          error,
        );
      }
    },
  };
}
