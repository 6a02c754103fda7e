/** Makes an artifact a local file, wherever it is, and takes its fingerprint. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtempDisposable, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { CrawlFailure } from "../connector.ts";
import { download, shownUrl } from "./download.ts";
import type { Network } from "./download.ts";
import { irregularFile, type Source, tooLarge, unreadableFile } from "./faults.ts";
import { FILE_NAMES, findUrl } from "./options.ts";
import type { Artifact } from "./options.ts";

/** One artifact, ready to be read as often as needed. */
export interface Input extends Source {
  artifact: Artifact;
  /** Where its bytes are: the file itself or a temporary copy. */
  path: string;
  bytes: number;
  /** SHA-256 in hexadecimal. */
  fingerprint: string;
}

export interface OpenOptions {
  token: string | undefined;
  /** Removes downloads when the crawl is over. */
  downloads: AsyncDisposableStack;
  network: Network;
  signal: AbortSignal;
}

/**
 * Opens a path or downloads a URL.
 * @throws CrawlFailure where there is no such file, or it cannot be read or fetched, or is too large
 */
export async function openInput(artifact: Artifact, where: string, options: OpenOptions): Promise<Input> {
  const url = findUrl(where);
  const source = { name: FILE_NAMES[artifact], place: url === null ? resolve(where) : shownUrl(url) };
  const path = url === null ? source.place : await downloadCopy(url, { ...options, source });
  try {
    const found = await stat(path);
    // A pipe or a device may have no end.
    if (!found.isFile() && !found.isDirectory()) throw irregularFile(source);
    const { maxBytes } = options.network;
    if (found.size > maxBytes) throw tooLarge(source, maxBytes);
    const read = await digest(path, maxBytes, options.signal);
    // A file may grow, and those of the system tell no size.
    if (read === null) throw tooLarge(source, maxBytes);
    return { artifact, ...source, path, ...read };
  } catch (error) {
    if (options.signal.aborted || error instanceof CrawlFailure) throw error;
    throw unreadableFile(source, error);
  }
}

async function downloadCopy(url: URL, options: OpenOptions & { source: Source }): Promise<string> {
  const folder = options.downloads.use(await mkdtempDisposable(join(tmpdir(), "tributary-dbt-")));
  const path = join(folder.path, "artifact.json");
  await download(url, path, options);
  return path;
}

/** Null as soon as there is more than there may be. */
async function digest(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ bytes: number; fingerprint: string } | null> {
  const hash = createHash("sha256");
  let bytes = 0;
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { signal, highWaterMark: 256 * 1024 });
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
  }
  return { bytes, fingerprint: hash.digest("hex") };
}
