import { expect, it } from "vitest";

import { readAhead } from "../../../src/work/read-ahead.ts";

/** Yields 1 to 3, and records the start of each and the end. */
async function* count(notes: string[], failsAt = Infinity): AsyncGenerator<number> {
  try {
    for (let i = 1; i <= 3; i++) {
      notes.push(`begin ${i}`);
      await Promise.resolve();
      if (i === failsAt) throw new Error(`no ${i}`);
      yield i;
    }
  } finally {
    notes.push("stop");
  }
}

it("readAhead starts one item before the one before has been used, and no more", async () => {
  const notes: string[] = [];
  for await (const item of readAhead(count(notes))) {
    await Promise.resolve();
    notes.push(`use ${item}`);
  }
  expect(notes).toEqual(["begin 1", "begin 2", "use 1", "begin 3", "use 2", "stop", "use 3"]);
});

it("readAhead throws the error of an item in the item's place", async () => {
  const used: number[] = [];
  const reading = async () => {
    for await (const item of readAhead(count([], 3))) used.push(item);
  };
  await expect(reading()).rejects.toThrow("no 3");
  expect(used).toEqual([1, 2]);
});

it("readAhead stops its source when the caller stops, even if the next item fails", async () => {
  const notes: string[] = [];
  const reading = async () => {
    for await (const item of readAhead(count(notes, 2))) throw new Error(`enough at ${item}`);
  };
  await expect(reading()).rejects.toThrow("enough at 1");
  expect(notes).toEqual(["begin 1", "begin 2", "stop"]);
});
