import fc from "fast-check";
import { expect, it } from "vitest";

import { firstCandidates } from "../../../../src/graph/lineage-index/key-order.ts";
import type { LineageIndex } from "../../../../src/graph/lineage-index/lineage-index.ts";

/** An index in which only places are known: node 7 times n is at place n, and odd multiples above 700,000 have none. */
const index = {
  rank: (node: number) => (node > 700_000 && node % 2 === 1 ? 0 : node / 7),
  nodeAt: (rank: number) => rank * 7,
} as LineageIndex;

it("The first candidates are the nodes with the first places, in their order, and all nodes without a place", () => {
  const nodes = fc.uniqueArray(
    fc.integer({ min: 1, max: 200_000 }).map((place) => place * 7),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(nodes, fc.integer({ min: 1, max: 250 }), (some, room) => {
      const isPlaced = (node: number): boolean => index.rank(node) > 0;
      const placed = some.filter(isPlaced).toSorted((a, b) => a - b);
      expect(firstCandidates(index, some, room)).toEqual({
        known: placed.slice(0, room),
        unknown: some.filter((node) => !isPlaced(node)),
      });
    }),
  );
});
