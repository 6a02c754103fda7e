/** Ctrl-C, and what stands for it where there is no terminal. */
import type { EventEmitter } from "node:events";

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
type Signal = keyof typeof SIGNALS;

/** Signals that come so soon after the first are one: a terminal and npm both pass on a single Ctrl-C. */
const ONE_STOP_MS = 500;

/** Everything is let go in order by then, or not at all; an orchestrator kills what is still there after 10 seconds. */
const DEADLINE_MS = 9_000;

/** The process and its time; a test hands in its own. */
export interface StopParts {
  signals: EventEmitter;
  /** Milliseconds that never go back. */
  now: () => number;
  /** Calls back once, after some milliseconds, unless the process ends before. */
  later: (work: () => void, ms: number) => void;
  /** Ends the process at once, as the signal ends one that does not listen to it. */
  die: (signal: NodeJS.Signals, exitCode: number) => void;
}

export interface StopOptions {
  /** Called when the time to stop in good order is over, just before the process is ended. */
  onDeadline?: () => void;
}

export interface Stop {
  /** Resolves when a signal came, to the exit code that shells give a process that it ended; or when `begin` is called. */
  asked: Promise<number>;
  /** Begins to stop without a signal, for a fault. */
  begin: (exitCode: number) => void;
}

/**
 * From now on these signals no longer end the process: the first asks it to stop, and from then on it has a deadline.
 * A second signal ends it at once.
 */
export function watchForStop({ onDeadline }: StopOptions = {}, parts: StopParts = systemParts): Stop {
  const { promise: asked, resolve } = Promise.withResolvers<number>();
  let begunAt: number | undefined;

  function begin(exitCode: number, signal: NodeJS.Signals = "SIGKILL"): void {
    if (begunAt !== undefined) return;
    begunAt = parts.now();
    parts.later(() => {
      onDeadline?.();
      parts.die(signal, exitCode);
    }, DEADLINE_MS);
    resolve(exitCode);
  }

  for (const [signal, number] of Object.entries(SIGNALS) as [Signal, number][]) {
    parts.signals.on(signal, () => {
      if (begunAt === undefined) begin(128 + number, signal);
      else if (parts.now() - begunAt > ONE_STOP_MS) parts.die(signal, 128 + number);
    });
  }
  return { asked, begin: (exitCode) => begin(exitCode) };
}

const systemParts: StopParts = {
  signals: process,
  now: () => performance.now(),
  later: (work, ms) => void setTimeout(work, ms).unref(),
  die(signal, exitCode) {
    // Not by `process.exit`, which waits for threads, and so for a long statement or a name that is being resolved.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // The first process of a container outlives its own signals.
    process.exit(exitCode);
  },
};
