/** Opaque, signed cursors: each carries the query it belongs to, its place in it, and its issue time. */
import { createHmac, createSecretKey, hash, hkdfSync, timingSafeEqual } from "node:crypto";

import { z } from "zod";

import type { Clock } from "./clock.ts";
import { badField } from "./errors.ts";

/** By the specification's section 8. */
const LIFETIME_SECONDS = 24 * 60 * 60;
const SIGNATURE_BYTES = 16;

const payloadSchema = z.tuple([
  /** Digest of the query. */ z.string(),
  /** Issued at, in epoch seconds. */ z.number(),
  /** The place behind which the next page begins. */ z.unknown(),
]);

export interface Cursors {
  /** @param query everything that chooses and orders the rows, the workspace included */
  issue(query: readonly unknown[], position: unknown): string;
  /**
   * The place that a cursor holds.
   * @throws AppError `bad_request` on the field `after` when it was altered, is too old or belongs to another query
   */
  read<T>(cursor: string, query: readonly unknown[], schema: z.ZodType<T>): T;
}

const digest = (query: readonly unknown[]): string => hash("sha256", JSON.stringify(query), "base64url").slice(0, 16);

/** @param secretKey the service's secret, from which the signing key is derived (HKDF, RFC 5869) */
export function createCursors(secretKey: Buffer, clock: Clock): Cursors {
  // A KeyObject signs six times as fast as a Buffer.
  const key = createSecretKey(Buffer.from(hkdfSync("sha256", secretKey, "", "tributary cursors", 32)));
  const sign = (payload: string): Buffer =>
    createHmac("sha256", key).update(payload).digest().subarray(0, SIGNATURE_BYTES);
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1000);

  return {
    issue(query, position) {
      const payload = Buffer.from(JSON.stringify([digest(query), nowSeconds(), position])).toString("base64url");
      return `${payload}.${sign(payload).toString("base64url")}`;
    },
    read(cursor, query, schema) {
      const [payload = "", signature = "", ...rest] = cursor.split(".");
      const given = Buffer.from(signature, "base64url");
      const expected = sign(payload);
      // The text is compared too: base64url has several spellings of one value.
      const canonical = rest.length === 0 && signature === expected.toString("base64url");
      if (given.length !== SIGNATURE_BYTES || !timingSafeEqual(given, expected) || !canonical) {
        throw badField("after", "is not a cursor that this service gave out");
      }
      const [queryDigest, issuedAt, position] = payloadSchema.parse(
        JSON.parse(Buffer.from(payload, "base64url").toString()),
      );
      if (nowSeconds() - issuedAt > LIFETIME_SECONDS) throw badField("after", "is older than 24 hours");
      if (queryDigest !== digest(query)) throw badField("after", "belongs to a query with other filters");
      return schema.parse(position);
    },
  };
}
