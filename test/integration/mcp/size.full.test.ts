/** Answers about nodes of the largest size that the catalog keeps. */
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { NodeWrite } from "../../../src/graph/catalog-writes.ts";
import { getDefaultWorkspace } from "../../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { columnOf, edgeOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { callTool, callToTheEnd, connectByHttp } from "../../support/mcp.ts";
import { at, type Json } from "../../support/rest-client.ts";

const LARGE_TEXT = 'Ω "quoted" \n'.repeat(8_000);
const LONG_NAME = "n".repeat(1_000);
const TAGS = Array.from({ length: 1_000 }, (_, i) => `tag ${i} ${"t".repeat(40)}`);
const DEPENDENTS = 250;
const COLUMNS = 120;

let running: RunningApp;
let client: Client;
const nodes: Record<"source" | "huge" | "sink" | "metric", string> = { source: "", huge: "", sink: "", metric: "" };
beforeAll(async () => {
  running = await startApp();
  const { id: ws } = await getDefaultWorkspace(running.app.metadata);
  const facts = { description: LARGE_TEXT, tags: TAGS, owner: `${"o".repeat(60)}@example.com`, ownerName: LONG_NAME };
  const source = nodeOf(ws, "table", `w.raw.${LONG_NAME}`, facts);
  const huge = nodeOf(ws, "model", "w.marts.huge", { ...facts, sql: LARGE_TEXT });
  const columns = Array.from({ length: COLUMNS }, (_, i) =>
    columnOf(ws, huge, `${LONG_NAME}${i}`, i, { description: LARGE_TEXT.slice(0, 3_000) }),
  );
  const dependents = Array.from({ length: DEPENDENTS }, (_, i) => nodeOf(ws, "model", `w.marts.m${i}`));
  const sink = nodeOf(ws, "dashboard", "w.sink", facts);
  const metric = nodeOf(ws, "metric", "w.metric", {
    ...facts,
    metric: {
      kind: "simple",
      grain: "day",
      displayName: LONG_NAME,
      expression: LARGE_TEXT,
      dimensions: TAGS,
      filters: TAGS,
    },
  });
  const stamp = stampOf(ws, "w", 1);
  const all: NodeWrite[] = [source, huge, ...columns, ...dependents, sink, metric];
  await running.app.graph.writeNodes(stamp, "all", all);
  await running.app.graph.writeEdges(stamp, "all", [
    edgeOf(source, huge, "derives"),
    ...dependents.flatMap((each) => [edgeOf(huge, each, "derives"), edgeOf(each, sink, "powers")]),
    edgeOf(huge, metric, "defines"),
  ]);
  Object.assign(nodes, { source: source.id, huge: huge.id, sink: sink.id, metric: metric.id });
  client = await connectByHttp(running);
});
afterAll(async () => {
  await client.close();
  await running.close();
});

const CALLS: [name: string, given: () => Record<string, unknown>, total: number][] = [
  ["get_assets", () => ({ ids: [nodes.huge, nodes.metric, nodes.source], includeSql: true }), 3],
  ["list_columns", () => ({ id: nodes.huge }), COLUMNS],
  ["walk_lineage", () => ({ id: nodes.source, direction: "downstream", depth: 10 }), DEPENDENTS + 3],
  ["walk_lineage", () => ({ id: nodes.sink, direction: "upstream", depth: 10 }), DEPENDENTS + 2],
  ["find_paths", () => ({ from: nodes.source, to: nodes.sink }), DEPENDENTS],
  ["assess_impact", () => ({ id: nodes.huge, changeType: "deprecate" }), DEPENDENTS + 2],
  ["list_metrics", () => ({}), 1],
  ["search_assets", () => ({ types: ["model", "table"] }), DEPENDENTS + 2],
];

const lengthOf = (page: Json): number => JSON.stringify(page).length;

describe.each(CALLS)("%s", (name, given, total) => {
  it.each([8_000, 20_000, 100_000])(
    "The pages of an answer have each item once, in at most %i characters",
    async (maxCharacters) => {
      // `get_assets` has no limit.
      const limit = name === "get_assets" ? {} : { limit: 200 };
      const { items, pages } = await callToTheEnd(client, name, { ...given(), maxCharacters, ...limit });
      expect(pages.map(lengthOf).filter((length) => length > maxCharacters)).toEqual([]);
      expect(items.length).toBe(total);
      expect(new Set(items.map((item) => JSON.stringify(at(item, "id") ?? at(item, "nodes")))).size).toBe(total);
      expect(pages.map((page) => at(page, "total"))).toEqual(pages.map(() => total));
      expect(pages.map((page) => at(page, "truncated"))).toEqual(pages.map((_, i) => i < pages.length - 1));
    },
  );

  it("An answer fits in the smallest bound, or says that the bound is too small", async () => {
    const answer = await callTool(client, name, { ...given(), maxCharacters: 2_000 }).catch(String);
    expect(typeof answer === "string" ? answer : lengthOf(answer) <= 2_000).toSatisfy(
      (seen) => seen === true || /maxCharacters: is too small/.test(String(seen)),
    );
  });
});

it("An asset as a resource has a bound too", async () => {
  for (const id of [nodes.huge, nodes.metric]) {
    const { contents } = await client.readResource({ uri: `tributary://asset/${id}` });
    expect(JSON.stringify(contents).length).toBeLessThan(250_000);
  }
});
