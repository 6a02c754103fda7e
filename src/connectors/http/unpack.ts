/** Undoes the `Content-Encoding` of a body (RFC 9110, 8.4). */
import { type Readable, type Transform, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

/** What a request says in `Accept-Encoding`. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br, zstd";

export class UnknownEncoding extends Error {
  override readonly name = "UnknownEncoding";
}

/**
 * @param encoding the header's value
 * @returns the unpacked body, which fails where the packed one does; letting it go lets both go
 * @throws UnknownEncoding where it is none of the accepted ones, or several at once
 */
export function unpack(body: Readable, encoding = ""): Readable {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  const decoder = DECODERS.get(name)?.();
  if (decoder === undefined) throw new UnknownEncoding(name);
  return pipeline(body, decoder, () => {});
}
