/** Fetches artifacts over http(s) straight into files, by @apollo/datasource-rest. */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";

import { RESTDataSource } from "@apollo/datasource-rest";

import type { CrawlFailure } from "../connector.ts";
import { BadRedirect, fetchSource, InsecureSource, type SourceRequest, TooLarge } from "../http/fetch-source.ts";
import { createSourceAddresses, PrivateAddress, type Resolve } from "../http/source-addresses.ts";
import { UnknownEncoding } from "../http/unpack.ts";
import { failure, type Source, tooLarge } from "./faults.ts";

/** Where downloads may come from, how large an artifact may be, and how patient a download is. */
export interface Network {
  /** In each such time, in milliseconds, the server must send so much of the artifact, or the rest of it. */
  idleTimeoutMs: number;
  leastBytesPerIdle: number;
  /** Longest time that one attempt takes, in milliseconds. */
  totalTimeoutMs: number;
  /** Pauses before each retry, in milliseconds; as many retries as there are pauses. */
  retryDelaysMs: readonly number[];
  /** Largest artifact that is accepted, packed or unpacked; files too. */
  maxBytes: number;
  /** CIDRs that are read from although they are not public. */
  privateSources: readonly string[];
  /** Hosts that a token may be sent to over http, besides this machine. */
  insecureHosts: readonly string[];
  /** Finds the addresses of names; the system's, where there is none. */
  resolve?: Resolve;
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
  token: string | undefined;
  network: Network;
  signal: AbortSignal;
}

/** A URL as the log may show it: a signed URL's query is a secret. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * Downloads a URL into a file, trying again after server errors and lost connections.
 * @throws CrawlFailure where the address is private, or the answer is no success, comes too slowly or is too large
 */
export async function download(url: URL, path: string, options: DownloadOptions): Promise<void> {
  for (const pauseMs of [...options.network.retryDelaysMs, null]) {
    try {
      return await attempt(url, path, options);
    } catch (error) {
      await rm(path, { force: true });
      options.signal.throwIfAborted();
      const refusal = toFailure(options.source, error, options.network);
      if (pauseMs === null || !refusal.error.retryable) throw refusal;
      await delay(pauseMs, undefined, { signal: options.signal });
    }
  }
}

async function attempt(url: URL, path: string, { token, network, signal }: DownloadOptions): Promise<void> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(new Silence()), network.idleTimeoutMs);
  const deadline = setTimeout(() => patience.abort(new Overdue()), network.totalTimeoutMs);
  let headway = 0;
  const onBytes = (bytes: number): void => {
    headway += bytes;
    if (headway < network.leastBytesPerIdle) return;
    headway = 0;
    timer.refresh();
  };
  const request = {
    token,
    insecureHosts: network.insecureHosts,
    addresses: createSourceAddresses(network.privateSources, network.resolve),
    maxBytes: network.maxBytes,
    signal: AbortSignal.any([signal, patience.signal]),
  };
  try {
    await new ArtifactSource(path, request, onBytes).save(url);
  } catch (error) {
    throw patience.signal.aborted ? patience.signal.reason : error;
  } finally {
    clearTimeout(timer);
    clearTimeout(deadline);
  }
}

class Silence extends Error {}

class Overdue extends Error {}

class RefusedStatus extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

/** A data source whose body is the path of the file that took it; made anew for each attempt, since it memoises. */
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

  /** No time to live: the cache would hold the whole body in memory. */
  async save(url: URL): Promise<void> {
    await this.get(url.href, { cacheOptions: { ttl: 0 } });
  }

  protected override async parseBody(response: { ok: boolean; status: number }): Promise<string> {
    if (!(response instanceof Response)) throw new TypeError("fetchSource answers with a Response");
    if (!response.ok) {
      await response.body?.cancel();
      throw new RefusedStatus(response.status);
    }
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

function toFailure(source: Source, error: unknown, network: Network): CrawlFailure {
  const refuse = (code: string, why: string, retryable: boolean): CrawlFailure =>
    failure(source, { code, stage: "connect", why, retryable }, error);
  if (error instanceof Silence) {
    const least = `${network.leastBytesPerIdle} bytes in ${network.idleTimeoutMs / 1000} s`;
    return refuse("timeout", `sent nothing, or less than ${least}`, true);
  }
  if (error instanceof Overdue) return refuse("timeout", `was not sent in ${network.totalTimeoutMs / 1000} s`, false);
  if (error instanceof TooLarge) return tooLarge(source, network.maxBytes, error);
  if (error instanceof BadRedirect) return refuse("bad_redirect", error.message, false);
  if (error instanceof UnknownEncoding) {
    return refuse(
      "unknown_encoding",
      `is packed in a way that is not known (Content-Encoding: ${error.message})`,
      false,
    );
  }
  if (error instanceof PrivateAddress) {
    return refuse("private_address", "is at a private address; ALLOW_PRIVATE_SOURCES lists those to read", false);
  }
  if (error instanceof InsecureSource) {
    const why =
      "is at an http address, where others could read the token: use https, or list the host in INSECURE_HOSTS";
    return refuse("insecure_source", why, false);
  }
  if (!(error instanceof RefusedStatus)) return refuse("unreachable", `cannot be reached: ${causeOf(error)}`, true);
  const { status } = error;
  if (status === 404 || status === 410) return refuse("not_found", `is not there (HTTP ${status})`, false);
  if (status === 401 || status === 403) return refuse("unauthorized", `refuses the token (HTTP ${status})`, false);
  return refuse("http_error", `answered HTTP ${status}`, status >= 500 || status === 429 || status === 408);
}

/** The code of what went wrong, such as `ECONNREFUSED`: a message may name a path, or where a name led. */
function causeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "the connection failed";
}
