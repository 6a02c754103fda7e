/** Makes an artifact a local file, wherever it is, and takes its fingerprint. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join, resolve } from "node:path";

import type { CrawlFailure } from "../connector.ts";
import { download, shownUrl } from "./download.ts";
import type { Network } from "./download.ts";
import { failure } from "./faults.ts";
import { findUrl } from "./options.ts";
import type { Artifact } from "./options.ts";

/** One artifact, ready to be read as often as needed. */
export interface Input {
  artifact: Artifact;
  /** Absolute path or URL, as errors name it. */
  location: string;
  /** Where its bytes are: the file itself or a temporary copy. */
  path: string;
  bytes: number;
  /** SHA-256 in hexadecimal. */
  fingerprint: string;
}

export interface OpenOptions {
  token: string | undefined;
  /** Takes downloads; the caller removes it. */
  folder: string;
  network: Network;
  signal: AbortSignal;
}

/**
 * Opens a path or downloads a URL.
 * @throws CrawlFailure where there is no such file or it cannot be read or fetched
 */
export async function openInput(artifact: Artifact, where: string, options: OpenOptions): Promise<Input> {
  const url = findUrl(where);
  const location = url === null ? resolve(where) : shownUrl(url);
  const path = url === null ? location : join(options.folder, `${artifact}.json`);
  if (url !== null) await download(url, path, options);
  try {
    return { artifact, location, path, ...(await digest(path, options.signal)) };
  } catch (error) {
    if (options.signal.aborted) throw error;
    throw unreadable(location, error);
  }
}

async function digest(path: string, signal: AbortSignal): Promise<{ bytes: number; fingerprint: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { signal, highWaterMark: 256 * 1024 });
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, fingerprint: hash.digest("hex") };
}

function unreadable(location: string, error: unknown): CrawlFailure {
  const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  const fault = { object: location, stage: "connect" } as const;
  if (reason === "ENOENT")
    return failure({ ...fault, code: "not_found", message: `There is no file ${location}.` }, error);
  const why = { EISDIR: "it is a directory", EACCES: "permission is denied", EPERM: "permission is denied" }[reason];
  return failure({ ...fault, code: "unreadable", message: `${location} cannot be read: ${why ?? reason}.` }, error);
}
