/** Opens an artifact as a local file, downloads it first if it is a URL, and computes its fingerprint. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtempDisposable, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { CrawlFailure } from "../connector.ts";
import { findUrl } from "../http/find-url.ts";
import { locateAnywhere } from "../source-folders.ts";
import { download, shownUrl } from "./download.ts";
import type { Network } from "./download.ts";
import { irregularFile, outsideFolders, type Source, tooLarge, unreadableFile } from "./faults.ts";
import { FILE_NAMES } from "./options.ts";
import type { Artifact } from "./options.ts";

/** An artifact as a local file, which can be read several times. */
export interface Input extends Source {
  artifact: Artifact;
  /** The file itself, without symbolic links, or a temporary copy. */
  path: string;
  bytes: number;
  /** SHA-256, in hexadecimal digits. */
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
 * @throws CrawlFailure if the file does not exist, is outside the permitted folders, cannot be read or downloaded, or
 *   is too large
 */
export async function openInput(artifact: Artifact, where: string, options: OpenOptions): Promise<Input> {
  const url = findUrl(where);
  const source = { name: FILE_NAMES[artifact], place: url === null ? resolve(where) : shownUrl(url) };
  const path = url === null ? await locate(source, options.network) : await downloadCopy(url, { ...options, source });
  try {
    const found = await stat(path);
    // A pipe or a device may never end.
    if (!found.isFile() && !found.isDirectory()) throw irregularFile(source);
    const { maxBytes } = options.network;
    if (found.size > maxBytes) throw tooLarge(source, maxBytes);
    const read = await digest(path, maxBytes, options.signal);
    // A file may grow, and files such as those in /proc report no size.
    if (read === null) throw tooLarge(source, maxBytes);
    return { artifact, ...source, path, ...read };
  } catch (error) {
    if (options.signal.aborted || error instanceof CrawlFailure) throw error;
    throw unreadableFile(source, error);
  }
}

async function locate(source: Source, { locateFile = locateAnywhere }: Network): Promise<string> {
  const path = await locateFile(source.place);
  if (path === null) throw outsideFolders(source);
  return path;
}

async function downloadCopy(url: URL, options: OpenOptions & { source: Source }): Promise<string> {
  const folder = options.downloads.use(await mkdtempDisposable(join(tmpdir(), "tributary-dbt-")));
  const path = join(folder.path, "artifact.json");
  await download(url, path, options);
  return path;
}

/** Reads a file and hashes it. Returns null as soon as it is larger than permitted. */
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
