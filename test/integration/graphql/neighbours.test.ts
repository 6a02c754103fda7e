import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { edgeOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";

const SPOKES = 1_200;
const ARGS = [
  "$first: Int! = 5",
  "$after: String",
  "$search: String",
  "$types: [NodeType!]",
  "$kinds: [EdgeKind!]",
  "$tag: String",
  "$certification: Certification",
  "$owner: EmailAddress",
  "$connector: String",
  "$schema: String",
];
const GIVEN = ["first", "after", "search", "types", "kinds", "tag", "certification", "owner", "connector", "schema"];
const QUERY = `query ($id: ID!, ${ARGS.join(", ")}) {
  asset(id: $id) { downstream(${GIVEN.map((name) => `${name}: $${name}`).join(", ")}) {
    totalCount nodes { name } pageInfo { hasNextPage endCursor } } } }`;

let running: RunningApp;
let client: GraphqlClient;
let hub: string;
beforeAll(async () => {
  running = await startApp();
  client = createGraphqlClient(running);
  const { id: workspace } = present(await running.app.metadata.workspaces.findByName("default"));
  const center = nodeOf(workspace, "table", "shop.raw.events");
  const spokes = Array.from({ length: SPOKES }, (_, i) =>
    nodeOf(workspace, i % 2 === 0 ? "model" : "dashboard", `shop.part_${i % 3}.Daily_Orders_${i}`, {
      tags: i % 100 === 0 ? ["core"] : [],
      owner: i % 200 === 0 ? "Ada@example.com" : "",
      certification: i === 4 ? "certified" : "none",
    }),
  );
  const stamp = stampOf(workspace, "shop", 1);
  await running.app.graph.writeNodes(stamp, "all", [center, ...spokes]);
  await running.app.graph.writeEdges(
    stamp,
    "all",
    spokes.map((spoke) => edgeOf(center, spoke, spoke.type === "model" ? "derives" : "powers")),
  );
  hub = center.id;
});
afterAll(() => running.close());

async function ask(variables: Record<string, unknown>) {
  const { data, codes, message } = await client(QUERY, { id: hub, ...variables });
  const page = at(data, "asset", "downstream");
  const nodes = at(page, "nodes") as { name: string }[] | undefined;
  return {
    names: nodes?.map(({ name }) => name) ?? [],
    total: at(page, "totalCount"),
    after: at(page, "pageInfo", "endCursor"),
    hasNextPage: at(page, "pageInfo", "hasNextPage"),
    codes,
    message,
  };
}

describe("the neighbours of a hub", () => {
  it.each([
    [{}, SPOKES],
    [{ types: ["model"] }, SPOKES / 2],
    [{ types: ["metric"] }, 0],
    [{ kinds: ["powers"] }, SPOKES / 2],
    [{ tag: "core" }, 12],
    [{ owner: "ADA@example.com" }, 6],
    [{ owner: null }, SPOKES - 6],
    [{ certification: "certified" }, 1],
    [{ connector: "shop" }, SPOKES],
    [{ connector: "crm" }, 0],
    [{ schema: "Shop.Part_1" }, SPOKES / 3],
    [{ search: "orders_119" }, 11],
    [{ search: "1199 DAILY" }, 1],
    [{ search: "  " }, SPOKES],
    [{ tag: "core", owner: "ada@example.com", search: "00" }, 5],
  ])("The neighbours of a hub are filtered and counted by %j", async (filter, total) => {
    const page = await ask(filter);
    expect({ codes: page.codes, total: page.total }).toEqual({ codes: [], total });
    expect(page.names).toHaveLength(Math.min(5, total));
    expect(page.hasNextPage).toBe(total > 5);
  });

  it("The filtered neighbours of a hub come in pages, each once", async () => {
    const seen: string[] = [];
    let after: unknown = null;
    do {
      const page = await ask({ tag: "core", first: 5, after });
      expect(page.total).toBe(12);
      seen.push(...page.names);
      after = page.hasNextPage === true ? page.after : null;
    } while (after !== null);
    expect(seen).toHaveLength(12);
    expect(new Set(seen).size).toBe(12);
  });

  it("A cursor of another filter is refused", async () => {
    const { after } = await ask({ tag: "core" });
    const other = await ask({ types: ["model"], after });
    expect(other.codes).toEqual(["BAD_REQUEST"]);
    expect(other.message).toContain("belongs to a query with other");
  });

  it("A search text among neighbours has a longest length", async () => {
    const { codes, message } = await ask({ search: "x".repeat(257) });
    expect(codes).toEqual(["BAD_REQUEST"]);
    expect(message).toContain("256");
  });

  it("One query can request neighbours with several filters, each with its own answer", async () => {
    const { data } = await client(
      `query ($id: ID!) { asset(id: $id) {
        all: downstream(first: 1) { totalCount }
        models: downstream(first: 1, types: [model]) { totalCount }
        core: downstream(first: 1, tag: "core") { totalCount }
        summary: lineageSummary { downstreamCount } } }`,
      { id: hub },
    );
    expect(data).toEqual({
      asset: {
        all: { totalCount: SPOKES },
        models: { totalCount: SPOKES / 2 },
        core: { totalCount: 12 },
        summary: { downstreamCount: SPOKES },
      },
    });
  });
});
