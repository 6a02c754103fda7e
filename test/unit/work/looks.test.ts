import { expect, it } from "vitest";

import { createLooks } from "../../../src/work/looks.ts";

it("keeps one look waiting, however many ask while a look does not end", async () => {
  const ends: (() => void)[] = [];
  const looks = createLooks({
    look: () => new Promise((resolve) => void ends.push(resolve)),
    everyMs: 1_000,
    onError: () => {},
  });
  const first = looks.again();
  await Promise.resolve();
  const others = Array.from({ length: 100 }, () => looks.again());
  expect(new Set(others).size).toBe(1);
  expect(others[0]).not.toBe(first);
  ends.shift()?.();
  await first;
  const later = looks.again();
  expect(later).not.toBe(others[0]);
  ends.shift()?.();
  await others[0];
  ends.shift()?.();
  await later;
  await looks.stop();
  expect(ends).toEqual([]);
});

it("tells of a look that fails, and goes on with the next one", async () => {
  const failures: unknown[] = [];
  let times = 0;
  const looks = createLooks({
    look: () => (times++ === 0 ? Promise.reject(new Error("away")) : Promise.resolve()),
    everyMs: 1_000,
    onError: (error) => failures.push(error),
  });
  await looks.again();
  await looks.again();
  expect([failures, times]).toEqual([[new Error("away")], 2]);
});

it("begins no look once it was stopped, not even one that waits, and waits for the running one", async () => {
  const ends: (() => void)[] = [];
  const looks = createLooks({
    look: () => new Promise((resolve) => void ends.push(resolve)),
    everyMs: 1_000,
    onError: () => {},
  });
  void looks.again();
  await Promise.resolve();
  void looks.again();
  let hasStopped = false;
  const stopped = looks.stop().then(() => (hasStopped = true));
  await Promise.resolve();
  expect([hasStopped, ends.length]).toEqual([false, 1]);
  ends[0]?.();
  await stopped;
  await looks.again();
  expect([ends.length, looks.state]).toEqual([1, "stopped"]);
});
