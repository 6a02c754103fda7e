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

describe("the way to the root", () => {
  it("is every way along the links, downstream", () => {
    expect(pathsTo("d")).toEqual(["b", "c", "d", "root", "b>d", "c>d", "root>b", "root>c"]);
  });

  it("is every way along the links, upstream", () => {
    expect(pathsTo("raw")).toEqual(["a", "raw", "root", "a>root", "raw>a"]);
  });

  it("is a shortest one against the links where none leads along them", () => {
    expect(pathsTo("other")).toEqual(["a", "other", "raw", "root", "a>root", "raw>a", "raw>other"]);
  });

  it("is nothing where nothing connects them, and the root alone for the root", () => {
    expect(pathsTo("far")).toEqual([]);
    expect(pathsTo("root")).toEqual(["root"]);
  });

  it("is measured in hops, less than 0 upstream, and not at all beside the root", () => {
    const hops = measureHops(LINKS, idOf("root"));
    const read = ["raw", "a", "root", "b", "d", "e", "other"].map((name) => hops.get(idOf(name)));
    expect(read).toEqual([-2, -1, 0, 1, 2, 3, undefined]);
  });
});

describe("the arrow keys", () => {
  const boxes = new Map([
    [idOf("root"), boxAt(0, 100)],
    [idOf("b"), boxAt(300, 0)],
    [idOf("c"), boxAt(300, 110)],
    [idOf("d"), boxAt(600, 50)],
  ]);
  const next = (from: string, arrow: "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown") =>
    findNext(idOf(from), arrow, LINKS, boxes);

  it("lead along the lines to the nearest neighbour, and to none that is not there", () => {
    expect(next("root", "ArrowRight")).toBe(idOf("c"));
    expect(next("d", "ArrowLeft")).toBe(idOf("b"));
    expect(next("root", "ArrowLeft")).toBeNull();
  });

  it("lead up and down among what is above each other", () => {
    expect(next("c", "ArrowUp")).toBe(idOf("b"));
    expect(next("b", "ArrowDown")).toBe(idOf("c"));
    expect(next("root", "ArrowUp")).toBeNull();
  });
});
