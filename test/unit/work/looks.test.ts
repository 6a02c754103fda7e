import { expect, it } from "vitest";

import { createLooks } from "../../../src/work/looks.ts";

it("keeps one look waiting, however many ask while a look does not end", async () => {
  const ends: (() => void)[] = [];
  const looks = createLooks(() => new Promise((resolve) => void ends.push(resolve)));
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
  await looks.idle();
  expect(ends).toEqual([]);
});
