/** Fetches artifacts over http(s) straight into files, by @apollo/datasource-rest. */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";

import { RESTDataSource } from "@apollo/datasource-rest";
import type { AugmentedRequest } from "@apollo/datasource-rest";

import type { CrawlFailure } from "../connector.ts";
import { failure, type Source } from "./faults.ts";

/** How patient a download is. */
export interface Network {
  /** Longest silence of the server, in milliseconds. */
  idleTimeoutMs: number;
  /** Longest time that one attempt takes, in milliseconds. */
  totalTimeoutMs: number;
  /** Pauses before each retry, in milliseconds; as many retries as there are pauses. */
  retryDelaysMs: readonly number[];
  /** Largest artifact that is accepted. */
  maxBytes: number;
}

export const DEFAULT_NETWORK: Network = {
  idleTimeoutMs: 30_000,
  totalTimeoutMs: 10 * 60_000,
  retryDelaysMs: [500, 2_000, 8_000],
  maxBytes: 4 * 1024 ** 3,
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
 * @throws CrawlFailure where the answer is no success, comes too slowly or is too large
 */
export async function download(url: URL, path: string, options: DownloadOptions): Promise<void> {
  for (const pauseMs of [...options.network.retryDelaysMs, null]) {
    try {
      return await attempt(url, path, options);
    } catch (error) {
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
  const source = new ArtifactSource(path, token, network.maxBytes, () => timer.refresh());
  try {
    await source.save(url, AbortSignal.any([signal, patience.signal]));
  } catch (error) {
    throw patience.signal.aborted ? patience.signal.reason : error;
  } finally {
    clearTimeout(timer);
    clearTimeout(deadline);
  }
}

class Silence extends Error {}

class Overdue extends Error {}

class TooLarge extends Error {}

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
  readonly #token: string | undefined;
  readonly #maxBytes: number;
  readonly #onChunk: () => void;

  constructor(path: string, token: string | undefined, maxBytes: number, onChunk: () => void) {
    super({ fetch: (href, init) => fetch(href, { headers: init?.headers ?? {}, signal: init?.signal }) });
    this.#path = path;
    this.#token = token;
    this.#maxBytes = maxBytes;
    this.#onChunk = onChunk;
  }

  /** No time to live: the cache would hold the whole body in memory. */
  async save(url: URL, signal: AbortSignal): Promise<void> {
    await this.get(url.href, { signal, cacheOptions: { ttl: 0 } });
  }

  protected override willSendRequest(_path: string, request: AugmentedRequest): void {
    if (this.#token !== undefined) request.headers["authorization"] = `Bearer ${this.#token}`;
  }

  protected override async parseBody(response: { ok: boolean; status: number }): Promise<string> {
    if (!(response instanceof Response)) throw new TypeError("the platform's fetch answers with a Response");
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
      this.#onChunk();
      yield chunk;
    }
  }
}

function toFailure(source: Source, error: unknown, network: Network): CrawlFailure {
  const refuse = (code: string, why: string, retryable: boolean): CrawlFailure =>
    failure(source, { code, stage: "connect", why, retryable }, error);
  if (error instanceof Silence) return refuse("timeout", `sent nothing for ${network.idleTimeoutMs / 1000} s`, true);
  if (error instanceof Overdue) return refuse("timeout", `was not sent in ${network.totalTimeoutMs / 1000} s`, false);
  if (error instanceof TooLarge) return refuse("too_large", `is larger than ${network.maxBytes} bytes`, false);
  if (!(error instanceof RefusedStatus)) return refuse("unreachable", `cannot be reached: ${causeOf(error)}`, true);
  const { status } = error;
  if (status === 404 || status === 410) return refuse("not_found", `is not there (HTTP ${status})`, false);
  if (status === 401 || status === 403) return refuse("unauthorized", `refuses the token (HTTP ${status})`, false);
  return refuse("http_error", `answered HTTP ${status}`, status >= 500 || status === 429 || status === 408);
}

/** The code of what went wrong, such as `ECONNREFUSED`: fetch hides it beneath its own error. A message may name a path. */
function causeOf(error: unknown): string {
  const chain = error instanceof Error ? [error.cause, error] : [];
  const coded = chain.find((each) => each instanceof Error && "code" in each);
  return coded === undefined ? "the connection failed" : String(coded.code);
}
