import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { findShortestPaths, type ShortestPaths, type Walk } from "../../../src/tools/shortest-paths.ts";
import { present } from "../../support/present.ts";

type Edge = Walk["edges"][number];

/** A walk as the graph returns it: nodes by depth, then by id. */
function walkOf(root: string, direction: Walk["direction"], edges: readonly Edge[]): Walk {
  const depths = new Map([[root, 0]]);
  for (const id of depths.keys()) {
    const depth = (depths.get(id) ?? 0) + 1;
    for (const { from, to } of edges) {
      const [near, far] = direction === "downstream" ? [from, to] : [to, from];
      if (near === id && !depths.has(far)) depths.set(far, depth);
    }
  }
  depths.delete(root);
  const nodes = [...depths].map(([id, depth]) => ({ id, depth }));
  return { root, direction, edges, nodes: nodes.toSorted((a, b) => a.depth - b.depth || (a.id < b.id ? -1 : 1)) };
}

const edge = (pair: string): Edge => ({ from: pair.charAt(0), to: pair.charAt(1) });
const edges = (pairs: string): Edge[] => pairs.split(" ").map(edge);

function findPaths(walk: Walk, target: string): Promise<ShortestPaths | null> {
  return findShortestPaths(walk, target, { nextTurn: async () => {} });
}

/** Finds the shortest paths by trying all paths. */
function tryAll({ root, direction, edges: all }: Walk, target: string): string[][] {
  let level = [[root]];
  for (let hops = 0; hops < 10 && level.length > 0; hops++) {
    const there = level.filter((way) => way.at(-1) === target);
    if (there.length > 0) return there;
    level = level.flatMap((way) => {
      const next = all.flatMap(({ from, to }) => {
        const [near, far] = direction === "downstream" ? [from, to] : [to, from];
        return near === way.at(-1) && !way.includes(far) ? [far] : [];
      });
      return [...new Set(next)].map((far) => way.concat(far));
    });
  }
  return [];
}

describe("Shortest paths of a walk", () => {
  it("The shortest paths are all paths with the fewest hops, in the order of the walk", async () => {
    const walk = walkOf("a", "downstream", edges("ab ac ad be ce df fe ef"));
    const found = present(await findPaths(walk, "e"));
    expect([found.total, found.list(0, 9)]).toEqual([
      2,
      [
        ["a", "b", "e"],
        ["a", "c", "e"],
      ],
    ]);
    expect([found.list(1, 1), found.list(2, 1)]).toEqual([[["a", "c", "e"]], []]);
  });

  it("There is no shortest path to a node that the walk did not reach", async () => {
    expect(await findPaths(walkOf("a", "downstream", edges("ba bc")), "c")).toBeNull();
    expect((await findPaths(walkOf("a", "upstream", edges("ba bc")), "b"))?.list(0, 9)).toEqual([["a", "b"]]);
  });

  it("Very many shortest paths are neither counted nor all listed", async () => {
    const rows = Array.from({ length: 30 }, (_, row) => [0, 1, 2, 3].map((i) => `${row}.${i}`));
    const all = rows.flatMap((row, i) =>
      (rows[i + 1] ?? ["end"]).flatMap((to) => row.map((from): Edge => ({ from, to }))),
    );
    const starts = (rows[0] ?? []).map((to): Edge => ({ from: "start", to }));
    const found = present(await findPaths(walkOf("start", "downstream", [...starts, ...all]), "end"));
    // 4 to the power of 30.
    expect(found.total).toBeNull();
    const [first] = found.list(2 ** 40, 1);
    expect(first?.length).toBe(32);
  });

  it("The shortest paths are equal to those found by trying all paths, page by page", async () => {
    const letter = fc.constantFrom(..."abcdef");
    const random = fc.array(fc.tuple(letter, letter), { maxLength: 20 });
    const direction = fc.constantFrom("upstream" as const, "downstream" as const);
    await fc.assert(
      fc.asyncProperty(random, direction, letter, fc.integer({ min: 1, max: 3 }), async (pairs, way, target, size) => {
        fc.pre(target !== "a");
        const walk = walkOf(
          "a",
          way,
          pairs.map(([from, to]) => ({ from, to })),
        );
        const expected = tryAll(walk, target);
        const found = await findPaths(walk, target);
        expect(found?.total ?? 0).toBe(expected.length);
        const listed: string[][] = [];
        for (let page = found?.list(0, size) ?? []; page.length > 0; page = found?.list(listed.length, size) ?? []) {
          listed.push(...page);
        }
        expect(listed.map(String).toSorted()).toEqual(expected.map(String).toSorted());
      }),
    );
  });
});
