/** Crawls a copy of the sample's project, whose manifest a test can edit between two crawls. */
import { join } from "node:path";

import { fromOperator } from "../../src/auth/origin.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { systemClock } from "../../src/clock.ts";
import { findConnectorType } from "../../src/connectors/registry.ts";
import { addConnector } from "../../src/ingest/add-connector.ts";
import type { RunningApp } from "./app.ts";
import { SHOP, writeResults, writeShop } from "./edited-shop.ts";

/** @returns crawls the project again, after edits of its manifest and of its tests' results */
export async function crawlShop({ app }: RunningApp, folder: string) {
  const workspace = await getDefaultWorkspace(app.metadata);
  const origin = fromOperator(workspace, await getFirstAdmin(app.metadata, workspace));
  const options = {
    manifest: writeShop(folder, "manifest"),
    catalog: join(SHOP, "catalog.json"),
    run_results: writeResults(folder),
  };
  const request = { type: "dbt", name: "shop", options, test: false };
  const parts = { store: app.metadata, findConnectorType, clock: systemClock };
  const connector = await addConnector(parts, origin, request, new AbortController().signal);
  const crawl = async (
    edit?: Parameters<typeof writeShop>[2],
    results?: Parameters<typeof writeResults>[1],
  ): Promise<void> => {
    writeShop(folder, "manifest", edit);
    writeResults(folder, results);
    const sync = await app.syncs.trigger({ workspaceId: workspace.id, connectorId: connector.id, force: true });
    const { status, errors } = await app.queue.wait(workspace.id, sync.id);
    if (status !== "completed") throw new Error(`the sync ended ${status}: ${JSON.stringify(errors)}`);
  };
  await crawl();
  return crawl;
}
