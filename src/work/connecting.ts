/** Connects to a store on another machine, which may start later than the service. */
import { setTimeout as pause } from "node:timers/promises";

import type { BaseLogger } from "pino";

import { AppError, unavailable } from "../errors.ts";

const FIRST_PAUSE_MS = 250;
/** As long as clients are told to wait. */
const LONGEST_PAUSE_MS = 5_000;

/** A store answers, but this process must not use it. Waiting does not help. */
export class UnusableStore extends AppError {
  constructor(message: string, { cause, location }: { cause?: unknown; location?: string } = {}) {
    super("unavailable", message, { cause, ...(location !== undefined && { location }) });
  }
}

export interface ConnectingOptions {
  /** The name of the store in messages, such as "The graph store". */
  name: string;
  /** Its address, without credentials. */
  location: string;
  /** Makes the store ready. It is repeated until it succeeds, or rejects with `UnusableStore`. */
  prepare: () => Promise<void>;
  log: Pick<BaseLogger, "info" | "warn">;
}

export type Connecting = ReturnType<typeof startConnecting>;

/** Tries to prepare a store until it succeeds. It logs each new reason once. */
export function startConnecting({ name, location, prepare, log }: ConnectingOptions) {
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
  // The caller that awaits it gets the error. No caller has to.
  connected.catch(() => {});
  const stopped = new AbortController();
  let refusal: AppError | null = unavailable(`${name} is not connected yet.`, undefined, location);
  const trying = connect();

  async function connect(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !stopped.signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        await prepare();
        if (pauseMs > FIRST_PAUSE_MS) log.info({ location }, `${name} answers.`);
        refusal = null;
        return resolve();
      } catch (error) {
        note(error);
        if (error instanceof UnusableStore) return reject(error);
      }
      // Ends early if the attempts are ended.
      await pause(pauseMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  }

  /** Logs each new reason once, and gives callers the last one. */
  function note(error: unknown): void {
    const next = error instanceof AppError ? error : unavailable(`${name} could not be prepared.`, error, location);
    if (next.message !== refusal?.message && !stopped.signal.aborted && !(error instanceof UnusableStore)) {
      log.warn({ err: next.cause, location }, `${next.message} Tributary tries again until it answers.`);
    }
    refusal = next;
  }

  return {
    /** Resolves when the store can be used. Rejects with `UnusableStore`. It stays pending if `stop` is called first. */
    connected,
    /**
     * Call this before each use of the store.
     * @throws AppError `unavailable`, which says why the store cannot be used yet
     */
    requireReady(): void {
      if (refusal !== null) throw refusal;
    },
    /** Ends the attempts, and waits for the running one. */
    async stop(): Promise<void> {
      stopped.abort();
      await trying;
    },
  };
}
