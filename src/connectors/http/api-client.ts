/** Asks the REST API of a source. Answers are JSON, checked and bounded. */
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { setTimeout as delay } from "node:timers/promises";

import type { z } from "zod";

import { type Clock, type Countdown, systemCountdown } from "../../clock.ts";
import { createSemaphore } from "../../work/semaphore.ts";
import { capitalize } from "../../characters.ts";
import { ApiFailure, badAnswer, isFatal, refusedStatus, toApiFault } from "./api-faults.ts";
import { type ConnectionFault, FetchFailure } from "./connection-fault.ts";
import { fetchSource } from "./fetch-source.ts";
import { createSourceAddresses, type SourceNetwork } from "./source-addresses.ts";

/** Which addresses an API may have, how large its answers may be, and how long it is waited for. */
export interface ApiNetwork extends SourceNetwork {
  /** The limit for one attempt, in milliseconds. */
  timeoutMs: number;
  /** The pause before each retry, in milliseconds. There are as many retries as pauses. */
  retryDelaysMs: readonly number[];
  /** The longest `Retry-After` that is waited for, in milliseconds. */
  longestPauseMs: number;
  /** The largest answer that is accepted, compressed or not. */
  maxBytes: number;
  /** How many requests run at one time. */
  concurrency: number;
  /** After so many failed requests in a row, nothing more is asked. */
  mostFailures: number;
  /** Waits before a retry. Default: with a timer. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Counts `timeoutMs` down. Default: with a timer. */
  countdown?: Countdown;
}

export const DEFAULT_API_NETWORK: ApiNetwork = {
  privateSources: [],
  insecureHosts: [],
  timeoutMs: 60_000,
  retryDelaysMs: [500, 2_000, 8_000],
  longestPauseMs: 60_000,
  maxBytes: 16 * 1024 ** 2,
  concurrency: 4,
  mostFailures: 10,
};

/** For the test of a source: somebody waits for the result, so nothing is tried again. */
export const SHORT_WAIT: Pick<ApiNetwork, "timeoutMs" | "retryDelaysMs"> = { timeoutMs: 10_000, retryDelaysMs: [] };

export interface ApiContext {
  network: ApiNetwork;
  /** Aborts all requests. */
  signal: AbortSignal;
  now: Clock["now"];
}

export interface ApiOptions extends ApiContext {
  /** The tool's name in messages, such as `Metabase`. */
  service: string;
  /** Where the paths of requests begin. */
  url: URL;
  /** Headers that are secrets. They are sent only to the origin of the URL. */
  secrets: Readonly<Record<string, string>>;
}

interface ApiRequest<T> {
  /** What is read, for messages: `card 12`. */
  what: string;
  /** The form of the answer. */
  shape: z.ZodType<T>;
  /** The query of the URL. A list gives the parameter several times. */
  params?: Readonly<Record<string, string | readonly string[]>>;
}

export type ApiClient = ReturnType<typeof createApiClient>;

/** Makes a client that tries again after failures that may pass. Dispose of it to close its connections. */
export function createApiClient({ service, url, secrets, network, signal, now }: ApiOptions) {
  const withSlot = createSemaphore(network.concurrency);
  const sleep = network.sleep ?? ((ms, aborted) => delay(ms, undefined, { signal: aborted }));
  const source = createSource({ url, secrets, network, signal, now });
  let failuresInARow = 0;
  let isDown = false;

  function toFailure(fault: ConnectionFault, what: string, cause: unknown): ApiFailure {
    failuresInARow = fault.retryable ? failuresInARow + 1 : 0;
    isDown ||= failuresInARow >= network.mostFailures;
    const isForAll = isDown || isFatal(fault);
    const { code, why, retryable } = fault;
    const message = isForAll ? `${service} ${why}.` : `${capitalize(what)} cannot be read: ${service} ${why}.`;
    const stage = code === "unexpected_answer" ? "parse" : "connect";
    const location = url.origin + url.pathname;
    return new ApiFailure({ code, message, object: isForAll ? "" : what, stage, retryable, location }, isForAll, cause);
  }

  async function ask<T>(path: string, body: object | undefined, { what, shape, params = {} }: ApiRequest<T>) {
    const pauses = [...network.retryDelaysMs];
    for (;;) {
      signal.throwIfAborted();
      try {
        const answer = await source.ask(path, body, params);
        const parsed = shape.safeParse(answer);
        if (!parsed.success) throw badAnswer(parsed.error);
        failuresInARow = 0;
        return parsed.data;
      } catch (error) {
        signal.throwIfAborted();
        const fault = toApiFault(error, network);
        const { retryable, pauseMs: askedMs = 0 } = fault;
        const pauseMs = isDown ? undefined : pauses.shift();
        if (pauseMs === undefined || !retryable || askedMs > network.longestPauseMs) {
          throw toFailure(fault, what, error);
        }
        await sleep(Math.max(pauseMs, askedMs), signal);
      }
    }
  }

  return {
    /**
     * @param path below the URL of the API, without a slash at its beginning
     * @throws ApiFailure; or the signal's reason
     */
    get: <T>(path: string, request: ApiRequest<T>): Promise<T> => withSlot(() => ask(path, undefined, request)),
    /** As `get`. The body may contain secrets. */
    post: <T>(path: string, body: object, request: ApiRequest<T>): Promise<T> =>
      withSlot(() => ask(path, body, request)),
    [Symbol.dispose]: source.close,
  };
}

type Params = NonNullable<ApiRequest<unknown>["params"]>;

/** Sends single requests. */
function createSource({ url, secrets, network, signal, now }: Omit<ApiOptions, "service">) {
  const { insecureHosts, maxBytes, timeoutMs, countdown = systemCountdown } = network;
  const addresses = createSourceAddresses(network.privateSources, network.resolve);
  const base = new URL(url);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  const Agent = url.protocol === "https:" ? HttpsAgent : HttpAgent;
  // Connections are kept open for the next request. An address is checked when a connection is made.
  const agent = new Agent({ keepAlive: true, maxSockets: network.concurrency });
  const limits = { secrets, insecureHosts, addresses, maxBytes, staysAtOrigin: true, agent };

  function toTarget(path: string, params: Params): URL {
    const target = new URL(path, base);
    if (target.origin !== base.origin) throw new TypeError(`${path} is not a path`);
    for (const [key, values] of Object.entries(params)) {
      for (const value of [values].flat()) target.searchParams.append(key, value);
    }
    return target;
  }

  return {
    async ask(path: string, body: object | undefined, params: Params): Promise<unknown> {
      const timeout = new AbortController();
      const tooSlow = { code: "timeout", why: `did not answer in ${timeoutMs / 1000} s`, retryable: true };
      const stop = countdown(timeoutMs, () => timeout.abort(new FetchFailure(tooSlow)));
      try {
        const response = await fetchSource(toTarget(path, params), {
          ...limits,
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.any([signal, timeout.signal]),
        });
        return await readAnswer(response, now());
      } catch (error) {
        throw timeout.signal.aborted ? timeout.signal.reason : error;
      } finally {
        stop();
      }
    },
    close: () => agent.destroy(),
  };
}

async function readAnswer(response: Response, now: Date): Promise<unknown> {
  if (!response.ok) {
    await response.body?.cancel();
    throw refusedStatus(response, now);
  }
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw badAnswer(null);
  }
}
