/** A relation that dbt and lineage events both state is one asset, with the facts that each knows best. */
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { fromOperator } from "../../src/auth/origin.ts";
import { findConnectorType } from "../../src/connectors/registry.ts";
import { addConnector } from "../../src/ingest/add-connector.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { facet, runEvent, schemaFacet } from "../support/lineage-events.ts";
import { present } from "../support/present.ts";
import { at, createRestClient } from "../support/rest-client.ts";
import { writeDbtProject } from "../support/small-dbt-project.ts";

async function crawlDbt({ app }: RunningApp): Promise<void> {
  const folder = await writeDbtProject({
    adapter: "snowflake",
    sources: { orders: { id: "NUMBER", amount: "NUMBER" } },
    models: { daily: "select id, amount from {orders}" },
  });
  const { metadata: store, syncs, queue } = app;
  const workspace = await getDefaultWorkspace(store);
  const origin = fromOperator(workspace, await getFirstAdmin(store, workspace));
  const options = { manifest: join(folder, "manifest.json"), catalog: join(folder, "catalog.json") };
  const request = { type: "dbt", name: "project", options, test: true };
  const { id } = await addConnector(
    { store, findConnectorType, clock: app.clock },
    origin,
    request,
    new AbortController().signal,
  );
  const sync = await syncs.trigger({ workspaceId: workspace.id, connectorId: id });
  expect(await queue.wait(workspace.id, sync.id)).toMatchObject({ status: "completed" });
}

const snowflake = (name: string, facets: Record<string, unknown> = {}) => {
  return { namespace: "snowflake://org-account", name, facets };
};

/** States that `id` comes from `amount`, which is wrong. */
const columnLineage = facet({
  fields: { ID: { inputFields: [{ ...snowflake("SHOP.RAW.ORDERS"), field: "AMOUNT" }] } },
});
const event = runEvent({
  job: "daily",
  inputs: [snowflake("SHOP.RAW.ORDERS", schemaFacet("ID", "AMOUNT"))],
  outputs: [snowflake("SHOP.MARTS.DAILY", { ...schemaFacet("ID", "AMOUNT"), columnLineage })],
});

test.each([
  ["dbt", "events"],
  ["events", "dbt"],
])("One asset has the best of dbt and events, with %s first and then %s", async (first) => {
  const running = await startApp({ overrides: { countdown: () => () => {} } });
  onTestFinished(() => running.close());
  const graphql = createGraphqlClient(running);
  const send = async () => {
    const ask = createRestClient(running);
    expect((await ask("/api/v1/lineage", { method: "POST", body: JSON.stringify(event) })).status).toBe(201);
  };
  const steps = [() => crawlDbt(running), send];
  for (const step of first === "dbt" ? steps : steps.toReversed()) await step();

  const { data, message } = await graphql(`
    {
      assets(first: 50) {
        nodes {
          type
          fqn
        }
      }
      daily: asset(fqn: "shop.marts.daily") {
        upstream(first: 10) {
          edges {
            kinds
            node {
              name
            }
          }
        }
      }
      id: asset(fqn: "shop.marts.daily.id") {
        upstream(first: 10) {
          edges {
            kinds
            node {
              name
            }
          }
        }
      }
    }
  `);
  expect(message).toBe("");
  const workspace = await getDefaultWorkspace(running.app.metadata);
  const daily = present((await running.app.graph.loadByFqn(workspace.id, "shop.marts.daily", {}))[0]);
  expect(daily).toMatchObject({
    type: "model",
    connectors: ["project", "openlineage"],
    lineageConnector: "project",
    sourceConnector: "project",
  });
  expect(at(data, "daily", "upstream", "edges")).toEqual([
    { kinds: ["materializes"], node: { name: "daily" } },
    { kinds: ["derives"], node: { name: "orders" } },
  ]);
  // dbt's SQL decides, not the event.
  expect(at(data, "id", "upstream", "edges")).toEqual([{ kinds: ["derives"], node: { name: "id" } }]);
  const all = at(data, "assets", "nodes");
  expect(Array.isArray(all) ? all.map((asset) => `${at(asset, "type")} ${at(asset, "fqn")}`).toSorted() : []).toEqual([
    "column shop.marts.daily.amount",
    "column shop.marts.daily.id",
    "column shop.raw.orders.amount",
    "column shop.raw.orders.id",
    "model shop.marts.daily",
    "pipeline nightly.daily",
    "table shop.raw.orders",
  ]);
});
