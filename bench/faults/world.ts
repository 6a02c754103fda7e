/** A running cluster with the sample in it three times, and with load on all servers. */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { SAMPLE_FOLDER } from "../../src/connectors/source-folders.ts";
import { startApp } from "../../test/support/app.ts";
import { makeKey, setLimit } from "./access.ts";
import { type Client, createClient } from "./client.ts";
import { type Cluster, type Member, startCluster } from "./cluster.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { type Load, startLoad } from "./load.ts";
import { INSTANCES, listItems, type Snapshot, takeSnapshot } from "./snapshot.ts";
import { keepTrail, type SyncTrail } from "./sync-trail.ts";
import { createTally, type Tally } from "./tally.ts";

const SERVERS = 3;
const WORKERS = 2;
/** The highest limit that a workspace may have. */
const NO_LIMIT = 10_000;
/** All remaining work must be done within this time. It is longer than a lease. */
const DRAIN_MS = 120_000;

const CREATE = `mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }`;
const SYNC = `mutation ($input: TriggerSyncInput!) { triggerSync(input: $input) { sync { id } } }`;

export interface World extends AsyncDisposable {
  cluster: Cluster;
  admin: Client;
  trail: SyncTrail;
  ledger: Ledger;
  tally: Tally;
  startLoad(signal: AbortSignal): Promise<Load>;
  /** Waits until all syncs have ended and no event waits. Returns those that did not end in time. */
  drain(): Promise<string[]>;
}

export async function openWorld(seed: number): Promise<World> {
  const folder = await mkdtempDisposable(join(tmpdir(), "tributary-faults-"));
  const cluster = await startCluster(folder.path, { servers: SERVERS, workers: WORKERS });
  const close = async (): Promise<void> => {
    await cluster.close();
    await folder.remove();
  };
  try {
    const choose = createChooser(cluster.servers);
    const admin = createClient({ key: cluster.key, choose });
    const [ledger, tally] = [createLedger(), createTally()];
    const trail = await keepTrail(cluster);
    await setLimit(admin, NO_LIMIT);
    const { body: listed } = await admin.get("/api/v1/connectors");
    const connectors: string[] = [listed.data[0].connector_id];
    for (const connector of await addInstances(admin)) connectors.push(connector);
    const drain = (): Promise<string[]> => waitForAll(trail);
    await drain();
    const items = await listItems(admin);
    const assets = items.filter(({ type }) => type === "table" || type === "model").map(({ id }) => id);
    const source = items.find(({ fqn, type }) => type === "model" && fqn.startsWith("shop."))?.id ?? "";
    const columns = items.filter(({ type }) => type === "column").map(({ id }) => id);
    const targets = { assets: assets.filter((id) => id !== source), columns, connectors, source };
    const connect = async (): Promise<Client> =>
      createClient({ key: (await makeKey(admin)).token, choose }, tally.note);
    return {
      cluster,
      admin,
      trail,
      ledger,
      tally,
      drain,
      async startLoad(signal) {
        return startLoad({ connect, targets, ledger, signal, random: createRandom(seed) });
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Syncs the same project twice more, without waiting. Returns the ids of the connectors. */
async function addInstances(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for (const instance of INSTANCES) {
    const options = { target: SAMPLE_FOLDER, instance };
    const made = await client.query(CREATE, { input: { type: "dbt", name: instance, options, test: false } });
    if (made.outcome !== "ok") throw new Error(`no connector: ${made.fault ?? made.outcome}`);
    const { id } = made.body.createConnector.connector;
    ids.push(id);
    await client.query(SYNC, { input: { connectorId: id } });
  }
  return ids;
}

async function waitForAll(trail: SyncTrail): Promise<string[]> {
  const until = performance.now() + DRAIN_MS;
  for (;;) {
    const { syncs, subjects } = await trail.readWaiting();
    if (syncs.length === 0 && subjects === 0) return [];
    if (performance.now() > until) {
      return [...syncs.map(({ id, status }) => `sync ${id} is still ${status}`), `${subjects} subjects wait`];
    }
    await pause(200);
  }
}

/** The catalog of one undisturbed server with its own stores, for the same projects. */
export async function crawlAfresh(): Promise<Snapshot> {
  const running = await startApp({ sample: true });
  try {
    const server: Member = { ...NOBODY, name: "a fresh server", url: running.url, isUp: true };
    const client = createClient({ key: running.token, choose: () => server });
    await setLimit(client, NO_LIMIT);
    await addInstances(client);
    for (;;) {
      const { queued, running: busy } = await running.app.metadata.syncs.countUnfinished();
      if (queued + busy === 0) break;
      await pause(100);
    }
    return await takeSnapshot(client);
  } finally {
    await running.close();
  }
}

const NOBODY = {
  hasEnded: () => false,
  cuts: 0,
  start: () => Promise.resolve(),
  kill: () => Promise.resolve(),
  stop: () => Promise.resolve(0),
};

/** Each request goes to the next server that is up. */
function createChooser(servers: readonly Member[]): () => Member {
  let next = 0;
  return () => {
    const up = servers.filter(({ isUp }) => isUp);
    const server = up[next++ % Math.max(1, up.length)] ?? servers[0];
    if (server === undefined) throw new Error("there is no server");
    return server;
  };
}

/** Park and Miller's generator: the same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
