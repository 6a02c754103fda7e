import fc from "fast-check";
import { expect, it } from "vitest";

import { HeldBytes } from "../../../src/http/body/held-bytes.ts";

const KIB = 1024;

it("HeldBytes returns the bytes that were added, whatever the sizes of the chunks", () => {
  const sizes = fc.array(fc.oneof(fc.nat(10), fc.nat(600 * KIB)), { maxLength: 6 });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const held = new HeldBytes(Infinity);
      const chunks = lengths.map((length, at) => Buffer.alloc(length, at + 1));
      for (const chunk of chunks) expect(held.add(chunk)).toBe(true);
      const all = Buffer.concat(chunks);
      expect(Buffer.concat([...held]).equals(all)).toBe(true);
      expect(held.size).toBe(all.length);
    }),
    { numRuns: 50 },
  );
});

it("HeldBytes refuses a chunk beyond its limit, and keeps the bytes before it", () => {
  const held = new HeldBytes(5);
  expect([held.add(Buffer.from("abc")), held.add(Buffer.from("def")), held.add(Buffer.from("de"))]).toEqual([
    true,
    false,
    true,
  ]);
  expect(Buffer.concat([...held]).toString()).toBe("abcde");
});

it("HeldBytes reports its memory block by block", () => {
  const blocks: number[] = [];
  const held = new HeldBytes(Infinity, (bytes) => blocks.push(bytes));
  held.add(Buffer.alloc(1));
  held.add(Buffer.alloc(300 * KIB));
  expect(blocks).toEqual([256 * KIB, 256 * KIB]);
});
