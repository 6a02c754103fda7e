/** The sample: a made-up shop's warehouse, in which a first look finds something. */
import { fileURLToPath } from "node:url";

import type { App } from "../app.ts";
import { findConnectorType } from "../connectors/registry.ts";
import { addConnector } from "../crawl/add-connector.ts";
import type { Connector, Sync, Workspace } from "../metadata/records.ts";

const NAME = "shop";
const FOLDER = new URL("../../samples/shop/", import.meta.url);
const ARTIFACTS = ["manifest", "catalog", "semantic_manifest"];

/**
 * Registers the sample's connector and crawls it, each where that was not done before, and waits for the end.
 * @param onProgress told of the sync while it is under way
 */
export async function loadSample(
  app: Pick<App, "metadata" | "queue" | "syncs">,
  { id: workspaceId }: Workspace,
  onProgress?: (sync: Sync) => void,
): Promise<Sync> {
  const connector =
    (await app.metadata.connectors.findByName(workspaceId, NAME)) ?? (await registerSample(app, workspaceId));
  const sync =
    (await app.metadata.syncs.findLatest(workspaceId, connector.id)) ??
    (await app.syncs.trigger({ workspaceId, connectorId: connector.id }));
  return app.queue.wait(workspaceId, sync.id, onProgress);
}

/** Makes the sample's connector. */
export function registerSample({ metadata: store }: Pick<App, "metadata">, workspaceId: string): Promise<Connector> {
  const options = Object.fromEntries(ARTIFACTS.map((name) => [name, fileURLToPath(new URL(`${name}.json`, FOLDER))]));
  return addConnector({ store, findConnectorType }, { workspaceId, type: "dbt", name: NAME, options });
}
