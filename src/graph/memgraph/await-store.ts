/** A store that may not run yet. It is connected as soon as possible, and refuses all calls until then. */
import { setTimeout as pause } from "node:timers/promises";

import type { BaseLogger } from "pino";

import { AppError, unavailable } from "../../errors.ts";
import type { Bolt } from "./bolt.ts";

const FIRST_PAUSE_MS = 250;
/** As long as clients are told to wait. */
const LONGEST_PAUSE_MS = 5_000;

export interface AwaitOptions {
  /** Makes the store ready. It is repeated until it succeeds. */
  prepare: (bolt: Bolt) => Promise<void>;
  log: Pick<BaseLogger, "info" | "warn">;
}

/**
 * Prepares a store now, or later when it runs.
 * @returns the store, which rejects everything with an `unavailable` AppError until it is prepared, and a promise that
 * resolves then. The promise stays pending if the store is closed first.
 */
export function awaitStore(bolt: Bolt, { prepare, log }: AwaitOptions): { bolt: Bolt; connected: Promise<void> } {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const closed = new AbortController();
  let refusal: AppError | null = unavailable("The graph store is not connected yet.", undefined, bolt.address);
  const trying = connect();

  async function connect(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !closed.signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        await prepare(bolt);
        if (pauseMs > FIRST_PAUSE_MS) log.info({ place: bolt.address }, "The graph store answers.");
        refusal = null;
        resolve();
        return;
      } catch (error) {
        note(error);
      }
      // Ends early if the store is closed.
      await pause(pauseMs, undefined, { signal: closed.signal }).catch(() => {});
    }
  }

  /** Logs each new reason once, and gives callers the last one. */
  function note(error: unknown): void {
    const next =
      error instanceof AppError ? error : unavailable("The graph store could not be prepared.", error, bolt.address);
    if (next.message !== refusal?.message && !closed.signal.aborted) {
      log.warn({ err: next.cause, place: bolt.address }, `${next.message} Tributary tries again until it answers.`);
    }
    refusal = next;
  }

  const once =
    <Args extends unknown[], T>(ask: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (refusal !== null) throw refusal;
      return ask(...args);
    };
  return {
    connected,
    bolt: {
      address: bolt.address,
      read: once(bolt.read),
      readTogether: async (work) => once(() => bolt.readTogether(work))(),
      write: async (work) => once(() => bolt.write(work))(),
      define: once(bolt.define),
      check: once(bolt.check),
      async close() {
        closed.abort();
        await bolt.close();
        await trying;
      },
    },
  };
}
