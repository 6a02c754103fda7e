/**
 * A separate process on a metadata store, for tests with several processes: `node crawl-worker.ts STORE WORKSPACE
 * CONNECTOR once|hang`, with the URL of the store as JSON. It triggers a sync and runs its queue.
 * `once`: prints the sync's id and the ids of the syncs that it ran, as JSON, when the sync ended.
 * `hang`: prints the sync's id once it runs it, and never ends it.
 */
import { systemClock, systemRandom } from "../../src/clock.ts";
import { toConnectorId, toWorkspaceId } from "../../src/ids.ts";
import { createSyncService } from "../../src/ingest/sync-service.ts";
import { openMetadataStore } from "../../src/metadata/store.ts";
import { createLocalQueue } from "../../src/ingest/queue/local.ts";
import { createScriptedConnector } from "./scripted-connector.ts";
import { SUCCESS } from "./syncs.ts";

const [location = "{}", workspace = "", connector = "", mode] = process.argv.slice(2);
const workspaceId = toWorkspaceId(workspace);
const connectorId = toConnectorId(connector);
const store = await openMetadataStore({
  url: JSON.parse(location),
  secretKey: Buffer.alloc(32, "secret"),
  clock: systemClock,
  random: systemRandom,
});
const ran: string[] = [];
const queue = createLocalQueue({
  store,
  clock: systemClock,
  run(sync) {
    ran.push(sync.id);
    if (mode === "once") return Promise.resolve(SUCCESS);
    process.stdout.write(sync.id);
    return new Promise(() => {});
  },
});
const { find } = createScriptedConnector();
const { trigger } = createSyncService({ store, queue, findConnectorType: find, clock: systemClock });
queue.start();
const { id } = await trigger({ workspaceId, connectorId });
await queue.wait(workspaceId, id);
await queue.stop();
await store.close();
process.stdout.write(JSON.stringify({ id, ran }));
