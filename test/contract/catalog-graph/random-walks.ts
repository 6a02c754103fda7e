/** Walks through random graphs, with hubs, cycles and self-loops. */
import fc from "fast-check";
import { expect, it } from "vitest";

import { DIRECTIONS } from "../../../src/catalog/edge.ts";
import { columnOf, newWorkspace, nodeOf, stampOf, UNKNOWN } from "../../support/graph-writes.ts";
import { MODEL_TIMEOUT, modelRuns } from "../../support/model-runs.ts";
import { edges, idAt } from "../../support/random-graph.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import type { OpenGraph } from "../catalog-graph.ts";

const COUNT = 16;

export function describeRandomWalks(open: OpenGraph, runs: number): void {
  it(
    "A walk through any graph, from every node, to any depth and with any bound, is the same as the reference's",
    MODEL_TIMEOUT,
    async () => {
      await fc.assert(
        fc.asyncProperty(
          edges(COUNT, 40),
          fc.integer({ min: 1, max: 12 }),
          fc.boolean(),
          async (arrows, maxNodes, areColumns) => {
            const workspace = newWorkspace();
            const reference = createReferenceGraph();
            const ids = Array.from({ length: COUNT }, (_, i) => idAt(workspace, i));
            const parent = nodeOf(workspace, "table", "parent");
            const nodes = ids.map((id, i) => {
              if (i % 5 === 4) return Object.assign(nodeOf(workspace, "pipeline", `t${i}`), { id });
              const node = areColumns ? columnOf(workspace, parent, `t${i}`, i) : nodeOf(workspace, "table", `t${i}`);
              return Object.assign(node, { id });
            });
            const stated = arrows.map(({ from, to, ...rest }) => ({
              from: ids[from] ?? UNKNOWN,
              to: ids[to] ?? UNKNOWN,
              ...rest,
            }));
            for (const graph of [open(), reference]) {
              await graph.writeNodes(stampOf(workspace, "dbt", 1), "all", [parent, ...nodes]);
              expect(await graph.writeEdges(stampOf(workspace, "dbt", 1), "all", stated)).toEqual([]);
            }
            for (const direction of DIRECTIONS) {
              for (const [i, root] of ids.entries()) {
                const asked = { root, direction, depth: 1 + (i % 10), maxNodes, directOnly: i % 2 === 0 };
                expect(await open().walk(workspace, asked)).toEqual(await reference.walk(workspace, asked));
              }
            }
          },
        ),
        modelRuns(runs),
      );
    },
  );
}
