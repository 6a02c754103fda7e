/** Waits for a sync of a service elsewhere. */
import { setTimeout } from "node:timers/promises";

import { AppError, notFound } from "../errors.ts";
import type { Client } from "./client.ts";
import type { SyncState } from "./sync-json.ts";

const POLL_MS = 1_000;
/** A look without an answer counts as failed. It asks for little, so a service that works answers much sooner. */
const LOOK_MS = 30_000;
/**
 * Looks may fail for this long, because the service may restart or its rate limit may be reached. The limit counts
 * requests of one minute.
 */
const MAX_AWAY_MS = 120_000;
const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** Time. Tests inject their own. */
export interface WaitParts {
  /** Milliseconds that never go back. */
  now: () => number;
  /** Rejects when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns a signal that aborts after this many milliseconds. */
  deadline: (ms: number) => AbortSignal;
}

const systemParts: WaitParts = {
  now: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
  deadline: (ms) => AbortSignal.timeout(ms),
};

export interface WaitOptions {
  /** Called with the sync after each look. */
  show: (sync: SyncState) => void;
  /** Ends the wait and the request in progress. The promise then rejects. */
  signal: AbortSignal;
}

/**
 * Looks once a second. After a refusal, waits as long as its `Retry-After` says, if that is longer.
 * @throws AppError if the service refuses a request, or could not be asked for two minutes; `not_found` if the sync was
 *   deleted with its connector
 */
export async function waitForRemoteSync(
  client: Pick<Client, "find">,
  id: string,
  { show, signal }: WaitOptions,
  { now, sleep, deadline }: WaitParts = systemParts,
): Promise<SyncState> {
  for (let answeredAt = now(); ;) {
    let pauseMs = POLL_MS;
    try {
      const { sync } = await client.find("SyncProgress", { id }, AbortSignal.any([signal, deadline(LOOK_MS)]));
      if (sync === null) throw notFound("sync", id);
      show(sync);
      if (ENDED.has(sync.status) || sync.nextTryAt !== null) return sync;
      answeredAt = now();
    } catch (error) {
      signal.throwIfAborted();
      if (!mayPass(error)) throw error;
      pauseMs = Math.max(POLL_MS, (error.retryAfterSeconds ?? 0) * 1_000);
      if (now() + pauseMs - answeredAt > MAX_AWAY_MS) throw error;
    }
    await sleep(pauseMs, signal);
  }
}

function mayPass(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === "unavailable" || error.code === "rate_limited");
}
