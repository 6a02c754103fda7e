import { expect, it } from "vitest";

import { createStoreWatch } from "../../../src/work/store-watch.ts";
import { heapInUse } from "../../support/heap.ts";

it("A watched store keeps nothing of requests that were answered", async () => {
  const watch = createStoreWatch({
    probe: () => ({ answer: new Promise(() => {}), end: () => {} }),
    isAway: () => false,
    isAnswer: () => false,
    onAway: () => {},
    countdown: () => () => {},
    nowMs: () => 0,
  });
  const askOften = async () => {
    for (let i = 0; i < 20_000; i++) await watch.answerOf(async () => i);
  };
  await askOften();
  const before = await heapInUse();
  await askOften();
  expect((await heapInUse()) - before).toBeLessThan(1_000_000);
});
