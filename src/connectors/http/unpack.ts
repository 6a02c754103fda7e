/** Decompresses a body by its `Content-Encoding` (RFC 9110, 8.4). */
import { type Readable, type Transform, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

/** The value of `Accept-Encoding` in requests. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br, zstd";

export class UnknownEncoding extends Error {
  override readonly name = "UnknownEncoding";
}

/**
 * @param encoding the header's value
 * @returns the decompressed body. If the compressed body fails, this one fails too; destroying it destroys both.
 * @throws UnknownEncoding if the encoding is not one of the accepted ones, or there are several
 */
export function unpack(body: Readable, encoding = ""): Readable {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  const decoder = DECODERS.get(name)?.();
  if (decoder === undefined) throw new UnknownEncoding(name);
  return pipeline(body, decoder, () => {});
}
