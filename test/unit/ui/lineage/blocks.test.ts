import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { placeMembers, planBlocks } from "../../../../src/ui/pages/lineage/layout/blocks.ts";
import { findNext } from "../../../../src/ui/pages/lineage/model/move.ts";
import type { Box } from "../../../../src/ui/pages/lineage/model/sizes.ts";

const SIZE = { width: 224, height: 54 };
const sizesOf = (ids: readonly string[]) => new Map(ids.map((id) => [id, SIZE] as const));
const numbered = (count: number, name: string): string[] => Array.from({ length: count }, (_, i) => `${name} ${i}`);

const toAll = (ids: readonly string[]) => ids.map((to) => ({ from: "hub", to }));

/** A rough version of the engine's layout: all boxes below one another. */
function stack(sizes: ReadonlyMap<string, { width: number; height: number }>): Map<string, Box> {
  let y = 0;
  return new Map(
    [...sizes].map(([id, size]) => {
      const box = { x: 100, y, ...size };
      y += size.height + 16;
      return [id, box];
    }),
  );
}

function layOut(ids: readonly string[], lines: readonly { from: string; to: string }[], root = "hub") {
  const plan = planBlocks({ sizes: sizesOf(ids), lines }, root);
  return { plan, boxes: placeMembers(stack(plan.sizes), plan.blocks) };
}

describe("Blocks of nodes that share their neighbours", () => {
  it("Many nodes with the same neighbours form a block of several columns, in their order, with the fold at the end", () => {
    const leaves = [...numbered(49, "leaf"), "fold"];
    const { plan, boxes } = layOut(
      ["hub", ...leaves],
      leaves.map((to) => ({ from: "hub", to })),
    );
    expect([...plan.sizes.keys()]).toEqual(["hub", "block 0"]);
    expect(plan.lines).toEqual([{ from: "hub", to: "block 0" }]);
    const placed = leaves.map((id) => boxes.get(id) as Box);
    expect(new Set(placed.map(({ x }) => x)).size).toBe(4);
    expect(leaves.toSorted((a, b) => order(boxes, a) - order(boxes, b))).toEqual(leaves);
    const { width = 0, height = 0 } = plan.sizes.get("block 0") ?? {};
    expect(width / height).toBeGreaterThan(0.7);
    expect(width / height).toBeLessThan(2);
  });

  it("Nodes form no block if they are few, are linked to each other, or have other neighbours", () => {
    const few = numbered(14, "leaf");
    expect(layOut(["hub", ...few], toAll(few)).plan.blocks.size).toBe(0);
    const many = numbered(20, "leaf");
    const chain = many.slice(1).map((to, i) => ({ from: `leaf ${i}`, to }));
    expect(layOut(["hub", ...many], [...toAll(many), ...chain]).plan.blocks.size).toBe(0);
    const one = { from: "leaf 3", to: "other" };
    const { plan } = layOut(["hub", ...many, "other"], [...toAll(many), one]);
    expect([...plan.sizes.keys()]).toEqual(["hub", "block 0", "leaf 3", "other"]);
    expect(plan.lines).toContainEqual({ from: "hub", to: "leaf 3" });
  });

  it("Nodes form one block on each side, and one between two nodes", () => {
    const [up, down, between] = [numbered(15, "up"), numbered(15, "down"), numbered(15, "between")];
    const lines = [
      ...up.map((from) => ({ from, to: "hub" })),
      ...down.map((to) => ({ from: "hub", to })),
      ...between.flatMap((id) => [
        { from: "hub", to: id },
        { from: id, to: "end" },
      ]),
    ];
    const { plan } = layOut(["hub", "end", ...up, ...down, ...between], lines);
    expect(plan.lines).toEqual([
      { from: "block 0", to: "hub" },
      { from: "hub", to: "block 1" },
      { from: "hub", to: "block 2" },
      { from: "block 2", to: "end" },
    ]);
  });

  it("The nodes of a block never overlap, and stay within the room that the engine gave to the block", () => {
    const height = fc.integer({ min: 34, max: 400 });
    fc.assert(
      fc.property(fc.array(height, { minLength: 15, maxLength: 120 }), (heights) => {
        const ids = heights.map((_, i) => `leaf ${i}`);
        const sizes = new Map(ids.map((id, i) => [id, { width: 224, height: heights[i] ?? 0 }] as const));
        const plan = planBlocks({ sizes, lines: ids.map((to) => ({ from: "hub", to })) }, "hub");
        const engine = stack(plan.sizes);
        const room = engine.get("block 0") as Box;
        const boxes = [...placeMembers(engine, plan.blocks).values()];
        expect(boxes).toHaveLength(ids.length);
        for (const [i, one] of boxes.entries()) {
          expect(one.x >= room.x && one.x + one.width <= room.x + room.width).toBe(true);
          expect(one.y >= room.y && one.y + one.height <= room.y + room.height).toBe(true);
          for (const other of boxes.slice(i + 1)) expect(overlaps(one, other)).toBe(false);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("The arrow keys walk through a block row by row, and leave it at its edge", () => {
    const leaves = numbered(26, "leaf");
    const lines = leaves.map((to) => ({ from: "hub", to }));
    const { boxes } = layOut(["hub", ...leaves], lines);
    const rows = leaves.filter((id) => boxes.get(id)?.x === boxes.get("leaf 0")?.x).length;
    expect(findNext("leaf 0", "ArrowRight", lines, boxes)).toBe(`leaf ${rows}`);
    expect(findNext(`leaf ${rows}`, "ArrowLeft", lines, boxes)).toBe("leaf 0");
    expect(findNext("leaf 0", "ArrowLeft", lines, boxes)).toBe("hub");
    expect(findNext(`leaf ${rows}`, "ArrowDown", lines, boxes)).toBe(`leaf ${rows + 1}`);
    expect(findNext("leaf 25", "ArrowRight", lines, boxes)).toBeNull();
  });
});

function order(boxes: ReadonlyMap<string, Box>, id: string): number {
  const { x = 0, y = 0 } = boxes.get(id) ?? {};
  return x * 10_000 + y;
}

function overlaps(one: Box, other: Box): boolean {
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x;
  return !isBeside && one.y < other.y + other.height && other.y < one.y + one.height;
}
