/** Handles Ctrl-C and the other signals that stop a process. */
import type { EventEmitter } from "node:events";

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
type Signal = keyof typeof SIGNALS;

/** Signals within this time count as one, because a terminal and npm both pass on a single Ctrl-C. */
const ONE_STOP_MS = 500;

/** The time limit for an orderly stop. Orchestrators kill a process after 10 seconds. */
const DEADLINE_MS = 9_000;

/** The process and its timers. Tests inject their own. */
export interface StopParts {
  signals: EventEmitter;
  /** Milliseconds that never go back. */
  now: () => number;
  /** Calls back once after some milliseconds. It does not keep the process alive. */
  later: (work: () => void, ms: number) => void;
  /** Ends the process at once, as the signal does for a process without a handler. */
  die: (signal: NodeJS.Signals, exitCode: number) => void;
}

export interface StopOptions {
  /** Called when the time for an orderly stop is over, just before the process ends. */
  onDeadline?: () => void;
}

export interface Stop {
  /** Resolves when a signal comes or `begin` is called. The value is the shells' exit code for that signal. */
  asked: Promise<number>;
  /** Begins to stop without a signal, because of an error. */
  begin: (exitCode: number) => void;
}

/**
 * From now on, these signals no longer end the process. The first signal asks it to stop, and a time limit begins. A
 * second signal ends it at once.
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
    // `process.exit` would wait for threads, and so for a long statement or a DNS lookup.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // The first process of a container is not ended by its own signals.
    process.exit(exitCode);
  },
};
