/** Downloads artifacts over http(s) into files, with @apollo/datasource-rest. */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";

import { RESTDataSource } from "@apollo/datasource-rest";

import type { CrawlFailure } from "../connector.ts";
import { toConnectionFault } from "../http/connection-fault.ts";
import { fetchSource, type SourceRequest, TooLarge } from "../http/fetch-source.ts";
import type { Refusal, Remote } from "../http/remote.ts";
import { createSourceAddresses, type Resolve } from "../http/source-addresses.ts";
import type { LocateFile } from "../source-folders.ts";
import { failure, type Source, tooLarge } from "./faults.ts";

/** From where artifacts may come, how large they may be, and how long a download may take. */
export interface Network {
  /** In each period of this length, the server must send at least `leastBytesPerIdle` bytes, or the rest. */
  idleTimeoutMs: number;
  leastBytesPerIdle: number;
  /** The limit for one attempt, in milliseconds. */
  totalTimeoutMs: number;
  /** The pause before each retry, in milliseconds. There are as many retries as pauses. */
  retryDelaysMs: readonly number[];
  /** The largest artifact that is accepted, compressed or not, as a download or a file. */
  maxBytes: number;
  /** CIDRs of private addresses that may be read from. */
  privateSources: readonly string[];
  /** Hosts that a secret may be sent to over http, besides this machine. */
  insecureHosts: readonly string[];
  /** Finds the addresses of names. Default: the system's resolver. */
  resolve?: Resolve;
  /** The time of a signature. Default: now. */
  now?: () => Date;
  /** Finds local artifacts. Default: anywhere on this machine. */
  locateFile?: LocateFile;
}

export const DEFAULT_NETWORK: Network = {
  idleTimeoutMs: 30_000,
  leastBytesPerIdle: 16 * 1024,
  totalTimeoutMs: 10 * 60_000,
  retryDelaysMs: [500, 2_000, 8_000],
  maxBytes: 512 * 1024 ** 2,
  privateSources: [],
  insecureHosts: [],
};

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
      const refusal = toFailure(remote, options.source, error, options.network);
      if (pauseMs === null || !refusal.error.retryable) throw refusal;
      await delay(pauseMs, undefined, { signal: options.signal });
    }
  }
}

async function attempt(remote: Remote, path: string, { network, signal }: DownloadOptions): Promise<void> {
  const timeout = new AbortController();
  const idle = setTimeout(() => timeout.abort(new TooSlow()), network.idleTimeoutMs);
  const total = setTimeout(() => timeout.abort(new TooLong()), network.totalTimeoutMs);
  let received = 0;
  const onBytes = (bytes: number): void => {
    received += bytes;
    if (received < network.leastBytesPerIdle) return;
    received = 0;
    idle.refresh();
  };
  const { url, authorize, followsRedirects } = remote;
  const { now = () => new Date() } = network;
  const request = {
    followsRedirects,
    insecureHosts: network.insecureHosts,
    addresses: createSourceAddresses(network.privateSources, network.resolve),
    maxBytes: network.maxBytes,
    signal: AbortSignal.any([signal, timeout.signal]),
  };
  try {
    const secrets = (await authorize?.(url, now())) ?? {};
    await new ArtifactSource(path, { ...request, secrets }, onBytes).save(url);
  } catch (error) {
    throw timeout.signal.aborted ? timeout.signal.reason : error;
  } finally {
    clearTimeout(idle);
    clearTimeout(total);
  }
}

class TooSlow extends Error {}

class TooLong extends Error {}

class RefusedStatus extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`HTTP ${refusal.status}`);
    this.refusal = refusal;
  }
}

/** An error that a service explains takes less than a kilobyte. */
const REFUSAL_BYTES = 8 * 1024;

/**
 * A data source that writes the body to a file. Each attempt needs a new one, because the class remembers its requests.
 */
class ArtifactSource extends RESTDataSource {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #onBytes: (bytes: number) => void;

  constructor(path: string, request: SourceRequest, onBytes: (bytes: number) => void) {
    super({ fetch: (href) => fetchSource(new URL(href), request) });
    this.#path = path;
    this.#maxBytes = request.maxBytes;
    this.#onBytes = onBytes;
  }

  /** The TTL is 0, because the cache would keep the whole body in memory. */
  async save(url: URL): Promise<void> {
    await this.get(url.href, { cacheOptions: { ttl: 0 } });
  }

  protected override async parseBody(response: { ok: boolean; status: number }): Promise<string> {
    if (!(response instanceof Response)) throw new TypeError("fetchSource answers with a Response");
    const { ok, status, headers } = response;
    if (!ok) throw new RefusedStatus({ status, headers, body: await readBeginning(response) });
    await pipeline(this.#limited(response.body ?? []), createWriteStream(this.#path));
    return this.#path;
  }

  async *#limited(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > this.#maxBytes) throw new TooLarge();
      this.#onBytes(chunk.length);
      yield chunk;
    }
  }
}

async function readBeginning({ body }: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= REFUSAL_BYTES) break;
    }
  } catch {
    // The status is enough.
  }
  return text.slice(0, REFUSAL_BYTES);
}

function toFailure({ explain }: Remote, source: Source, error: unknown, network: Network): CrawlFailure {
  const refuse = (code: string, why: string, retryable: boolean): CrawlFailure =>
    failure(source, { code, stage: "connect", why, retryable }, error);
  if (error instanceof TooSlow) {
    const least = `${network.leastBytesPerIdle} bytes in ${network.idleTimeoutMs / 1000} s`;
    return refuse("timeout", `sent nothing, or less than ${least}`, true);
  }
  if (error instanceof TooLong) return refuse("timeout", `was not sent in ${network.totalTimeoutMs / 1000} s`, false);
  if (error instanceof TooLarge) return tooLarge(source, network.maxBytes, error);
  if (!(error instanceof RefusedStatus)) {
    const { code, why, retryable } = toConnectionFault(error);
    return refuse(code, why, retryable);
  }
  const { status } = error.refusal;
  const explained = explain(error.refusal);
  if (explained !== null) return refuse(explained.code, explained.why, explained.retryable ?? false);
  if (status === 404 || status === 410) return refuse("not_found", `was not found (HTTP ${status})`, false);
  if (status === 401 || status === 403) return refuse("unauthorized", `refuses the token (HTTP ${status})`, false);
  return refuse("http_error", `answered HTTP ${status}`, status >= 500 || status === 429 || status === 408);
}
