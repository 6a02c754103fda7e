import { expect, it } from "vitest";

import { compareLineages } from "../../../src/graph/history/compare-lineages.ts";
import { edgeOf, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";

it("Each asset and edge of a connector is counted once, however many pages are read", async () => {
  const graph = createReferenceGraph();
  const workspace = newWorkspace();
  const models = Array.from({ length: 120 }, (_, i) => nodeOf(workspace, "model", `shop.a.m${i}`));
  const edges = models.slice(1).flatMap((model, i) => {
    const source = models[i];
    return source === undefined ? [] : [edgeOf(source, model, "derives")];
  });
  await graph.writeNodes(stampOf(workspace, "dbt", 1), "all", models);
  await graph.writeEdges(stampOf(workspace, "dbt", 1), "all", edges);
  let rows = 0;
  const options = { maxNodes: 2_000, maxCompared: 10, next: async (more: number) => void (rows += more) };
  const query = { workspace, of: { connector: "dbt" }, direction: null, depth: 1 } as const;
  expect(await compareLineages(graph, graph, query, options)).toMatchObject({ truncated: true });
  // Both times the assets are walked and loaded, but those that are not compared are loaded once.
  expect(rows).toBe(2 * (120 + 119) + 120 + 10);
});
