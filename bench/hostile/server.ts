/**
 * The service with a catalog that is expensive to read, as a child process. Its first message is a `ServerMessage`. It
 * answers each message with the measurements of its event loop since the last one. Arguments: the data folder, the
 * number of attackers' keys, requests a minute for each key, connections of an address.
 */
import { createApp } from "../../src/app.ts";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { fromCommandLine } from "../../src/auth/origin.ts";
import { setRateLimit } from "../../src/auth/security-settings.ts";
import { toConnectorId } from "../../src/ids.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import { loadSample } from "../../src/cli/start/sample.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { THE_SERVICE } from "../../src/work/caller.ts";
import { STALL_GOAL_MS } from "./goals.ts";
import { watchLoop } from "./loop-watch.ts";
import { loadWorld, type Targets } from "./world.ts";

export interface ServerMessage {
  origin: string;
  /** The key of the innocent user. */
  innocent: string;
  /** The innocent person who logs in. */
  person: { email: string; password: string };
  attackers: string[];
  targets: Targets;
  assets: number;
  loadSeconds: number;
}

const [folder = "", keys = "", limit = "", connections = "256"] = process.argv.slice(2);

const settings = parseSettings({
  DATA_DIR: folder,
  PORT: "0",
  SAMPLE: "off",
  LOG_LEVEL: "error",
  MAX_CONNECTIONS_PER_ADDRESS: connections,
});
const app = await createApp(settings);
const workspace = await getDefaultWorkspace(app.metadata);
const admin = await getFirstAdmin(app.metadata, workspace);
const parts = { store: app.metadata, clock: app.clock, random: app.random };
const origin = fromCommandLine(workspace, admin);
await setRateLimit(parts, origin, Number(limit));

async function createKey(name: string): Promise<string> {
  const request = { name, scopes: ["read"], expiresInDays: null, kind: "live" } as const;
  return (await createApiKey(parts, origin, request)).token;
}

const innocent = await createKey("innocent");
const person = { email: admin.email, password: "a heron by the lake" };
await app.metadata.logins.setPassword(
  workspace.id,
  admin.id,
  await app.logins.hasher.hash(person.password, THE_SERVICE),
);
const attackers = await Promise.all(Array.from({ length: Number(keys) }, (_, at) => createKey(`attacker ${at}`)));

// Only a service that listens runs syncs.
const url = await app.listen();
const started = performance.now();
const { connectorId } = await loadSample(app, workspace);
const stamp = {
  workspace: workspace.id,
  connectorId: toConnectorId("bench"),
  connectorName: "bench",
  precedence: 1,
  lineagePrecedence: 1,
  connectorCreatedAt: "",
  syncId: "bench-1",
  run: 0,
  at: app.clock.now().toISOString(),
};
const targets = await loadWorld(app.graph, stamp, connectorId);
const loadSeconds = (performance.now() - started) / 1_000;
const counts = await app.graph.countNodes(workspace.id);
const assets = Object.values(counts).reduce((sum, amount) => sum + amount, 0);

const watch = watchLoop(STALL_GOAL_MS);
process.on("message", () => process.send?.(watch.take()));
process.on("disconnect", () => process.exit());
const message: ServerMessage = { origin: url, innocent, person, attackers, targets, assets, loadSeconds };
process.send?.(message);
