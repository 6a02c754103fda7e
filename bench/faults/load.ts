/** The load: clients read, edit, define metrics, send events and start syncs. Each writes its own items. */
import { setTimeout as pause } from "node:timers/promises";

import { runEvent } from "../../test/support/lineage-events.ts";
import type { Answer, Client } from "./client.ts";
import type { Ledger } from "./ledger.ts";
import { BENCH } from "./snapshot.ts";

export interface Targets {
  /** Ids of models and tables. */
  assets: readonly string[];
  columns: readonly string[];
  connectors: readonly string[];
  /** The asset from which the bench's metrics are computed. */
  source: string;
}

interface LoadParts {
  /** A client with its own key. */
  connect(): Promise<Client>;
  targets: Targets;
  ledger: Ledger;
  signal: AbortSignal;
  random: () => number;
}

export interface Load {
  /** Values that another server returned right after a newer one was acknowledged. */
  stale: string[];
  /** Ids of syncs that were acknowledged. */
  syncs: Set<string>;
  done: Promise<unknown>;
}

const READERS = 5;
const EDITORS = 2;
const SENDERS = 3;
const READ_PAUSE_MS = 20;
const WRITE_PAUSE_MS = 50;
const SYNC_PAUSE_MS = 1_500;

const NESTED = `query ($id: ID!) { asset(id: $id) { name columns { name } lineage(direction: downstream, depth: 2) { nodes { name } } } }`;
const EDIT = `mutation ($input: UpdateAssetInput!) { updateAsset(input: $input) { asset { id } } }`;
const LOOK = `query ($id: ID!) { asset(id: $id) { description tags } }`;
const DEFINE = `mutation ($input: DefineMetricInput!) { defineMetric(input: $input) { metric { id } } }`;
const SYNC = `mutation ($input: TriggerSyncInput!) { triggerSync(input: $input) { sync { id } } }`;

export function startLoad({ connect, targets, ledger, signal, random }: LoadParts): Load {
  const stale: string[] = [];
  const syncs = new Set<string>();
  const pick = (ids: readonly string[]): string => ids[Math.floor(random() * ids.length)] ?? "";

  async function repeat(pauseMs: number, once: (client: Client, turn: number) => Promise<unknown>): Promise<void> {
    const client = await connect();
    for (let turn = 1; !signal.aborted; turn++) {
      await once(client, turn);
      await pause(pauseMs);
    }
  }

  const readers: ((client: Client) => Promise<Answer>)[] = [
    (client) => client.get("/api/v1/catalog/assets?limit=50"),
    (client) => client.get("/api/v1/catalog/assets?search=order&limit=10"),
    (client) => client.get(`/api/v1/catalog/assets/${pick(targets.assets)}`),
    (client) => client.get(`/api/v1/lineage/downstream?asset_id=${pick(targets.assets)}&depth=3`),
    (client) => client.post("/api/v1/lineage/impact", { asset_id: pick(targets.columns), change_type: "column_drop" }),
    (client) => client.query(NESTED, { id: pick(targets.assets) }),
  ];

  /** Edits assets that no other client edits, and reads each edit from the next server. */
  async function edit(client: Client, turn: number, editor: number): Promise<void> {
    const own = targets.assets.filter((_, i) => i % EDITORS === editor);
    const id = own[turn % Math.min(own.length, 10)] ?? "";
    const value = `${BENCH} ${turn}`;
    const isTag = turn % 2 === 0;
    const input = { id, ...(isTag ? { tags: [value] } : { description: value }) };
    const { outcome } = await ledger.write(`${isTag ? "tags" : "description"} ${id}`, value, () =>
      client.query(EDIT, { input }),
    );
    if (outcome !== "ok") return;
    const { outcome: seen, body } = await client.query(LOOK, { id });
    if (seen !== "ok") return;
    const found = isTag ? body.asset.tags.join() : body.asset.description;
    if (found !== value) stale.push(`${id}: ${found} after ${value}`);
  }

  function define(client: Client, turn: number): Promise<Answer> {
    const name = `${BENCH}_${turn}`;
    const input = { name, kind: "simple", expression: "count(*)", sources: [targets.source] };
    return ledger.write(`metric ${name}`, name, () => client.query(DEFINE, { input }));
  }

  /** Each run of a job writes to another table, and the last run counts. */
  function send(client: Client, turn: number, sender: number): Promise<Answer> {
    const job = `${BENCH}_${sender}_${turn % 5}`;
    const table = `${job}_${turn}`;
    const output = { namespace: "postgres://db.example.com:5432", name: `lake.public.${table}` };
    const event = runEvent({ at: turn, run: sender * 100_000 + turn, job, outputs: [output] });
    return ledger.write(`event ${job}`, table, () => client.post("/api/v1/lineage", event));
  }

  async function sync(client: Client): Promise<void> {
    const { outcome, body } = await client.query(SYNC, {
      input: { connectorId: pick(targets.connectors), force: true },
    });
    if (outcome === "ok") syncs.add(body.triggerSync.sync.id);
  }

  const loops = [
    ...Array.from({ length: READERS }, () =>
      repeat(READ_PAUSE_MS, (client, turn) => readers[turn % readers.length]?.(client) ?? Promise.resolve()),
    ),
    ...Array.from({ length: EDITORS }, (_, i) => repeat(WRITE_PAUSE_MS, (client, turn) => edit(client, turn, i))),
    ...Array.from({ length: SENDERS }, (_, i) => repeat(WRITE_PAUSE_MS, (client, turn) => send(client, turn, i))),
    repeat(WRITE_PAUSE_MS * 10, define),
    repeat(SYNC_PAUSE_MS, sync),
  ];
  return { stale, syncs, done: Promise.all(loops) };
}
