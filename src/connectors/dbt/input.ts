/** Opens an artifact: a local file, a download, or a file that came with a request. */
import { createHash } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CrawlFailure } from "../connector.ts";
import type { Remote } from "../http/remote.ts";
import { type SourceFile, toSourceFile } from "../source-file.ts";
import { locateAnywhere } from "../source-folders.ts";
import { download, type Network } from "./download.ts";
import { outsideFolders, type Source, tooLarge, unreadableFile } from "./faults.ts";
import { type Artifact, FILE_NAMES } from "./options.ts";
import type { ArtifactLocation } from "./artifact-locations.ts";

/** An artifact that can be read several times. */
export interface Input extends Source {
  artifact: Artifact;
  bytes: number;
  /** @throws CrawlFailure if it is larger than permitted, and the errors of `SourceFile.open` */
  open(): AsyncIterable<Uint8Array>;
}

/** An artifact of a crawl. */
export interface CrawledInput extends Input {
  /** The version of its location, or else the SHA-256 of its content in hexadecimal digits. */
  fingerprint: string;
}

export interface OpenOptions {
  /** Removes downloads when the crawl is over. */
  downloads: AsyncDisposableStack;
  network: Network;
  signal: AbortSignal;
}

/** @param location where the artifact is, if the file is a copy of it */
export function toInput(artifact: Artifact, file: SourceFile, maxBytes: number, location = file.name): Input {
  const source = { name: FILE_NAMES[artifact], location };
  return { artifact, ...source, bytes: file.bytes, open: () => atMost(maxBytes, file.open(), source) };
}

/**
 * Opens a local artifact or downloads it.
 * @throws CrawlFailure if the file does not exist, is outside the permitted folders, cannot be read or downloaded, or
 *   is too large
 */
export async function openInput(
  { artifact, at, shown, version }: ArtifactLocation,
  options: OpenOptions,
): Promise<CrawledInput> {
  const source = { name: FILE_NAMES[artifact], location: shown };
  const path =
    typeof at === "string" ? await locate(source, options.network) : await downloadCopy(at, { ...options, source });
  const { maxBytes } = options.network;
  const input = toInput(artifact, await toSourceFile(path), maxBytes, source.location);
  if (input.bytes > maxBytes) throw tooLarge(source, maxBytes);
  const hash = createHash("sha256");
  // The file may have another size than was found before.
  let bytes = 0;
  try {
    for await (const chunk of input.open()) {
      options.signal.throwIfAborted();
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    if (options.signal.aborted || error instanceof CrawlFailure) throw error;
    throw unreadableFile(source, error);
  }
  return { ...input, bytes, fingerprint: version ?? hash.digest("hex") };
}

/** @throws CrawlFailure if the settings do not permit to read the file */
export async function locate(source: Source, { locateFile = locateAnywhere }: Network): Promise<string> {
  const path = await locateFile(source.location);
  if (path === null) throw outsideFolders(source);
  return path;
}

/** @returns the path of the copy, which goes with the other downloads */
export async function downloadCopy(remote: Remote, options: OpenOptions & { source: Source }): Promise<string> {
  const folder = options.downloads.use(await mkdtempDisposable(join(tmpdir(), "tributary-dbt-")));
  const path = join(folder.path, "artifact.json");
  await download(remote, path, options);
  return path;
}

/** A file may grow, and files such as those in /proc report no size. So its bytes are counted while they are read. */
async function* atMost(
  maxBytes: number,
  chunks: AsyncIterable<Uint8Array>,
  source: Source,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(source, maxBytes);
    yield chunk;
  }
}
