/**
 * Sends proposals as DataHub's client does, in batches of 200 by 15 threads, and syncs the connector that they make. Prints
 * the processor time of the service, its peak of memory, and its longest slice of the event loop. Usage: node
 * bench/datahub.ts [proposals, default 100000] [columns of a table, default 20]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createApp } from "../src/app.ts";
import { createApiKey } from "../src/auth/api-keys.ts";
import { fromCommandLine } from "../src/auth/origin.ts";
import { setRateLimit } from "../src/auth/security-settings.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../src/cli/start/workspace.ts";
import { MAX_RATE_LIMIT } from "../src/metadata/records.ts";
import { parseSettings } from "../src/settings/settings.ts";
import { watchLoop } from "./hostile/loop-watch.ts";
import { seeded } from "./support/random.ts";

const BATCH = 200;
const THREADS = 15;
const GOAL_MS = 50;
const SEED = 29;
const TRACED = 5;

interface Sending {
  url: string;
  token: string;
  proposals: number;
  columns: number;
}

interface Sent {
  bytes: number;
  /** Statuses other than 200. */
  refused: number[];
}

const urnOf = (table: number): string =>
  `urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.schema_${table % 50}.table_${table},PROD)`;
const fieldOf = (table: number, column: number): string => `urn:li:schemaField:(${urnOf(table)},column_${column})`;

/** What a recipe says about one table: ten aspects, of which one is not kept. */
function aspectsOf(table: number, width: number, random: () => number): [string, unknown][] {
  const source = Math.floor(random() * table);
  const columns = Array.from({ length: width }, (_, at) => at);
  const fields = columns.map((at) => {
    const type = { type: { "com.linkedin.schema.StringType": {} } };
    return {
      fieldPath: `column_${at}`,
      description: `Column ${at}`,
      nativeDataType: "VARCHAR(100)",
      type,
      nullable: true,
    };
  });
  const flows = columns.slice(0, TRACED).map((at) => ({
    upstreamType: "FIELD_SET",
    upstreams: [fieldOf(source, at)],
    downstreamType: "FIELD",
    downstreams: [fieldOf(table, at)],
  }));
  const upstreams = table === 0 ? [] : [{ dataset: urnOf(source), type: "TRANSFORMED" }];
  return [
    ["status", { removed: false }],
    [
      "datasetProperties",
      { name: `table_${table}`, description: "What was sold", customProperties: { owner: "sales" } },
    ],
    ["schemaMetadata", { schemaName: `table_${table}`, fields }],
    ["upstreamLineage", { upstreams, fineGrainedLineages: table === 0 ? [] : flows }],
    ["subTypes", { typeNames: ["Table"] }],
    ["globalTags", { tags: [{ tag: `urn:li:tag:tag_${table % 20}` }] }],
    ["ownership", { owners: [{ owner: `urn:li:corpuser:user_${table % 100}`, type: "DATAOWNER" }] }],
    [
      "operation",
      { timestampMillis: 1_700_000_000_000, lastUpdatedTimestamp: 1_700_000_000_000, operationType: "INSERT" },
    ],
    ["dataPlatformInstance", { platform: "urn:li:dataPlatform:snowflake" }],
    ["browsePathsV2", { path: [{ id: "shop" }, { id: `schema_${table % 50}` }] }],
  ];
}

function* batches({ proposals, columns }: Sending): Generator<string> {
  const random = seeded(SEED);
  let batch: unknown[] = [];
  for (let table = 0, sent = 0; sent < proposals; table++) {
    for (const [aspectName, value] of aspectsOf(table, columns, random)) {
      if (sent++ === proposals) break;
      const aspect = { contentType: "application/json", value: JSON.stringify(value) };
      const systemMetadata = { lastObserved: 1_700_000_000_000, runId: "bench", pipelineName: "bench" };
      batch.push({
        entityType: "dataset",
        entityUrn: urnOf(table),
        changeType: "UPSERT",
        aspectName,
        aspect,
        systemMetadata,
      });
    }
    if (batch.length < BATCH && sent < proposals) continue;
    yield JSON.stringify({ proposals: batch });
    batch = [];
  }
}

async function send(sending: Sending): Promise<Sent> {
  const sent: Sent = { bytes: 0, refused: [] };
  const { url, token } = sending;
  const all = batches(sending);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sendInTurn = async (): Promise<void> => {
    for (const body of all) {
      sent.bytes += body.length;
      const { status } = await fetch(`${url}/datahub/aspects?action=ingestProposalBatch`, {
        method: "POST",
        headers,
        body,
      });
      if (status !== 200) sent.refused.push(status);
    }
  };
  await Promise.all(Array.from({ length: THREADS }, sendInTurn));
  return sent;
}

async function measure(proposals: number, columns: number): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-datahub-"));
  const settings = parseSettings({ DATA_DIR: folder.path, PORT: "0", SAMPLE: "off", LOG_LEVEL: "silent" });
  const app = await createApp(settings);
  await app.connected;
  const workspace = await getDefaultWorkspace(app.metadata);
  const origin = fromCommandLine(workspace, await getFirstAdmin(app.metadata, workspace));
  const parts = { store: app.metadata, clock: app.clock, random: app.random };
  await setRateLimit(parts, origin, MAX_RATE_LIMIT);
  const request = { name: "bench", scopes: ["read", "write"], expiresInDays: null, kind: "live" } as const;
  const { token } = await createApiKey(parts, origin, request);
  const url = await app.listen();
  const watch = watchLoop(GOAL_MS);

  let [began, usedBefore] = [performance.now(), process.cpuUsage()];
  const print = (part: string, outcome: string): void => {
    const { user, system } = process.cpuUsage(usedBefore);
    const { longestProcessorMs, stalls, peakRssMiB, peakHeapMiB } = watch.take();
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    const processor = ((user + system) / 1e6).toFixed(1);
    const slices = `longest slice ${longestProcessorMs.toFixed(0)} ms, ${stalls.length} over ${GOAL_MS} ms`;
    console.log(
      `${part}: ${seconds} s, processor ${processor} s, peak ${peakRssMiB.toFixed(0)} MiB of which heap ${peakHeapMiB.toFixed(0)}, ${slices}; ${outcome}`,
    );
    [began, usedBefore] = [performance.now(), process.cpuUsage()];
  };

  for (const time of ["first", "again"]) {
    // Another process, so that its cost is not the service's.
    const sender = fork(import.meta.filename);
    sender.send({ url, token, proposals, columns } satisfies Sending);
    const [{ bytes, refused }] = (await once(sender, "message")) as [Sent];
    const said = `${proposals} proposals, ${(bytes / 2 ** 20).toFixed(0)} MiB, ${refused.length} requests refused`;
    print(`${time}: sent`, said);
    const connector = await app.metadata.connectors.findByName(workspace.id, "bench");
    if (connector === null) throw new Error("the proposals made no connector");
    const sync = await app.syncs.trigger({ workspaceId: workspace.id, connectorId: connector.id, force: true });
    const { status, assetsDiscovered, errors } = await app.queue.wait(workspace.id, sync.id);
    print(
      `${time}: synced`,
      `${status}, ${assetsDiscovered} assets, ${errors.map(({ message }) => message).join(" ")}`,
    );
  }
  await app.close();
}

if (process.send === undefined) {
  await measure(Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 20));
  process.exit();
}
const [sending] = (await once(process, "message")) as [Sending];
process.send?.(await send(sending));
process.disconnect?.();
