/** A worker thread that fails on request, for tests of what its callers then get. */
import { getPriority } from "node:os";
import { threadId } from "node:worker_threads";

import { AppError } from "../../src/errors.ts";
import { serveTasks } from "../../src/work/serve-tasks.ts";
import { CalledOff } from "../../src/work/task.ts";

/** The calls that it accepts. */
export interface FrailCalls {
  answer: (value: number) => number;
  answerLater: (value: number) => Promise<number>;
  refuseLater: () => Promise<void>;
  tellThread: () => number;
  /** Its priority as in `nice`. */
  tellNiceness: () => number;
  /** The data that the pool gave to the thread. */
  tellData: () => unknown;
  refuse: () => void;
  fail: () => void;
  /** Ends the thread without an error. */
  exit: () => void;
  /** Ends the thread by an uncaught error. */
  break: () => Promise<void>;
  /** Allocates memory until none is left. */
  grow: () => void;
  /** Fails with an error after which the pool must replace the thread. */
  spend: () => void;
  /** Raises the number and sleeps until it is lowered again. */
  hold: (gate: Int32Array) => void;
  /** Raises the number, works until no caller waits for it, and then lowers the number. */
  workOn: (gate: Int32Array) => void;
  /** Raises the number and never ends, even if the caller leaves. */
  spin: (gate: Int32Array) => never;
}

class Spent extends Error {}

export const serve = serveTasks<FrailCalls>(
  (data, isCalledOff) => ({
    answer: (value) => value,
    async answerLater(value) {
      return await Promise.resolve(value);
    },
    async refuseLater() {
      await Promise.resolve();
      throw new AppError("conflict", "not so");
    },
    tellThread: () => threadId,
    tellNiceness: () => getPriority(),
    tellData: () => data,
    refuse() {
      throw new AppError("conflict", "not so", { details: { reason: "test" }, retryAfterSeconds: 7 });
    },
    fail() {
      throw new TypeError("a fault");
    },
    exit: () => process.exit(3),
    break() {
      setImmediate(() => {
        throw new Error("broken inside");
      });
      return Promise.withResolvers<void>().promise;
    },
    grow() {
      for (const hoard: string[][] = []; ;) hoard.push(Array.from({ length: 10_000 }, () => ""));
    },
    spend() {
      throw new Spent("spent");
    },
    hold(gate) {
      raise(gate);
      Atomics.wait(gate, 0, 1);
    },
    workOn(gate) {
      raise(gate);
      while (!isCalledOff()) {
        // Continues to work.
      }
      Atomics.store(gate, 0, 0);
      throw new CalledOff();
    },
    spin(gate) {
      raise(gate);
      for (;;) {
        // Works for ever.
      }
    },
  }),
  { isFatal: (error) => error instanceof Spent },
);

function raise(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}
