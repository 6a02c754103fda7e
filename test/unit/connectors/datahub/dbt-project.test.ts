/** One dbt project that DataHub's recipe and the connector of dbt both read: each of its things is one node. */
import { expect, test } from "vitest";

import { nodeId, type NodeRef } from "../../../../src/catalog/identity.ts";
import { checkId } from "../../../../src/catalog/check.ts";
import type { CrawlEvent } from "../../../../src/connectors/connector.ts";
import { namingOptionsShape } from "../../../../src/connectors/datahub/options.ts";
import { AspectTable } from "../../../../src/connectors/datahub/rows.ts";
import { crawlAspects } from "../../../../src/connectors/datahub/state.ts";
import { toWorkspaceName } from "../../../../src/ids.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";
import { crawlArtifacts, entries, manifest } from "../dbt/project.ts";

const WORKSPACE = toWorkspaceName("default");
const TEST = "test.shop.relationships_orders_id";

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:dbt,wh.mart.${name},PROD)`;
const exposure = (name: string): string => `urn:li:dashboard:(dbt,exposure.shop.${name})`;

function ofExposure(name: string, type: string): [string, string, object] {
  const properties = { dbt_unique_id: `exposure.shop.${name}`, exposure_type: type, dbt_package_name: "shop" };
  return [
    exposure(name),
    "dashboardInfo",
    { customProperties: properties, title: name, datasets: [dataset("orders")] },
  ];
}

function ofTest(urn: string, name: string, ranAt: number): [string, string, object][] {
  const field = `urn:li:schemaField:(${dataset(name)},id)`;
  const nativeParameters = { model: "{{ get_where_subquery(ref('orders')) }}", to: "ref('customers')", field: "id" };
  const info = { type: "CUSTOM", customAssertion: { type: "dbt", entity: dataset(name), field, nativeParameters } };
  const result = { type: ranAt > 1 ? "FAILURE" : "SUCCESS" };
  return [
    [urn, "assertionInfo", { ...info, customProperties: { dbt_unique_id: TEST } }],
    [urn, "assertionRunEvent", { timestampMillis: ranAt, status: "COMPLETE", asserteeUrn: dataset(name), result }],
  ];
}

async function crawlRecipe(tests: readonly string[] = ["customers", "orders"]): Promise<CrawlEvent[]> {
  const table = new AspectTable();
  const adapter = { customProperties: { manifest_adapter: "postgres", materialization: "table" } };
  const said: [string, string, object][] = [
    ...["orders", "customers"].map((name): [string, string, object] => [dataset(name), "datasetProperties", adapter]),
    ofExposure("board", "dashboard"),
    ofExposure("churn", "ml"),
    ...tests.flatMap((name, i) => ofTest(`urn:li:assertion:${i + 1}`, name, i + 1)),
  ];
  for (const [entityUrn, aspectName, json] of said)
    runAtOnce(table.add({ entityType: "", entityUrn, changeType: "UPSERT", aspectName, aspect: { json } }));
  return Array.fromAsync(crawlAspects(table, namingOptionsShape.parse({}), { now: new Date(0) }));
}

async function crawlProject(): Promise<CrawlEvent[]> {
  const on = { depends_on: { nodes: ["model.shop.orders"] }, owner: { name: "Ada", email: null } };
  const nodes = {
    ...entries({ "model.shop.orders": {}, "model.shop.customers": {} }),
    [TEST]: {
      resource_type: "test",
      package_name: "shop",
      name: "relationships_orders_id",
      attached_node: "model.shop.orders",
      column_name: "id",
      test_metadata: { name: "relationships", kwargs: { field: "id", to: "ref('customers')" } },
      depends_on: { nodes: ["model.shop.customers", "model.shop.orders"] },
      config: {},
    },
  };
  const exposures = entries(
    { "exposure.shop.board": { type: "dashboard" }, "exposure.shop.churn": { type: "ml" } },
    {
      package_name: "shop",
      ...on,
    },
  );
  return (await crawlArtifacts({ manifest: manifest({ nodes, exposures }) })).events;
}

const idOf = (ref: NodeRef): string => nodeId(WORKSPACE, ref);

/** Ids of the nodes, edges and checks that are stated. */
function stated(events: readonly CrawlEvent[]) {
  const shown = events.flatMap((event) => {
    if (event.kind === "asset") return [`${event.asset.ref.type} ${idOf(event.asset.ref)}`];
    if (event.kind === "edge") return [`${idOf(event.edge.from)} ${event.edge.kind} ${idOf(event.edge.to)}`];
    if (event.kind !== "check") return [];
    const { object, assets } = event.check;
    return [
      `check ${checkId(
        WORKSPACE,
        object,
        assets.map((ref) => nodeId(WORKSPACE, ref)),
      )}`,
    ];
  });
  return shown.map((each) => each.replace(/^model /, "table ")).toSorted();
}

test("DataHub's recipe states the relations, exposures and tests of a dbt project that the connector of dbt states", async () => {
  expect(stated(await crawlRecipe())).toEqual(stated(await crawlProject()));
});

test("A test of dbt with several assertions is one check of all their datasets, with the result of the last run", async () => {
  const checks = (await crawlRecipe()).flatMap((event) => (event.kind === "check" ? [event.check] : []));
  expect(checks).toMatchObject([{ object: TEST, name: "relationships_orders_id", result: { status: "fail" } }]);
  expect(checks[0]?.columns.map(({ asset, name }) => `${asset.parts.join(".")}.${name}`)).toEqual([
    "wh.mart.customers.id",
    "wh.mart.orders.id",
  ]);
});

const assetsOf = (events: readonly CrawlEvent[]) =>
  events.flatMap((event) => (event.kind === "check" ? [event.check.assets.map(idOf)] : []));

test("A test of dbt belongs to the dataset that it tests, in whatever order its assertions are read", async () => {
  const [ofProject] = assetsOf(await crawlProject());
  for (const order of [
    ["customers", "orders"],
    ["orders", "customers"],
  ]) {
    expect(assetsOf(await crawlRecipe(order))).toEqual([ofProject]);
  }
});
