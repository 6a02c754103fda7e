/** The edges of removed assets, and whether all are told. */
import { expect, it } from "vitest";

import { toChangedNode } from "../../../src/catalog/changes/compare-states.ts";
import { createSlicer } from "../../../src/work/slicer.ts";
import { findRemovedEdges } from "../../../src/what-if/lineage-changes.ts";
import { edgeOf, look, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";

const slicer = createSlicer({ next: async () => {} }, { tenant: "test", signal: new AbortController().signal });

/** A model that feeds so many tables and reads one. */
async function findEdges(readers: number, most: number) {
  const graph = createReferenceGraph();
  const workspace = newWorkspace();
  const stamp = stampOf(workspace, "dbt", 1);
  const [hub, source] = ["hub", "source"].map((name) => nodeOf(workspace, "model", name));
  const tables = Array.from({ length: readers }, (_, i) => nodeOf(workspace, "table", `t${i}`));
  await graph.writeNodes(stamp, "all", [present(hub), present(source), ...tables]);
  const edges = [
    edgeOf(present(source), present(hub), "derives"),
    ...tables.map((each) => edgeOf(present(hub), each, "derives")),
  ];
  await graph.writeEdges(stamp, "all", edges);
  const removed = await Promise.all(
    [hub, source].map(async (node) => toChangedNode(present(await look(graph, workspace, present(node))))),
  );
  const found = await findRemovedEdges(graph, workspace, removed, { most, slicer });
  return { ...found, names: found.edges.map(({ from, to }) => `${from.name} > ${to.name}`).toSorted() };
}

it("An edge between two removed assets is told once, and so are those to what stays", async () => {
  expect(await findEdges(2, 10)).toMatchObject({
    names: ["hub > t0", "hub > t1", "source > hub"],
    isCut: false,
  });
});

it("If a removed asset has more neighbours than are told, the answer says so", async () => {
  expect(await findEdges(3, 3)).toMatchObject({ isCut: false });
  expect(await findEdges(4, 3)).toMatchObject({ isCut: true });
});
