/** Polls on a timer. Runs never overlap, and at most one waits. */
import { createFailureNotes } from "./failure-notes.ts";

export interface Poller {
  /** `stopped` is for ever. A look that takes long asks for it. */
  readonly state: "idle" | "started" | "stopped";
  /** Looks every so often from now on. */
  start(): void;
  /**
   * Looks once more, unless they were stopped. If a look waits for the running one already, that is the one: it has not
   * seen anything yet.
   * @returns when that look has ended
   */
  again(): Promise<void>;
  /** Begins no more looks. Resolves when the running one has ended. */
  stop(): Promise<void>;
}

export function createPoller(parts: {
  look: () => Promise<void>;
  everyMs: number;
  /** Called for the first of several looks that fail for one reason. */
  onError: (error: unknown) => void;
  /** Called for the first look that succeeds after that. */
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
