import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { establishWorkspace } from "../../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { at, createRestClient, type RestClient } from "../../support/rest-client.ts";
import { type SmallCatalog, writeSmallCatalog } from "../../support/small-catalog.ts";

let running: RunningApp;
let catalog: SmallCatalog;
let askInside: RestClient;
/** A client with a key of another, empty workspace. */
let askOutside: RestClient;

beforeAll(async () => {
  running = await startApp();
  catalog = await writeSmallCatalog(running);
  const outside = await establishWorkspace(running.app.metadata, "outside", "live");
  askInside = createRestClient(running);
  askOutside = createRestClient({
    url: running.url,
    token: await running.createToken(["read", "write", "admin"], outside),
  });
});
afterAll(() => running.close());

/** The requests. Each contains an id. */
const REQUESTS: readonly [what: string, method: string, path: () => string, body?: () => object][] = [
  ["an asset", "GET", () => `/catalog/assets/${catalog.model}`],
  ["what feeds an asset", "GET", () => `/lineage/upstream?asset_id=${catalog.model}`],
  ["what a metric feeds", "GET", () => `/lineage/downstream?asset_id=${catalog.certified}`],
  ["what breaks", "POST", () => "/lineage/impact", () => ({ asset_id: catalog.model, change_type: "deprecate" })],
  ["a metric", "GET", () => `/metrics/${catalog.certified}`],
  ["a connector's status", "GET", () => `/connectors/${catalog.connector}/status`],
  ["a connector's sync", "POST", () => `/connectors/${catalog.connector}/sync`],
];

describe("assets of other workspaces", () => {
  test.each(REQUESTS)("An id of another workspace is not found: %s", async (_what, method, path, body) => {
    const send = (ask: RestClient, change = (text: string) => text) =>
      ask(`/api/v1${change(path())}`, { method, ...(body && { body: change(JSON.stringify(body())) }) });
    const seen = await send(askInside);
    const unseen = await send(askOutside);
    const neverThere = await send(askOutside, (text) => text.replaceAll(/[a-z]*_?[0-9a-f]{32}/g, "nothing"));

    expect(seen.status).toBeLessThan(300);
    expect([unseen.status, at(unseen.body, "error")]).toEqual([404, "not_found"]);
    expect(keepShape(unseen.body)).toEqual(keepShape(neverThere.body));
  });

  test("The agent finds nothing of another workspace, whichever name is asked for", async () => {
    const body = JSON.stringify({ query: "Who owns shop.marts.customers?" });
    const inside = await askInside("/api/v1/agents/query", { method: "POST", body });
    const outsideAnswer = await askOutside("/api/v1/agents/query", { method: "POST", body });
    expect(at(inside.body, "citations", 0, "asset_id")).toBe(catalog.model);
    expect(at(outsideAnswer.body, "citations")).toEqual([]);
  });

  test.each(["catalog/assets", "catalog/assets?search=customers", "metrics", "connectors"])(
    "/%s lists nothing of another workspace",
    async (path) => {
      const { body } = await askOutside(`/api/v1/${path}`);
      expect(body).toMatchObject({ data: [], pagination: { next_cursor: null, has_more: false } });
    },
  );

  test("A cursor of another workspace is refused", async () => {
    for (const path of ["catalog/assets?limit=1", "catalog/assets?search=shop&limit=1", "metrics?limit=1"]) {
      const { body } = await askInside(`/api/v1/${path}`);
      const cursor = String(at(body, "pagination", "next_cursor"));
      const answer = await askOutside(`/api/v1/${path}&cursor=${cursor}`);
      expect([answer.status, at(answer.body, "details", 0, "field")]).toEqual([400, "cursor"]);
    }
  });

  test("GraphQL finds nothing of another workspace", async () => {
    const { model, certified, connector } = catalog;
    const query = `query ($model: ID!, $metric: ID!, $connector: ID!) {
      asset(id: $model) { id } named: asset(fqn: "shop.marts.customers") { id } metric(id: $metric) { id }
      connector(id: $connector) { id } assets { nodes { id } } workspace { name counts { models } } }`;
    const body = JSON.stringify({ query, variables: { model, metric: certified, connector } });
    const answer = await askOutside("/graphql", { method: "POST", body });
    expect(answer.body).toEqual({
      data: {
        asset: null,
        named: null,
        metric: null,
        connector: null,
        assets: { nodes: [] },
        workspace: { name: "outside", counts: { models: 0 } },
      },
    });
  });
});

/** An error without its id. */
function keepShape(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll(/\\"[^"]*\\"/g, "an id"));
}
