/** Two connectors that read the same tables: one relation is one asset with the lineage of one of them. */
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, expect, it } from "vitest";

import { fromOperator } from "../../src/auth/origin.ts";
import { addConnector } from "../../src/ingest/add-connector.ts";
import { findConnectorType } from "../../src/connectors/registry.ts";
import type { Sync, Workspace } from "../../src/metadata/records.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { present } from "../support/present.ts";

const MANIFEST = fileURLToPath(new URL("../../samples/shop/manifest.json", import.meta.url));
const REFUNDS = "shop.finance.fct_refunds";

let running: RunningApp;
let workspace: Workspace;
beforeAll(async () => {
  running = await startApp({ sample: true });
  workspace = await getDefaultWorkspace(running.app.metadata);
});
afterAll(() => running.close());

async function crawl(name: string, options: Record<string, string> = {}): Promise<Sync> {
  const { metadata: store, clock, syncs, queue } = running.app;
  const workspaceId = workspace.id;
  const origin = fromOperator(workspace, await getFirstAdmin(store, workspace));
  const request = { type: "dbt", name, options: { manifest: MANIFEST, ...options }, test: true };
  const { id } = await addConnector({ store, findConnectorType, clock }, origin, request, new AbortController().signal);
  const sync = await syncs.trigger({ workspaceId, connectorId: id });
  return queue.wait(workspaceId, sync.id);
}

/** All assets except metrics. */
const countAssets = async () =>
  Object.values(await running.app.graph.countNodes(workspace.id, { types: "asset" })).reduce((sum, n) => sum + n, 0);
const findRefunds = async () => present((await running.app.graph.loadByFqn(workspace.id, REFUNDS, {}))[0]);

it(
  "Two connectors state one asset with the lineage of the older one, and the younger one's sync says so",
  { timeout: 300_000 },
  async () => {
    const before = await countAssets();
    const { status, errors } = await crawl("younger");
    expect(status).toBe("completed");
    expect(new Set(errors.map(({ code, severity }) => `${severity} ${code}`))).toEqual(
      new Set(["warning lineage_of_another"]),
    );
    expect(await countAssets()).toBe(before);
    expect(await findRefunds()).toMatchObject({ connectors: ["shop", "younger"], lineageConnector: "shop" });
  },
);

it("Two connectors state two assets if the options tell two installations apart", async () => {
  const before = await countAssets();
  expect(await crawl("elsewhere", { instance: "second" })).toMatchObject({ status: "completed", errorsTotal: 0 });
  expect(await countAssets()).toBeGreaterThan(before * 1.9);
});
