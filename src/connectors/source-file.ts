/** Files of a source that can be read more than once, wherever they are: on this machine or in memory. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";

export interface SourceFile {
  /** Where it is, such as its absolute path. Only the operator sees it. */
  name: string;
  /** Its size, or 0 if that is not known. */
  bytes: number;
  /** Reads it from its beginning to its end. Fails with the system's error or `IrregularFile`. */
  open(): AsyncIterable<Uint8Array>;
}

/** A pipe, a device or a socket, which may never end. */
export class IrregularFile extends Error {
  override readonly name = "IrregularFile";
}

const CHUNK_BYTES = 256 * 1024;

/** A file on this machine. If there is none, reading it fails. */
export async function toSourceFile(path: string): Promise<SourceFile> {
  const name = resolve(path);
  const { size } = await stat(name).catch(() => ({ size: 0 }));
  return { name, bytes: size, open: () => readChunks(name) };
}

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const found = await stat(path);
  // Reading a directory fails by itself, and says so.
  if (!found.isFile() && !found.isDirectory()) throw new IrregularFile();
  yield* createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>;
}

/** A text in memory. */
export function textAsFile(name: string, text: string): SourceFile {
  const bytes = Buffer.from(text);
  return {
    name,
    bytes: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}
