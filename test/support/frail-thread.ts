/** A worker thread that does to itself what it is told, for tests of what its callers see then. */
import { threadId } from "node:worker_threads";

import { AppError } from "../../src/errors.ts";
import { serveTasks } from "../../src/work/serve-tasks.ts";
import { CalledOff } from "../../src/work/task.ts";

/** What it can be asked. */
export interface FrailCalls {
  answer: (value: number) => number;
  answerLater: (value: number) => Promise<number>;
  refuseLater: () => Promise<void>;
  tellThread: () => number;
  /** What the pool gave it. */
  tellData: () => unknown;
  refuse: () => void;
  fail: () => void;
  /** Ends without a word. */
  exit: () => void;
  /** Ends by an error that nobody catches. */
  break: () => Promise<void>;
  /** Takes memory until there is none. */
  grow: () => void;
  /** Says that it must not go on. */
  spend: () => void;
  /** Raises the number and sleeps until it is lowered again. */
  hold: (gate: Int32Array) => void;
  /** Raises the number, and works until nobody waits for it; lowers the number then. */
  workOn: (gate: Int32Array) => void;
  /** Raises the number and never ends, whoever is gone. */
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
        // Works on.
      }
      Atomics.store(gate, 0, 0);
      throw new CalledOff();
    },
    spin(gate) {
      raise(gate);
      for (;;) {
        // Works on for ever.
      }
    },
  }),
  { isFatal: (error) => error instanceof Spent },
);

function raise(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}
