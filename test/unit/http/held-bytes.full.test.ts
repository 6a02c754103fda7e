import { expect, it } from "vitest";

import { HeldBytes } from "../../../src/http/body/held-bytes.ts";
import { heapInUse } from "../../support/heap.ts";

const MEBIBYTE = 1024 ** 2;

it("A megabyte that arrives byte by byte takes a megabyte of memory", async () => {
  const held = new HeldBytes(Infinity);
  const before = await heapInUse();
  for (let n = 0; n < MEBIBYTE; n++) held.add(Buffer.from([n % 256]));
  expect((await heapInUse()) - before).toBeLessThan(2 * MEBIBYTE);
  expect(held.size).toBe(MEBIBYTE);
});
