/** Opaque, signed cursors. Each contains a digest of its query, its position in the list, and its issue time. */
import { createHmac, createSecretKey, hash, hkdfSync, timingSafeEqual } from "node:crypto";

import { z } from "zod";

import type { Clock } from "./clock.ts";
import { badField } from "./errors.ts";

/** The lifetime of a cursor in the REST API specification. */
const LIFETIME_SECONDS = 24 * 60 * 60;
const SIGNATURE_BYTES = 16;

const payloadSchema = z.tuple([
  /** Digest of the query. */ z.string(),
  /** Issued at, in epoch seconds. */ z.number(),
  /** The position after which the next page begins. */ z.unknown(),
]);

export interface Cursors {
  /** @param query everything that filters or orders the rows, including the workspace */
  issue(query: readonly unknown[], position: unknown): string;
  /**
   * Returns the position in a cursor.
   * @throws AppError `bad_request` on the field `after` if the cursor was altered, is too old or belongs to another
   *   query
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
      // The text is compared too, because base64url has several spellings of one value.
      const canonical = rest.length === 0 && signature === expected.toString("base64url");
      if (given.length !== SIGNATURE_BYTES || !timingSafeEqual(given, expected) || !canonical) {
        throw badField("after", "is not a cursor of this service");
      }
      const [queryDigest, issuedAt, position] = payloadSchema.parse(
        JSON.parse(Buffer.from(payload, "base64url").toString()),
      );
      // After the clock was set back, a cursor may be from the future. It is as good as one of the past.
      if (Math.abs(nowSeconds() - issuedAt) > LIFETIME_SECONDS) throw badField("after", "is older than 24 hours");
      if (queryDigest !== digest(query)) throw badField("after", "belongs to a query with other filters");
      return schema.parse(position);
    },
  };
}
