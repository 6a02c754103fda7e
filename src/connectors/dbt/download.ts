/** Downloads artifacts over http(s) into files. */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";

import { CrawlFailure, type SourceLimits } from "../connector.ts";
import { toConnectionFault } from "../http/connection-fault.ts";
import { fetchSource, readBeginning, TooLarge } from "../http/fetch-source.ts";
import type { Remote } from "../http/remote.ts";
import { createSourceAddresses, type SourceNetwork } from "../http/source-addresses.ts";
import type { LocateFile } from "../source-folders.ts";
import { failure, type Source, tooLarge } from "./faults.ts";

/** From where artifacts may come, how large they may be, and how long a download may take. */
export interface Network extends SourceNetwork {
  /** In each period of this length, the server must send at least `leastBytesPerIdle` bytes, or the rest. */
  idleTimeoutMs: number;
  leastBytesPerIdle: number;
  /** The limit for one attempt, in milliseconds. */
  totalTimeoutMs: number;
  /** The pause before each retry, in milliseconds. There are as many retries as pauses. */
  retryDelaysMs: readonly number[];
  /** The largest artifact that is accepted, compressed or not, as a download or a file. */
  maxBytes: number;
  /** The time of a signature. Default: now. */
  now?: () => Date;
  /** Finds local artifacts. Default: anywhere on this machine. */
  locateFile?: LocateFile;
}

const DEFAULT_NETWORK: Network = {
  idleTimeoutMs: 30_000,
  leastBytesPerIdle: 16 * 1024,
  totalTimeoutMs: 10 * 60_000,
  retryDelaysMs: [500, 2_000, 8_000],
  maxBytes: 512 * 1024 ** 2,
  privateSources: [],
  insecureHosts: [],
};

export function toNetwork({ maxArtifactBytes, ...limits }: SourceLimits & Partial<Network>): Network {
  return { ...DEFAULT_NETWORK, ...(maxArtifactBytes !== undefined && { maxBytes: maxArtifactBytes }), ...limits };
}

export interface DownloadOptions {
  /** The artifact, as errors name it. */
  source: Source;
  network: Network;
  signal: AbortSignal;
}

/** A URL without its query, for the log: in a signed URL, the query is a secret. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * Downloads into a file. Tries again after server errors and lost connections.
 * @throws CrawlFailure if the address is private, or the answer is an error, too slow or too large
 */
export async function download(remote: Remote, path: string, options: DownloadOptions): Promise<void> {
  for (const pauseMs of [...options.network.retryDelaysMs, null]) {
    try {
      return await attempt(remote, path, options);
    } catch (error) {
      await rm(path, { force: true });
      options.signal.throwIfAborted();
      const refusal = toFailure(options, error);
      if (pauseMs === null || !refusal.error.retryable) throw refusal;
      await delay(pauseMs, undefined, { signal: options.signal });
    }
  }
}

async function attempt(remote: Remote, path: string, { source, network, signal }: DownloadOptions): Promise<void> {
  const { url, authorize, followsRedirects } = remote;
  const { idleTimeoutMs, leastBytesPerIdle, totalTimeoutMs, maxBytes, now = () => new Date() } = network;
  const timeout = new AbortController();
  const giveUp = (why: string, retryable: boolean): void =>
    timeout.abort(failure(source, { code: "timeout", stage: "connect", why, retryable }));
  const tooSlow = `sent nothing, or less than ${leastBytesPerIdle} bytes in ${idleTimeoutMs / 1000} s`;
  const idle = setTimeout(() => giveUp(tooSlow, true), idleTimeoutMs);
  const total = setTimeout(() => giveUp(`was not sent in ${totalTimeoutMs / 1000} s`, false), totalTimeoutMs);
  async function* watched(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let sinceRefresh = 0;
    for await (const chunk of body) {
      sinceRefresh += chunk.length;
      if (sinceRefresh >= leastBytesPerIdle) {
        sinceRefresh = 0;
        idle.refresh();
      }
      yield chunk;
    }
  }
  try {
    const response = await fetchSource(url, {
      followsRedirects,
      insecureHosts: network.insecureHosts,
      addresses: createSourceAddresses(network.privateSources, network.resolve),
      maxBytes,
      signal: AbortSignal.any([signal, timeout.signal]),
      secrets: (await authorize?.(url, now())) ?? {},
    });
    if (!response.ok) throw await toRefusal(remote, source, response);
    await pipeline(watched(response.body ?? []), createWriteStream(path));
  } catch (error) {
    throw timeout.signal.aborted ? timeout.signal.reason : error;
  } finally {
    clearTimeout(idle);
    clearTimeout(total);
  }
}

/** An error that a service explains takes less than a kilobyte. */
const REFUSAL_BYTES = 8 * 1024;

async function toRefusal({ explain }: Remote, source: Source, response: Response): Promise<CrawlFailure> {
  const { status, headers } = response;
  const refuse = (code: string, why: string, retryable = false): CrawlFailure =>
    failure(source, { code, stage: "connect", why, retryable });
  const explained = explain({ status, headers, body: await readBeginning(response, REFUSAL_BYTES) });
  if (explained !== null) return refuse(explained.code, explained.why, explained.retryable);
  if (status === 404 || status === 410) return refuse("not_found", `was not found (HTTP ${status})`);
  if (status === 401 || status === 403) return refuse("unauthorized", `refuses the token (HTTP ${status})`);
  return refuse("http_error", `answered HTTP ${status}`, status >= 500 || status === 429 || status === 408);
}

function toFailure({ source, network }: DownloadOptions, error: unknown): CrawlFailure {
  if (error instanceof CrawlFailure) return error;
  if (error instanceof TooLarge) return tooLarge(source, network.maxBytes, error);
  return failure(source, { ...toConnectionFault(error), stage: "connect" }, error);
}
