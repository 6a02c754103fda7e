/** The sample on a clock of its own: crawled, edited and read, then changed in its source and by people. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { fromOperator } from "../../src/auth/origin.ts";
import { setRateLimit } from "../../src/auth/security-settings.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { findConnectorType } from "../../src/connectors/registry.ts";
import { addConnector } from "../../src/ingest/add-connector.ts";
import { startApp } from "./app.ts";
import { createTestClock, DAY_MS, MINUTE_MS } from "./clock.ts";
import { atDepth } from "./depth.ts";
import { dropAmount, model, rewrite, SHOP, writeShop } from "./edited-shop.ts";
import { createGraphqlClient } from "./graphql-client.ts";
import { at, createRestClient, type Json } from "./rest-client.ts";

const EDIT = "mutation ($input: UpdateAssetInput!) { updateAsset(input: $input) { asset { id } } }";
const CERTIFY = "mutation ($id: ID!) { certifyMetric(input: { id: $id }) { metric { id } } }";
const WITHDRAW = "mutation ($id: ID!) { withdrawCertification(input: { id: $id }) { metric { id } } }";
const IDS = `{ assets(types: [table, model, dashboard, pipeline], first: 200) { nodes { id name } } columns: assets(type: column, first: 20) { nodes { id } }
  metrics { nodes { id name } } }`;

/**
 * The first day is 2026-03-02, from 10:00 UTC. The last change is on 2026-03-05, and the clock then stands at 12:00.
 * @param read is called on the first day, after the last change of that day
 */
export async function openChangedShop<T>(read: (reads: Reads) => Promise<T>) {
  const clock = createTestClock("2026-03-02T10:00:00.000Z");
  const running = await startApp({ overrides: { clock } });
  const { app } = running;
  const folder = await mkdtemp(join(tmpdir(), "tributary-shop-"));
  const workspace = await getDefaultWorkspace(app.metadata);
  const origin = fromOperator(workspace, await getFirstAdmin(app.metadata, workspace));
  await setRateLimit({ store: app.metadata, clock, random: app.random }, origin, 10_000);
  const manifest = writeShop(folder, "manifest");
  const options = { manifest, catalog: join(SHOP, "catalog.json") };
  const request = { type: "dbt", name: "shop", options, test: false };
  const parts = { store: app.metadata, findConnectorType, clock };
  const connector = await addConnector(parts, origin, request, new AbortController().signal);
  const ask = createRestClient(running);
  const query = createGraphqlClient(running);

  async function crawl(): Promise<void> {
    const sync = await app.syncs.trigger({ workspaceId: workspace.id, connectorId: connector.id });
    const { status, errors } = await app.queue.wait(workspace.id, sync.id);
    if (status !== "completed") throw new Error(`the sync ended ${status}: ${JSON.stringify(errors)}`);
  }

  async function change(mutation: string, variables: Record<string, unknown>): Promise<void> {
    clock.advance(MINUTE_MS);
    const { message } = await query(mutation, variables);
    if (message !== "") throw new Error(message);
  }

  await crawl();
  const { data } = await query(IDS);
  const listOf = (key: string): Named[] => at(data, key, "nodes") as unknown as Named[];
  const [assets, columns, metrics] = [listOf("assets"), listOf("columns"), listOf("metrics")];
  const idOf = (name: string): string => {
    const found = [...assets, ...metrics].find((each) => each.name === name);
    if (found === undefined) throw new Error(`the sample has no ${name}`);
    return found.id;
  };
  await change(EDIT, {
    input: { id: idOf("dim_customers"), description: "The first text.", owner: "ada@example.com" },
  });
  await change(WITHDRAW, { id: idOf("ad_spend") });

  const reads: Reads = {
    async readRoutes(asOf) {
      const texts = new Map<string, string>();
      const get = async (operation: string, path: string, input: Record<string, string>): Promise<void> => {
        const given = new URLSearchParams({ ...input, ...(asOf !== undefined && { as_of: asOf }) });
        const { body } = await ask(`/api/v1${path}?${given}`);
        texts.set(`${operation} ${path}?${new URLSearchParams(input)}`, textOf(body));
      };
      for (const filter of [
        {},
        { type: "model" },
        { owner: "ada@example.com" },
        { schema: "shop.staging" },
        { unowned: "true" },
      ])
        await get("ListAssets", "/catalog/assets", { ...filter, limit: "200" });
      await get("ListMetrics", "/metrics", {});
      for (const { id } of metrics) await get("GetMetric", `/metrics/${id}`, {});
      for (const { id } of [...assets.slice(0, atDepth(12, 200)), ...columns])
        await get("GetAsset", `/catalog/assets/${id}`, {});
      for (const { id: asset_id } of [
        ...assets.slice(0, atDepth(6, 40)),
        ...columns.slice(0, atDepth(2, 10)),
        ...metrics.slice(0, atDepth(2, 100)),
      ]) {
        await get("WalkUpstream", "/lineage/upstream", { asset_id, depth: "4", include_indirect: "true" });
        await get("WalkDownstream", "/lineage/downstream", { asset_id });
        await get("DiffLineage", "/lineage/diff", { asset_id, depth: "2" });
        const input = { asset_id, change_type: "asset_drop" };
        const body = JSON.stringify({ ...input, ...(asOf !== undefined && { as_of: asOf }) });
        const answer = await ask("/api/v1/lineage/impact", { method: "POST", body });
        texts.set(`AssessImpact ${JSON.stringify(input)}`, textOf(answer.body));
      }
      return texts;
    },
    async readQueries(queries) {
      const answers: Record<string, Json> = {};
      for (const [name, text] of Object.entries(queries)) {
        const reply = await query(text);
        if (reply.message !== "") throw new Error(`${name}: ${reply.message}`);
        answers[name] = reply.data;
      }
      return answers;
    },
  };

  clock.advance(MINUTE_MS);
  const moment = clock.now().toISOString();
  const firstDay = await read(reads);

  clock.advance(DAY_MS);
  await change(EDIT, { input: { id: idOf("dim_customers"), description: "The second text.", tags: ["core"] } });
  await change(EDIT, { input: { id: idOf("fct_orders"), owner: "ada@example.com" } });
  await change(CERTIFY, { id: idOf("ad_spend") });
  await change(WITHDRAW, { id: idOf("order_count") });
  clock.advance(DAY_MS);
  writeShop(folder, "manifest", (edited) => {
    dropAmount(edited);
    rewrite(model(edited, "fct_orders"), [
      "orders.gross_revenue_eur,",
      "orders.gross_revenue_eur * 2 as gross_revenue_eur,",
    ]);
    delete edited.nodes["model.shop.crm_contacts"];
  });
  await crawl();
  clock.advance(Date.parse("2026-03-05T12:00:00Z") - clock.now().getTime());
  const close = async (): Promise<void> => {
    await running.close();
    await rm(folder, { recursive: true });
  };
  return { ...reads, running, ask, query, moment, firstDay, close };
}

interface Reads {
  /** The bodies of the routes that take `as_of`, for many assets and metrics, by operation and input. */
  readRoutes: (asOf?: string) => Promise<Map<string, string>>;
  /** The data of queries by their names. */
  readQueries: (queries: Readonly<Record<string, string>>) => Promise<Record<string, Json>>;
}

interface Named {
  id: string;
  name: string;
}

/** Without the cursor, which has the time at which it was issued. */
function textOf(body: Json): string {
  return JSON.stringify(body).replace(/"next_cursor":"[^"]*"/, '"next_cursor":""');
}
