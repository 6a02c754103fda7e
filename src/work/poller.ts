/** Polls on a timer. Runs never overlap, and at most one waits. */
import { createFailureNotes } from "./failure-notes.ts";

export interface Poller {
  /** `stopped` is final. A long run checks it, and ends early. */
  readonly state: "idle" | "started" | "stopped";
  /** Starts to poll. */
  start(): void;
  /**
   * Runs once more, unless it was stopped. If a run is already waiting, the call shares that run, because it has not read
   * anything yet.
   * @returns when that run has ended
   */
  again(): Promise<void>;
  /** Begins no more runs. Resolves when the current run has ended. */
  stop(): Promise<void>;
}

export function createPoller(parts: {
  look: () => Promise<void>;
  everyMs: number;
  /** Called for the first of several runs in a row that fail for one reason. */
  onError: (error: unknown) => void;
  /** Called for the first run that succeeds after that. */
  onRecovery: () => void;
}): Poller {
  const notes = createFailureNotes(parts);
  let state: Poller["state"] = "idle";
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;

  async function look(): Promise<void> {
    waiting = undefined;
    if (state !== "stopped") await parts.look().then(notes.succeeded, notes.failed);
  }

  function again(): Promise<void> {
    if (waiting !== undefined) return waiting;
    last = last.then(look);
    waiting = last;
    return last;
  }

  return {
    get state() {
      return state;
    },
    start() {
      if (state !== "idle") return;
      state = "started";
      timer = setInterval(() => void again(), parts.everyMs).unref();
    },
    again,
    async stop() {
      state = "stopped";
      clearInterval(timer);
      await last;
    },
  };
}
