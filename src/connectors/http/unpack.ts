/** Decompresses a body by its `Content-Encoding` (RFC 9110, 8.4). */
import { type Readable, type Transform, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

import { FetchFailure } from "./connection-fault.ts";

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

/** The value of `Accept-Encoding` in requests. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br, zstd";

/**
 * @param encoding the header's value
 * @returns the decompressed body. If the compressed body fails, this one fails too; destroying it destroys both.
 * @throws FetchFailure if the encoding is not one of the accepted ones, or there are several
 */
export function unpack(body: Readable, encoding = ""): Readable {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  const decoder = DECODERS.get(name)?.();
  if (decoder === undefined) {
    const why = `has an unknown compression (Content-Encoding: ${name})`;
    throw new FetchFailure({ code: "unknown_encoding", why });
  }
  return pipeline(body, decoder, () => {});
}
