import { describe, expect, it } from "vitest";

import { findNext } from "../../../../src/ui/pages/lineage/model/move.ts";
import { findPaths, measureHops } from "../../../../src/ui/pages/lineage/model/paths.ts";
import { boxAt, idOf, linksOf } from "../../../support/drawn-graph.ts";

const LINKS = linksOf("raw > a > root > b > d, root > c > d, raw > other, d > e");

const pathsTo = (name: string): string[] => {
  const names = new Map(
    ["raw", "a", "root", "b", "c", "d", "e", "other", "far"].map((each) => [idOf(each), each] as const),
  );
  const { nodes, links } = findPaths(LINKS, idOf("root"), idOf(name));
  const read = [...links].map((key) =>
    key
      .split(" ")
      .map((id) => names.get(id))
      .join(">"),
  );
  return [...[...nodes].map((id) => names.get(id) ?? id).toSorted(), ...read.toSorted()];
};

describe("Paths to the root", () => {
  it("The paths to the root from downstream are all paths along the links", () => {
    expect(pathsTo("d")).toEqual(["b", "c", "d", "root", "b>d", "c>d", "root>b", "root>c"]);
  });

  it("The paths to the root from upstream are all paths along the links", () => {
    expect(pathsTo("raw")).toEqual(["a", "raw", "root", "a>root", "raw>a"]);
  });

  it("The path to the root is a shortest one against the links if none leads along them", () => {
    expect(pathsTo("other")).toEqual(["a", "other", "raw", "root", "a>root", "raw>a", "raw>other"]);
  });

  it("A node without connection has no path to the root, and the root's path is the root alone", () => {
    expect(pathsTo("far")).toEqual([]);
    expect(pathsTo("root")).toEqual(["root"]);
  });

  it("Hops from the root are negative upstream, and undefined for nodes beside it", () => {
    const hops = measureHops(LINKS, idOf("root"));
    const read = ["raw", "a", "root", "b", "d", "e", "other"].map((name) => hops.get(idOf(name)));
    expect(read).toEqual([-2, -1, 0, 1, 2, 3, undefined]);
  });
});

describe("Arrow keys", () => {
  const boxes = new Map([
    [idOf("root"), boxAt(0, 100)],
    [idOf("b"), boxAt(300, 0)],
    [idOf("c"), boxAt(300, 110)],
    [idOf("d"), boxAt(600, 50)],
  ]);
  const next = (from: string, arrow: "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown") =>
    findNext(idOf(from), arrow, LINKS, boxes);

  it("The left and right arrow keys lead along the lines to the nearest neighbour, if there is one", () => {
    expect(next("root", "ArrowRight")).toBe(idOf("c"));
    expect(next("d", "ArrowLeft")).toBe(idOf("b"));
    expect(next("root", "ArrowLeft")).toBeNull();
  });

  it("The up and down arrow keys lead to the nodes above and below", () => {
    expect(next("c", "ArrowUp")).toBe(idOf("b"));
    expect(next("b", "ArrowDown")).toBe(idOf("c"));
    expect(next("root", "ArrowUp")).toBeNull();
  });
});
