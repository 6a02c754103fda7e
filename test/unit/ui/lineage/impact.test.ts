import { describe, expect, it } from "vitest";

import type { Change } from "../../../../src/ui/pages/impact/change.ts";
import type { Affected } from "../../../../src/ui/pages/impact/documents.ts";
import {
  add,
  changeKey,
  EMPTY_GRAPH,
  type KnownImpact,
  linkKey,
  type LineageGraph,
} from "../../../../src/ui/pages/lineage/model/graph.ts";
import { describeAffected, drawImpact, effectOn } from "../../../../src/ui/pages/lineage/model/impact.ts";
import { listNeeds } from "../../../../src/ui/pages/lineage/model/needs.ts";
import { drawPicture } from "../../../../src/ui/pages/lineage/model/picture.ts";
import { createView, MAX_ADDED } from "../../../../src/ui/pages/lineage/model/view.ts";
import { graphOf, idOf } from "../../../support/drawn-graph.ts";

const GRAPH = graphOf("raw > root > a > b, root > c, root > d");
const CHANGE: Change = { of: idOf("root.x"), type: "column_drop", newType: null };

/** @param path names from the changed node to the affected one */
function affect(path: string, risk: Affected["risk"] = "high"): Affected {
  const names = path.split(" > ");
  const name = names.at(-1) ?? "";
  return {
    id: idOf(name),
    name,
    fqn: `shop.marts.${name}`,
    type: name.includes(".") ? "column" : "model",
    certification: "none",
    ownedBy: null,
    usage: null,
    risk,
    reason: `\`${name}\` is affected.`,
    hops: names.length - 1,
    path: names.map(idOf),
    evidence: [],
  };
}

function know(graph: LineageGraph, affected: readonly Affected[]): LineageGraph {
  const columns = affected.filter(({ type }) => type === "column");
  const known: KnownImpact = {
    of: { id: idOf("root.x"), type: "column", name: "x", parent: { id: idOf("root"), name: "root" } },
    assets: affected.filter(({ type }) => type !== "column"),
    columns: new Map(columns.map((column) => [column.id, column])),
    tables: new Map(columns.map(({ id, name }) => [id, idOf(name.split(".")[0] ?? "")])),
    counts: { total: affected.length, columns: 0 },
    isTruncated: false,
  };
  return add(graph, "impacts", [[changeKey(CHANGE), known]]);
}

const WAY = [affect("root.x > a.y > b"), affect("root.x > a.y", "medium"), affect("root.x > a", "medium")];
const KNOWN = know(GRAPH, WAY);
const VIEW = { ...createView(idOf("root")), open: new Map(), change: CHANGE };

describe("Impact on the canvas", () => {
  it("An impact is drawn with its paths, by the tables of the columns on them", () => {
    const impact = drawImpact(KNOWN, CHANGE);
    expect([...(impact?.nodes ?? [])]).toEqual(["root", "a", "b"].map(idOf));
    expect(impact?.ways.get(idOf("b"))).toEqual(["root", "a", "b"].map(idOf));
    expect([...(impact?.links ?? [])]).toEqual([
      linkKey({ from: idOf("root"), to: idOf("a") }),
      linkKey({ from: idOf("a"), to: idOf("b") }),
    ]);
    const effects = ["root", "a", "b", "c"].map((name) => effectOn(idOf(name), impact));
    expect(effects).toEqual(["changed", "medium", "high", null]);
  });

  it("An impact is added to the picture beside the open nodes, and is absent until it is known", () => {
    const names = (graph: LineageGraph, open: ReadonlyMap<string, number> = VIEW.open) =>
      Array.from(drawPicture(graph, { ...VIEW, open }).nodes.values(), ({ name }) => name).toSorted();
    expect(names(KNOWN)).toEqual(["a", "b", "root"]);
    expect(names(KNOWN, createView(idOf("root")).open)).toEqual(["a", "b", "c", "d", "raw", "root"]);
    expect(names(GRAPH)).toEqual(["root"]);
    expect(drawPicture(GRAPH, VIEW).impact).toBeNull();
  });

  it("An impact is loaded in steps: the answer, and the nodes", () => {
    const few = { ...GRAPH, nodes: new Map([...GRAPH.nodes].filter(([id]) => id !== idOf("b"))) };
    expect(listNeeds(few, VIEW)).toEqual([{ what: "impact", change: CHANGE }]);
    expect(listNeeds(know(few, WAY), VIEW)).toEqual([{ what: "nodes", ids: [idOf("b")] }]);
    expect(listNeeds(KNOWN, VIEW)).toEqual([]);
  });

  it("A link on the path of a change is drawn, even if neither end has reported it", () => {
    const unlinked: LineageGraph = { ...KNOWN, links: new Map() };
    const links = [...drawPicture(unlinked, VIEW).links.values()];
    expect(links.map(({ from, to, kinds }) => ({ from, to, kinds }))).toEqual([
      { from: idOf("root"), to: idOf("a"), kinds: [] },
      { from: idOf("a"), to: idOf("b"), kinds: [] },
    ]);
  });

  it("At most as many affected nodes are drawn as a picture can have, the highest risk first, each with its path", () => {
    const many = Array.from({ length: 3 * MAX_ADDED }, (_, place) => affect(`root.x > m${place} > n${place}`));
    const impact = drawImpact(know(EMPTY_GRAPH, [...many, ...many.map(({ path }) => affect(`m${path[1]}`))]), CHANGE);
    expect(impact?.nodes.size).toBeLessThanOrEqual(MAX_ADDED);
    expect(impact?.affected.has(idOf("n0"))).toBe(true);
    for (const way of impact?.ways.values() ?? []) {
      for (const id of way) expect(impact?.nodes.has(id)).toBe(true);
    }
  });

  it("An impact says how many of all affected are drawn, also if not all of them are known", () => {
    const impact = drawImpact(KNOWN, CHANGE);
    if (impact === null) throw new Error("it is known");
    const { known } = impact;
    const says = (total: number) => describeAffected({ ...impact, known: { ...known, counts: { total, columns: 1 } } });
    expect(says(2)).toEqual([]);
    expect(says(1_234)).toEqual(["The first 2 of 1,234 affected are drawn."]);
  });
});
