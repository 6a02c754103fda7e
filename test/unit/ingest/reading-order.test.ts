import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createReadingOrder } from "../../../src/ingest/reading-order.ts";

interface Item {
  id: string;
  reads: string[];
}

/** Takes everything, as a crawl does, and returns the items of each batch. */
function takeAll(items: readonly Item[], most: number): string[][] {
  const order = createReadingOrder(items, ({ reads }) => reads);
  const taken: string[][] = [];
  for (let batch = order.next(most); batch.length > 0; batch = order.next(most)) {
    taken.push(batch.map(({ id }) => id));
    for (const { id } of batch) order.done(id);
  }
  return taken;
}

describe("The order in which SQL is read", () => {
  it("Each item is read once, after its sources, if there is no cycle", () => {
    const graph = fc.array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 30 });
    fc.assert(
      fc.property(graph, fc.integer({ min: 1, max: 5 }), fc.boolean(), (reads, most, backwards) => {
        const items = reads.map((own, i): Item => ({
          id: `i${i}`,
          reads: own.filter((other) => other < i).map((other) => `i${other}`),
        }));
        const flat = takeAll(backwards ? items.toReversed() : items, most).flat();
        expect(flat.toSorted()).toEqual(items.map(({ id }) => id).toSorted());
        const positions = new Map(flat.map((id, index) => [id, index]));
        for (const item of items) {
          for (const other of item.reads) expect(positions.get(other)).toBeLessThan(positions.get(item.id) ?? -1);
        }
      }),
    );
  });

  it("Each item is read once if there are cycles", () => {
    const graph = fc.array(fc.array(fc.nat(12), { maxLength: 3 }), { maxLength: 12 });
    fc.assert(
      fc.property(graph, fc.integer({ min: 1, max: 5 }), (reads, most) => {
        const items = reads.map((own, i): Item => ({ id: `i${i}`, reads: own.map((other) => `i${other}`) }));
        expect(takeAll(items, most).flat().toSorted()).toEqual(items.map(({ id }) => id).toSorted());
      }),
    );
  });

  it("The items of a cycle are read together, and their readers after them", () => {
    const items = [
      { id: "last", reads: ["b"] },
      { id: "a", reads: ["b"] },
      { id: "b", reads: ["a", "first"] },
      { id: "first", reads: [] },
    ];
    expect(takeAll(items, 1)).toEqual([["first"], ["a", "b"], ["last"]]);
  });

  it("An item waits for sources that are found later, but not for an item that waits for it", () => {
    const items: Item[] = [
      { id: "a", reads: [] },
      { id: "b", reads: ["a"] },
      { id: "c", reads: [] },
    ];
    const order = createReadingOrder(items, ({ reads }) => reads);
    expect(order.next(1)).toMatchObject([{ id: "a" }]);
    order.again("a", ["c", "b"]);
    expect(order.next(9)).toMatchObject([{ id: "c" }]);
    order.done("c");
    expect(order.next(9)).toMatchObject([{ id: "a" }]);
    order.done("a");
    expect(order.next(9)).toMatchObject([{ id: "b" }]);
  });
});
