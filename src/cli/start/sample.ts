/** The sample: the warehouse of a made-up shop, so that a new catalog is not empty. */
import type { App } from "../../app.ts";
import { fromOperator } from "../../auth/origin.ts";
import { dbtConnector } from "../../connectors/dbt/connector.ts";
import { findConnectorType } from "../../connectors/registry.ts";
import { SAMPLE_FOLDER } from "../../connectors/source-folders.ts";
import { addConnector } from "../../ingest/add-connector.ts";
import type { Connector, Sync, Workspace } from "../../metadata/records.ts";
import { getFirstAdmin, getOrCreate } from "./workspace.ts";

/** The name of the sample's connector. */
export const SAMPLE_NAME = "shop";

/** Anybody may name a connector like the sample's, but only the sample reads this folder. */
export function isSample({ type, options }: Connector): boolean {
  return type === dbtConnector.type && options["target"] === SAMPLE_FOLDER;
}

/**
 * Registers the sample's connector and crawls it, if this was not done before. Waits for the end of the crawl.
 * @param onProgress called with the sync's progress
 */
export async function loadSample(
  app: Pick<App, "metadata" | "clock" | "queue" | "syncs">,
  workspace: Workspace,
  onProgress?: (sync: Sync) => void,
): Promise<Sync> {
  const { id: workspaceId } = workspace;
  const connector = await getOrCreate(
    () => app.metadata.connectors.findByName(workspaceId, SAMPLE_NAME),
    () => registerSample(app, workspace),
  );
  const sync =
    (await app.metadata.syncs.findLatest(workspaceId, connector.id)) ??
    (await app.syncs.trigger({ workspaceId, connectorId: connector.id }));
  return app.queue.wait(workspaceId, sync.id, onProgress);
}

export async function registerSample(
  { metadata: store, clock }: Pick<App, "metadata" | "clock">,
  workspace: Workspace,
): Promise<Connector> {
  const options = { target: SAMPLE_FOLDER };
  const origin = fromOperator(workspace, await getFirstAdmin(store, workspace));
  // The files are part of the program, so the source need not be tested.
  const request = { type: dbtConnector.type, name: SAMPLE_NAME, options, test: false };
  return addConnector({ store, findConnectorType, clock }, origin, request, new AbortController().signal);
}
