/** Walks that stop at their depth, and walks that look for something that may be far away. */
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";

import type { NodeType } from "../../../src/catalog/node-types.ts";
import { getDefaultWorkspace } from "../../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { columnOf, edgeOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { callTool, connectByHttp } from "../../support/mcp.ts";
import { present } from "../../support/present.ts";
import type { Json } from "../../support/rest-client.ts";

let running: RunningApp;
let client: Client;
const roots = new Map<number, string>();

/** A chain of models behind a table, with a dashboard at its end, so many hops away. */
async function writeChain(hops: number): Promise<void> {
  const { id: ws } = await getDefaultWorkspace(running.app.metadata);
  const chain = Array.from({ length: hops + 1 }, (_, i) => {
    const type: Exclude<NodeType, "column"> = i === 0 ? "table" : i === hops ? "dashboard" : "model";
    return nodeOf(ws, type, `chain${hops}.step${i}`, i === hops ? { owner: "ana@example.com" } : {});
  });
  const stamp = stampOf(ws, "chains", 1);
  await running.app.graph.writeNodes(stamp, `chain${hops}`, chain);
  const edges = chain.slice(1).map((node, i) => edgeOf(present(chain[i]), node, "derives"));
  await running.app.graph.writeEdges(stamp, `chain${hops}`, edges);
  roots.set(hops, present(chain[0]).id);
}

beforeAll(async () => {
  running = await startApp();
  for (const hops of [3, 10, 11]) await writeChain(hops);
  client = await connectByHttp(running);
});
afterAll(async () => {
  await client.close();
  await running.close();
});

const walk = (hops: number, more: Record<string, unknown> = {}): Promise<Json> =>
  callTool(client, "walk_lineage", { id: roots.get(hops), direction: "downstream", ...more });

it("says that there is more behind its depth, and only then", async () => {
  expect(await walk(10)).toMatchObject({ depth: 3, total: 3, reached: 3, deeper: true, truncated: false });
  expect(await walk(3)).toMatchObject({ depth: 3, total: 3, deeper: false });
  expect(await walk(10, { depth: 10 })).toMatchObject({ total: 10, deeper: false });
  expect(await walk(11, { depth: 10 })).toMatchObject({ total: 10, deeper: true });
});

it("goes as far as it may for what passes a filter, unless it is told a depth", async () => {
  const found = { depth: 10, total: 1, reached: 10, deeper: false, items: [{ type: "dashboard", depth: 10 }] };
  expect(await walk(10, { types: ["dashboard"] })).toMatchObject(found);
  expect(await walk(10, { owner: "ana@example.com" })).toMatchObject(found);
  expect(await walk(10, { types: ["dashboard"], depth: 3 })).toMatchObject({ total: 0, deeper: true });
  expect(await walk(11, { types: ["dashboard"] })).toMatchObject({ total: 0, deeper: true });
});

it("A walk refuses to look along a column for types of which it may miss some, whatever else is asked for", async () => {
  const { id: ws } = await getDefaultWorkspace(running.app.metadata);
  const [table, board] = [nodeOf(ws, "table", "read.whole"), nodeOf(ws, "dashboard", "read.board")];
  const column = columnOf(ws, table, "email", 0);
  const stamp = stampOf(ws, "columns", 1);
  await running.app.graph.writeNodes(stamp, "read", [table, board, column]);
  await running.app.graph.writeEdges(stamp, "read", [edgeOf(table, board, "derives")]);
  const along = (types?: string[], direction = "downstream"): Promise<Json> =>
    callTool(client, "walk_lineage", { id: column.id, direction, types });
  await expect(along(["dashboard", "pipeline"])).rejects.toThrow("Take assess_impact");
  await expect(along(["dashboard", "metric"])).rejects.toThrow("Take assess_impact");
  await expect(along(["table"], "upstream")).rejects.toThrow("Walk from its table");
  expect(await along(["column", "metric"])).toMatchObject({ total: 0 });
  expect(await along()).toMatchObject({ total: 0 });
});
