import { expect, it } from "vitest";

import { createPoller } from "../../../src/work/poller.ts";

it("At most one poll waits, however many ask while one is running", async () => {
  const ends: (() => void)[] = [];
  const looks = createPoller({
    look: () => new Promise((resolve) => void ends.push(resolve)),
    everyMs: 1_000,
    onError: () => {},
    onRecovery: () => {},
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

it("The poller continues after polls that fail, and reports an error once until a poll succeeds", async () => {
  const told: string[] = [];
  const outcomes = ["away", "away", "away", "refused", "ok", "ok", "refused", "ok"];
  const looks = createPoller({
    look: async () => {
      const outcome = outcomes.shift();
      if (outcome !== "ok") throw new Error(outcome);
    },
    everyMs: 1_000,
    onError: (error) => told.push(String(error)),
    onRecovery: () => told.push("over"),
  });
  while (outcomes.length > 0) await looks.again();
  expect(told).toEqual(["Error: away", "Error: refused", "over", "Error: refused", "over"]);
});

it("A stopped poller starts no poll, not even a waiting one, and waits for the running one", async () => {
  const ends: (() => void)[] = [];
  const looks = createPoller({
    look: () => new Promise((resolve) => void ends.push(resolve)),
    everyMs: 1_000,
    onError: () => {},
    onRecovery: () => {},
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
