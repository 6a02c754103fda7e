/** The canvas compared with an earlier time or a manifest, without a browser. */
import { describe, expect, it } from "vitest";

import type { DiffAnswer } from "../../../../src/ui/pages/lineage/documents.ts";
import { writeSvg } from "../../../../src/ui/pages/lineage/export/svg.ts";
import { addDiff, describeSides, needOfDiff, readDiff } from "../../../../src/ui/pages/lineage/model/diff.ts";
import { EMPTY_GRAPH, type LineageGraph } from "../../../../src/ui/pages/lineage/model/graph.ts";
import { listLines } from "../../../../src/ui/pages/lineage/model/lines.ts";
import { listNeeds } from "../../../../src/ui/pages/lineage/model/needs.ts";
import { drawPicture, type Picture } from "../../../../src/ui/pages/lineage/model/picture.ts";
import { createView, showHops, type View } from "../../../../src/ui/pages/lineage/model/view.ts";
import { boxAt, graphOf, idOf } from "../../../support/drawn-graph.ts";
import { present } from "../../../support/present.ts";

const SAVED = "0123456789abcdef0123456789abcdef";
const [ROOT, NEW, GONE] = [idOf("root"), idOf("new"), idOf("gone")];

const asset = (name: string) => ({ id: idOf(name), name, fqn: `shop.${name}`, type: "model" }) as const;
const edge = (difference: "added" | "removed", from: string, to: string) => {
  const kinds = {
    before: difference === "removed" ? ["derives" as const] : [],
    after: difference === "added" ? ["derives" as const] : [],
  };
  return { difference, from: { id: idOf(from) }, to: { id: idOf(to) }, ...kinds };
};

const answer: DiffAnswer = {
  before: "2026-03-01T10:00:30.000Z",
  after: null,
  connector: "shop",
  nodes: [
    { difference: "added", asset: asset("new"), details: [] },
    { difference: "removed", asset: asset("gone"), details: [] },
    { difference: "changed", asset: asset("root"), details: [{ kind: "sql_changed", name: "shop.root" }] },
  ],
  edges: [edge("added", "new", "root"), edge("removed", "gone", "root")],
  truncated: false,
};

function compare(graph: LineageGraph, view: View, differences: DiffAnswer = answer): LineageGraph {
  return addDiff(graph, present(needOfDiff(view)), readDiff(differences));
}

function write(picture: Picture, graph: LineageGraph) {
  const boxes = new Map([...picture.nodes.keys()].map((id, place) => [id, boxAt(300 * place, 0)]));
  const lines = listLines(picture, graph, boxes, new Set());
  const file = { title: "Lineage", picture, boxes, lines, columns: new Map() };
  return writeSvg({ ...file, colourOf: (token) => `(${token})` });
}

describe("The lineage compared with a manifest", () => {
  const view = { ...createView(ROOT), compareWith: SAVED };
  const graph = compare(graphOf("a > root"), view);

  it("What the catalog does not have is drawn from the answer, and asked for nowhere", () => {
    const { nodes, links } = drawPicture(graph, view);
    expect([nodes.get(NEW)?.isAbsent, nodes.get(GONE)?.isAbsent, nodes.get(ROOT)?.isAbsent]).toEqual([
      true,
      true,
      false,
    ]);
    expect(links.has(`${NEW} ${ROOT}`)).toBe(true);
    expect(listNeeds(graph, view)).toEqual([]);
  });

  it("What the manifest adds can be the root, from which the service cannot walk", () => {
    const ofNew = showHops({ ...view, root: NEW }, { up: 2, down: 2 });
    expect(listNeeds(EMPTY_GRAPH, ofNew).map(({ what }) => what)).toEqual(["diff", "nodes"]);
    const loaded = compare(EMPTY_GRAPH, ofNew);
    expect(listNeeds(loaded, ofNew)).toEqual([{ what: "nodes", ids: [ROOT] }]);
    expect(listNeeds(graphOf("a > root"), showHops(view, { up: 2, down: 0 })).map(({ what }) => what)).toContain(
      "walk",
    );
  });

  it("An exported picture has the marks, and a legend that names now and the manifest", () => {
    const { text, height } = write(drawPicture(graph, view), graph);
    expect(text).toContain(
      ">From now to the manifest of shop, checked 2026-03-01 10:00 UTC, within 3 hops: assets 1 added, 1 removed, 1 changed; links 1 added, 1 removed.<",
    );
    expect(text).toContain(">model · ADDED · shop<");
    expect(text).toContain(">model · REMOVED · shop<");
    expect(text).toContain(">model · CHANGED · shop.marts<");
    // A link and a row of the legend: what is new is wide, what is gone has gaps.
    expect(text.match(/stroke="\(--good\)" stroke-width="3"/g)).toHaveLength(2);
    expect(text.match(/stroke="\(--bad\)" stroke-width="2" stroke-dasharray="3 7"/g)).toHaveLength(2);
    // The border of a node and its sample.
    expect(
      text.match(/fill="\(--bad-wash\)" stroke="\(--bad\)" stroke-width="2" stroke-dasharray="6 4"/g),
    ).toHaveLength(2);
    const plain = write(drawPicture(graphOf("a > root"), createView(ROOT)), graph);
    expect(plain.text).not.toContain("ADDED");
    expect(height).toBeGreaterThan(plain.height);
  });

  it("Two times are both named, and a day that is shown is not called now", () => {
    const times = { ...answer, after: "2026-03-05T12:00:00.000Z", connector: null };
    const since = { ...createView(ROOT), compareWith: "7d" };
    const sidesOf = (of: View): string =>
      describeSides(present(drawPicture(compare(graphOf("a > root"), of, times), of).diff));
    expect(sidesOf(since)).toBe("From 2026-03-01 10:00 UTC to now, 2026-03-05 12:00 UTC, within 3 hops");
    expect(sidesOf({ ...since, asOf: "2026-03-05" })).toBe(
      "From 2026-03-01 10:00 UTC to 2026-03-05 12:00 UTC, within 3 hops",
    );
  });
});
