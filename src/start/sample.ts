/** The sample: a made-up shop's warehouse, in which a first look finds something. */
import { fileURLToPath } from "node:url";

import type { App } from "../app.ts";
import { fromOperator } from "../auth/origin.ts";
import { findConnectorType } from "../connectors/registry.ts";
import { addConnector } from "../crawl/add-connector.ts";
import type { Connector, Sync, Workspace } from "../metadata/records.ts";
import { getFirstAdmin } from "./workspace.ts";

/** What the sample's connector is called. */
export const SAMPLE_NAME = "shop";
const FOLDER = new URL("../../samples/shop/", import.meta.url);
const ARTIFACTS = ["manifest", "catalog", "semantic_manifest"];

/**
 * Registers the sample's connector and crawls it, each where that was not done before, and waits for the end.
 * @param onProgress told of the sync while it is under way
 */
export async function loadSample(
  app: Pick<App, "metadata" | "queue" | "syncs">,
  workspace: Workspace,
  onProgress?: (sync: Sync) => void,
): Promise<Sync> {
  const { id: workspaceId } = workspace;
  const connector =
    (await app.metadata.connectors.findByName(workspaceId, SAMPLE_NAME)) ?? (await registerSample(app, workspace));
  const sync =
    (await app.metadata.syncs.findLatest(workspaceId, connector.id)) ??
    (await app.syncs.trigger({ workspaceId, connectorId: connector.id }));
  return app.queue.wait(workspaceId, sync.id, onProgress);
}

/** Makes the sample's connector. */
export async function registerSample(
  { metadata: store }: Pick<App, "metadata">,
  workspace: Workspace,
): Promise<Connector> {
  const options = Object.fromEntries(ARTIFACTS.map((name) => [name, fileURLToPath(new URL(`${name}.json`, FOLDER))]));
  const origin = fromOperator(workspace, await getFirstAdmin(store, workspace));
  // Its files come with the program: there is nothing to look at.
  const request = { type: "dbt", name: SAMPLE_NAME, options, test: false };
  return addConnector({ store, findConnectorType }, origin, request, new AbortController().signal);
}
