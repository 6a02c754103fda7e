import { afterAll, beforeAll, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { nodeOf, stampOf } from "../../support/graph-writes.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at, createRestClient } from "../../support/rest-client.ts";
import { type SmallCatalog, writeSmallCatalog } from "../../support/small-catalog.ts";

const DEFINE = `mutation ($input: DefineMetricInput!) { defineMetric(input: $input) { metric {
  id name displayName kind owner tags platform certification
  definition { expression grain dimensions filters }
  metricLineage { sourceAssets { name } downstream { name } }
  sourceColumns { column { name } uses { kind transformation expression } }
} } }`;
const UPDATE = `mutation ($input: UpdateMetricInput!) {
  updateMetric(input: $input) { metric { description owner certification audit { action actor note } } }
}`;
const REMOVE = `mutation ($id: ID!) { removeMetric(input: { id: $id }) { id } }`;
const CERTIFY = `mutation ($id: ID!) { certifyMetric(input: { id: $id }) { metric { certification } } }`;

let running: RunningApp;
let client: GraphqlClient;
let catalog: SmallCatalog;
beforeAll(async () => {
  running = await startApp();
  client = createGraphqlClient(running);
  catalog = await writeSmallCatalog(running);
});
afterAll(() => running.close());

it("A metric is defined, updated, certified and removed over GraphQL, and read over REST", async () => {
  const { data: asked } = await client(`{ asset(id: "${catalog.model}") { columns { id } } }`);
  const column = at(asked, "asset", "columns", 0, "id");
  const input = { name: "customers", kind: "simple", expression: "count(distinct customer_id)", sources: [column] };
  const { data, codes } = await client(DEFINE, { input });
  expect(codes).toEqual([]);
  expect(data).toEqual({
    defineMetric: {
      metric: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        name: "customers",
        displayName: "customers",
        kind: "simple",
        owner: null,
        tags: [],
        platform: "people",
        certification: "pending",
        definition: { expression: input.expression, grain: null, dimensions: [], filters: [] },
        metricLineage: { sourceAssets: [{ name: "customers" }], downstream: [] },
        sourceColumns: [
          {
            column: { name: "customer_id" },
            uses: [{ kind: "DIRECT", transformation: "AGGREGATION", expression: "COUNT(DISTINCT customer_id)" }],
          },
        ],
      },
    },
  });
  const id = at(data, "defineMetric", "metric", "id");
  expect((await client(DEFINE, { input })).codes).toEqual(["CONFLICT"]);

  const rest = createRestClient(running);
  const { body } = await rest(`/api/v1/metrics/${id}`);
  expect(body).toMatchObject({
    name: "customers",
    certified_by: null,
    lineage: { source_assets: [{ id: catalog.model, name: "customers", type: "model" }], downstream: [] },
    audit: [],
  });
  expect((await rest("/api/v1/metrics?search=customers")).body).toMatchObject({ data: [{ id }] });
  expect((await rest(`/api/v1/lineage/upstream?asset_id=${id}`)).body).toMatchObject({ total_nodes: 2 });

  await client(CERTIFY, { id });
  const changed = { owner: "ada@example.com", expression: "count(customer_id)" };
  expect((await client(UPDATE, { input: { id, ...changed } })).data).toMatchObject({
    updateMetric: {
      metric: {
        owner: "ada@example.com",
        certification: "pending",
        audit: [{ action: "certify" }, { action: "lapse", actor: "admin@localhost.localdomain" }],
      },
    },
  });
  const described = await client(UPDATE, { input: { id, description: "All of them." } });
  expect(described.data).toMatchObject({
    updateMetric: { metric: { description: "All of them.", owner: "ada@example.com" } },
  });
  const taken = await client(UPDATE, { input: { id, description: null, owner: null } });
  expect(taken.data).toMatchObject({ updateMetric: { metric: { description: null, owner: null } } });
  expect((await rest(`/api/v1/metrics/${id}`)).body).toMatchObject({ owner: "" });
  const { data: again } = await client(
    `mutation { updateMetric(input: { id: "${id}", sources: [] }) { metric { name } } }`,
  );
  expect(again).toEqual({ updateMetric: { metric: { name: "customers" } } });
  expect((await client(REMOVE, { id })).data).toEqual({ removeMetric: { id } });
  expect((await rest(`/api/v1/metrics/${id}`)).status).toBe(404);
});

it("A removed metric is only referenced while another metric is computed from it, like a removed table", async () => {
  const { graph, metadata } = running.app;
  const { id: workspace } = present(await metadata.workspaces.findByName("default"));
  const leads = nodeOf(workspace, "table", "crm.leads");
  const crawl = (sync: number) => stampOf(workspace, "crm", sync);
  await graph.writeNodes(crawl(1), "all", [leads]);
  const defined = async (name: string, source: string): Promise<string> => {
    const input = { name, kind: "simple", expression: "count(*)", grain: "day", sources: [source] };
    return `${at((await client(DEFINE, { input })).data, "defineMetric", "metric", "id")}`;
  };
  const first = await defined("leads", leads.id);
  const second = await defined("lead_share", first);
  await graph.sweep(crawl(2), "all");
  expect((await client(REMOVE, { id: first })).codes).toEqual([]);
  const query = `query ($id: ID!) { metric(id: $id) { upstream { nodes {
    name type existence ... on Metric { displayName kind definitionSummary definition { expression grain } audit { note } }
  } } } }`;
  expect((await client(query, { id: second })).data).toEqual({
    metric: {
      upstream: {
        nodes: [
          {
            name: "leads",
            type: "metric",
            existence: "referenced",
            displayName: "leads",
            kind: null,
            definitionSummary: "",
            definition: { expression: "", grain: null },
            audit: [],
          },
        ],
      },
    },
  });
  const third = await defined("leads_again", first);
  const rest = createRestClient(running);
  expect((await rest(`/api/v1/metrics/${first}`)).status).toBe(404);
  expect((await client(`{ metric(id: "${first}") { name } asset(id: "${leads.id}") { name } }`)).data).toEqual({
    metric: null,
    asset: null,
  });
  expect((await client(UPDATE, { input: { id: first } })).codes).toEqual(["NOT_FOUND"]);
  for (const id of [second, third]) expect((await client(REMOVE, { id })).codes).toEqual([]);
  expect((await client(`{ node(id: "${first}") { id } }`)).data).toEqual({ node: null });
});

it("A bad definition is refused with every fault, and a connector's metrics cannot be changed", async () => {
  const bad = { name: "", kind: "simple", expression: " ", owner: "Ada" };
  const { codes, fields } = await faultsOf(bad);
  expect({ codes, fields }).toEqual({ codes: ["BAD_REQUEST"], fields: ["name", "displayName", "expression", "owner"] });
  expect((await client(UPDATE, { input: { id: catalog.certified } })).codes).toEqual(["CONFLICT"]);
  expect((await client(REMOVE, { id: catalog.model })).codes).toEqual(["NOT_FOUND"]);
  const reader = createGraphqlClient({ url: running.url, token: await running.createToken(["read", "admin"]) });
  expect((await reader(REMOVE, { id: catalog.certified })).codes).toEqual(["FORBIDDEN"]);
});

async function faultsOf(input: object): Promise<{ codes: unknown; fields: unknown }> {
  const response = await fetch(`${running.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${running.token}` },
    body: JSON.stringify({ query: DEFINE, variables: { input } }),
  });
  const extensions = at(await response.json(), "errors", 0, "extensions");
  const details = at(extensions, "details") as unknown as { field: string }[];
  return { codes: [at(extensions, "code")], fields: details.map(({ field }) => field) };
}
