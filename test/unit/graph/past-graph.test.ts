/** The graph at one moment, from rows without a store. */
import { expect, test } from "vitest";

import { nodeId } from "../../../src/catalog/identity.ts";
import { countReads, createPastGraph } from "../../../src/graph/history/past-graph.ts";
import type { PastLink } from "../../../src/graph/history/past-rows.ts";
import { toConnectorId, toWorkspaceName } from "../../../src/ids.ts";

test("Edges that were stated only later count among the rows that are read", async () => {
  const [from, to] = ["a", "b"].map((name) =>
    nodeId(toWorkspaceName(""), { platform: "postgres", instance: "", type: "table", parts: [name] }),
  );
  if (from === undefined || to === undefined) throw new Error("a node has no id");
  const later: PastLink = {
    from,
    to,
    kind: "derives",
    connectorId: toConnectorId("1"),
    uses: [],
    since: 9,
    until: null,
  };
  const rows = {
    loadPresent: () => new Map(),
    loadKept: () => [],
    findColumns: () => [],
    loadLinks: () => [later, later, later],
  };
  const edgesWithin = (maxRows: number) =>
    createPastGraph(rows, 5, countReads(maxRows)).loadEdges("downstream", [from], "asset");
  await expect(edgesWithin(3)).resolves.toEqual([]);
  await expect(edgesWithin(2)).rejects.toMatchObject({ code: "bad_request" });
});
