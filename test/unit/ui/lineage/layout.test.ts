import ELK from "elkjs/lib/elk.bundled.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { layOut } from "../../../../src/ui/pages/lineage/layout/layout.ts";
import { linkKey } from "../../../../src/ui/pages/lineage/model/graph.ts";
import { isBehind } from "../../../../src/ui/pages/lineage/model/lines.ts";
import type { Box } from "../../../../src/ui/pages/lineage/model/sizes.ts";
import { atDepth } from "../../../support/depth.ts";
import { present } from "../../../support/present.ts";

const engine = new ELK.default();
const SIZE = { width: 224, height: 54 };

function parse(text: string) {
  const lines = text.split(",").map((each) => {
    const [from = "", to = ""] = each.split(">").map((name) => name.trim());
    return { from, to };
  });
  return { lines, sizes: new Map(lines.flatMap(({ from, to }) => [from, to]).map((name) => [name, SIZE] as const)) };
}

const place = async (text: string, before: ReadonlyMap<string, Box> | null = null) =>
  (await layOut(engine, { root: "root", before, last: new Set(["d1", "d2", "d3"]), ...parse(text) })).boxes;

const inColumn = (boxes: ReadonlyMap<string, Box>, a: string, b: string) => boxes.get(a)?.x === boxes.get(b)?.x;
const isAbove = (boxes: ReadonlyMap<string, Box>, a: string, b: string) =>
  (boxes.get(a)?.y ?? 0) < (boxes.get(b)?.y ?? 0);

/** The pairs below each other in one column whose order another picture turns round. */
function listTurned(before: ReadonlyMap<string, Box>, after: ReadonlyMap<string, Box>): string[] {
  const names = [...before.keys()];
  return names.flatMap((a) =>
    names
      .filter((b) => a !== b && inColumn(before, a, b) && inColumn(after, a, b))
      .filter((b) => isAbove(before, a, b) && !isAbove(after, a, b))
      .map((b) => `${a} ${b}`),
  );
}

const KIDS = Array.from({ length: 8 }, (_, kid) => `root > k${kid}`).join(",");
const HUB = Array.from({ length: 30 }, (_, kid) => `root > k${kid}`).join(",");

describe("The layout of a picture that grows", () => {
  it("Nodes keep their order when a hop is opened, and would not without the picture before", async () => {
    const before = await place(`a > root, b > root, ${KIDS}`);
    const opened = `a > root, b > root, ${KIDS}, k6 > n0, k6 > n1, k1 > n1, k6 > n2, u0 > k3, u1 > k3, u1 > k7`;
    expect(listTurned(before, await place(opened))).not.toEqual([]);
    const after = await place(opened, before);
    expect(listTurned(before, after)).toEqual([]);
    const column = Array.from({ length: 8 }, (_, kid) => after.get(`k${kid}`)?.x);
    expect(new Set(column).size).toBe(1);
  });

  it("Nodes keep their order whatever is opened", async () => {
    const edge = fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 4 }));
    await fc.assert(
      fc.asyncProperty(fc.array(edge, { minLength: 1, maxLength: 8 }), async (opens) => {
        const before = await place(`a > root, ${KIDS}`);
        const added = opens.map(([of, to]) => `k${of % 8} > n${to}`).join(",");
        expect(listTurned(before, await place(`a > root, ${KIDS}, ${added}`, before))).toEqual([]);
      }),
      { numRuns: atDepth(4, 15) },
    );
  });

  it("Further neighbours come below those that are shown", async () => {
    const before = await place(KIDS);
    const after = await place(`${KIDS}, root > k8, root > k9`, before);
    const tops = Array.from({ length: 10 }, (_, kid) => after.get(`k${kid}`)?.y ?? 0);
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  });

  it("The nodes for the last column are in it, close together", async () => {
    const boxes = await place("root > a, a > b, b > d1, a > d2, root > d3, b > c, c > e");
    const [d1, d2, d3] = ["d1", "d2", "d3"].map((name) => boxes.get(name));
    expect([d2?.x, d3?.x, boxes.get("e")?.x]).toEqual([d1?.x, d1?.x, d1?.x]);
    const tops = [d1?.y ?? 0, d2?.y ?? 0, d3?.y ?? 0];
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(3 * 70);
  });

  it("A node stays in its block when a hop is opened from it", async () => {
    const before = await place(HUB);
    const after = await place(`${HUB}, k7 > n0, k7 > n1`, before);
    const moved = [...before].map(([id, { x, y }]) => {
      const now = after.get(id);
      return now?.block === undefined ? id : `${Math.round(now.x - x)} ${Math.round(now.y - y)}`;
    });
    expect(new Set(moved.slice(1)).size).toBe(1);
    expect(after.get("n0")?.x).toBeGreaterThan(after.get("k7")?.block?.right ?? Infinity);
  });
});

describe("The lines of a large picture", () => {
  const MANY = Array.from({ length: 130 }, (_, kid) => `root > k${kid}, k${kid} > l${kid}`).join(",");

  it("A line that would run behind another node goes round it, and all others are one curve", async () => {
    const past = Array.from({ length: 8 }, (_, kid) => `a${kid} > root, a${kid} > b${kid}, root > b${kid}`);
    const text = `${past.join(",")}, ${MANY}`;
    const input = { root: "root", before: null, last: new Set<string>(), ...parse(text) };
    const { boxes, routes } = await layOut(engine, input);
    const isHidden = ({ from, to }: { from: string; to: string }): boolean => {
      const [source, target] = [present(boxes.get(from)), present(boxes.get(to))];
      return [...boxes.values()].some((box) => isBehind(source, target, box));
    };
    const hidden = input.lines.filter(isHidden).map(linkKey);
    expect(hidden).not.toEqual([]);
    expect(hidden.length).toBeLessThan(input.lines.length / 10);
    expect(new Set(routes.keys())).toEqual(new Set(hidden));
  });
});
