/** How Memgraph's own walk is put together from the columns of its statements. */
import { expect, it } from "vitest";

import type { Run } from "../../../../src/graph/memgraph/bolt.ts";
import { INCOMPLETE } from "../../../../src/graph/memgraph/coverage.ts";
import {
  edgesCypher,
  nodesCypher,
  ROOT,
  rootEdgesCypher,
  totalCypher,
  walk,
} from "../../../../src/graph/memgraph/walk.ts";
import { toNodeId, toWorkspaceId } from "../../../../src/ids.ts";

const W = toWorkspaceId("w");
const [root, near, far] = [toNodeId("r"), toNodeId("b"), toNodeId("a")];

/** r feeds b by two kinds, b feeds a and r, and a feeds what is not kept. */
const run: Run = async (statement) => {
  const answers: Record<string, unknown[][]> = {
    [ROOT]: [[1, "model", "", "[]"]],
    [nodesCypher("downstream", "asset", 3)]: [
      [
        [2, 3, 4],
        [near, far, "c"],
        ["B", "A", "C"],
        ["model", "dashboard", "table"],
        [1, 2, 3],
        ["", "no SQL", ""],
        ["[]", "[]", "[]"],
      ],
    ],
    [totalCypher("downstream", "asset", 3)]: [[5]],
    [rootEdgesCypher("downstream", "asset")]: [
      [
        [1, 1],
        [2, 2],
        ["materializes", "derives"],
      ],
    ],
    [edgesCypher("downstream", "asset", 2)]: [
      [
        [2, 2, 3],
        [3, 1, 4],
        ["powers", "derives", "powers"],
      ],
    ],
    [INCOMPLETE]: [],
  };
  return answers[statement] ?? [];
};

it("A walk on Memgraph lists the edges between the nodes that it keeps, in the order of their ids", async () => {
  expect(await walk(run, W, { root, direction: "downstream", depth: 3, maxNodes: 2 })).toEqual({
    root,
    direction: "downstream",
    depth: 3,
    nodes: [
      { id: near, name: "B", type: "model", depth: 1 },
      { id: far, name: "A", type: "dashboard", depth: 2 },
    ],
    edges: [
      { from: near, to: far, kind: "powers" },
      { from: near, to: root, kind: "derives" },
      { from: root, to: near, kind: "derives" },
      { from: root, to: near, kind: "materializes" },
    ],
    truncated: true,
    totalNodes: 5,
    coverage: { connectors: [], gaps: [{ id: far, reason: "no SQL" }], gapsTotal: 1 },
  });
});
