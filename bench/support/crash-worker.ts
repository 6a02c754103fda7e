/**
 * A worker that syncs a dbt project of a data folder, to be killed or frozen: `node crash-worker.ts FOLDER HOURS look`.
 * HOURS shifts its clock, so that leases of killed workers have ended. It syncs the connector `shop` until a sync ends,
 * and prints its status. With `look` it prints the contents of the catalog instead, as JSON.
 */
import pino from "pino";

import { fromOperator } from "../../src/auth/origin.ts";
import { systemClock, systemRandom } from "../../src/clock.ts";
import type { NodeId } from "../../src/ids.ts";
import { addConnector } from "../../src/ingest/add-connector.ts";
import { openServices } from "../../src/services.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { openDataFolderKeys } from "../../src/stores.ts";

const HOUR_MS = 3_600_000;
const LEFT_OUT = new Set(["createdAt", "updatedAt", "workspace", "certification", "certifiedBy", "certifiedAt"]);

const [folder = "", hours = "0", mode = ""] = process.argv.slice(2);
const clock = { ...systemClock, now: () => new Date(Date.now() + Number(hours) * HOUR_MS) };
const settings = parseSettings({ DATA_DIR: `${folder}/data`, LOG_LEVEL: "silent", SAMPLE: "off" });
await using closing = new AsyncDisposableStack();
const services = await openServices({
  settings,
  keep: openDataFolderKeys(settings, systemRandom),
  clock,
  random: systemRandom,
  log: pino({ level: "silent" }),
  deadline: (ms) => AbortSignal.timeout(ms),
  whenClosed: (_what, closeIt) => closing.defer(async () => closeIt()),
});
const { metadata: store, graph, queue, syncs, findConnectorType } = services;
const workspace = await getDefaultWorkspace(store);
if (mode === "look") console.log(JSON.stringify(await look()));
else console.log(await crawl());

async function crawl(): Promise<string> {
  const origin = fromOperator(workspace, await getFirstAdmin(store, workspace));
  const options = { manifest: `${folder}/manifest.json` };
  const known = await store.connectors.findByName(workspace.id, "shop");
  const connector =
    known ??
    (await addConnector(
      { store, findConnectorType, clock },
      origin,
      { type: "dbt", name: "shop", options, test: false, removalShare: 100 },
      new AbortController().signal,
    ));
  const { id } = await syncs.trigger({ workspaceId: workspace.id, connectorId: connector.id, force: true });
  queue.start();
  process.stdout.write("started\n");
  return (await queue.wait(workspace.id, id)).status;
}

/**
 * The number of syncs that have not ended, and every node with its direct sources. Times are left out, and so are
 * certifications, because they lapse when models are removed.
 */
async function look(): Promise<unknown[]> {
  const page = { after: null, limit: 100_000 };
  const { items } = await graph.listNodes(workspace.id, { types: "asset" }, page);
  const metrics = await graph.listNodes(workspace.id, { types: ["metric"] }, page);
  const ids: NodeId[] = [...items, ...metrics.items].map(({ id }) => id);
  const near = await graph.loadNeighbours(
    workspace.id,
    ids.map((id) => ({ id, direction: "upstream", first: 1_000, after: null }) as const),
  );
  const shop = await store.connectors.findByName(workspace.id, "shop");
  const recent = shop === null ? [] : await store.syncs.listRecent(workspace.id, shop.id, 1_000);
  const open = recent.filter(({ status }) => status === "queued" || status === "running").length;
  const shownNodes = [...items, ...metrics.items].map((node, i) => {
    const shown = Object.entries(node).filter(([key]) => !LEFT_OUT.has(key));
    return [shown, near[i]?.items.map(({ node: { id }, kinds, uses }) => [id, kinds, uses])];
  });
  return [open, ...shownNodes];
}
