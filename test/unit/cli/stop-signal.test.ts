import { EventEmitter } from "node:events";

import { expect, it } from "vitest";

import { watchForStop } from "../../../src/cli/stop-signal.ts";

/** A process whose signals, clock and end are controlled by the test. */
function createProcess() {
  const signals = new EventEmitter();
  const timers: { work: () => void; ms: number }[] = [];
  const ends: [signal: string, exitCode: number][] = [];
  const words: string[] = [];
  let time = 0;
  const stop = watchForStop(
    { onDeadline: () => words.push("too late") },
    {
      signals,
      now: () => time,
      later: (work, ms) => void timers.push({ work, ms }),
      die: (signal, exitCode) => void ends.push([signal, exitCode]),
    },
  );
  return {
    stop,
    timers,
    ends,
    words,
    signalAt(ms: number, signal: string) {
      time = ms;
      signals.emit(signal);
    },
  };
}

it.each([
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
])("A first %s is a request to stop, with the exit code %i", async (signal, exitCode) => {
  const { stop, ends, signalAt } = createProcess();
  signalAt(0, signal);
  expect(await stop.asked).toBe(exitCode);
  expect(ends).toEqual([]);
});

it("Signals within half a second count as one, because a terminal and npm send several", () => {
  const { ends, signalAt } = createProcess();
  signalAt(1_000, "SIGINT");
  signalAt(1_001, "SIGINT");
  signalAt(1_500, "SIGTERM");
  expect(ends).toEqual([]);
});

it("A second signal ends the process at once", () => {
  const { ends, signalAt } = createProcess();
  signalAt(1_000, "SIGTERM");
  signalAt(1_501, "SIGINT");
  expect(ends).toEqual([["SIGINT", 130]]);
});

it("The process reports a missed deadline nine seconds after the first signal, and ends by that signal", () => {
  const { ends, words, timers, signalAt } = createProcess();
  signalAt(0, "SIGTERM");
  signalAt(100, "SIGINT");
  expect(timers.map(({ ms }) => ms)).toEqual([9_000]);
  timers[0]?.work();
  expect([words, ends]).toEqual([["too late"], [["SIGTERM", 143]]]);
});

it("A stop after a fault has the same deadline, and a signal still ends the process", async () => {
  const { stop, ends, timers, signalAt } = createProcess();
  stop.begin(1);
  stop.begin(1);
  expect(await stop.asked).toBe(1);
  expect(timers).toHaveLength(1);
  signalAt(501, "SIGINT");
  timers[0]?.work();
  expect(ends).toEqual([
    ["SIGINT", 130],
    ["SIGKILL", 1],
  ]);
});
