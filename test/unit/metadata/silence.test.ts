import { expect, it } from "vitest";

import { watchForSilence } from "../../../src/metadata/postgres/silence.ts";
import { heapInUse } from "../../support/heap.ts";

it("keeps nothing of answers that came", async () => {
  const silence = watchForSilence("postgres://127.0.0.1:1/never-asked");
  const askOften = async () => {
    for (let i = 0; i < 20_000; i++) await silence.answerOf(Promise.resolve(i));
  };
  await askOften();
  const before = await heapInUse();
  await askOften();
  expect((await heapInUse()) - before).toBeLessThan(1_000_000);
  silence.close();
});

it("hands on what a question fails with", async () => {
  const silence = watchForSilence("postgres://127.0.0.1:1/never-asked");
  await expect(silence.answerOf(Promise.reject(new Error("no such table")))).rejects.toThrow("no such table");
  silence.close();
});
