/**
 * The service with a made-up warehouse, as a child process. Its first message contains its origin, a key, and some ids.
 * Arguments: the data folder, the number of assets, the number of edges, and the number of models of a hub, if there shall be
 * one. With no assets, it serves what the folder holds. The ids are kept in the folder, so that it is loaded once.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { createApp } from "../../src/app.ts";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { fromCommandLine } from "../../src/auth/origin.ts";
import { setRateLimit } from "../../src/auth/security-settings.ts";
import { toConnectorId } from "../../src/ids.ts";
import { MAX_RATE_LIMIT } from "../../src/metadata/records.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { loadHub } from "./hub.ts";
import type { AppMessage } from "./measure.ts";
import { findWithDownstream, loadWarehouse, makeWarehouse } from "./warehouse.ts";

/** The number of assets, evenly spread over the warehouse, whose ids are sent. */
const SPREAD = 300;

const [folder = "", assets = "", edges = "", models = "0"] = process.argv.slice(2);

const settings = parseSettings({ DATA_DIR: folder, PORT: "0", SAMPLE: "off", LOG_LEVEL: "silent" });
const app = await createApp(settings);
const workspace = await getDefaultWorkspace(app.metadata);
const admin = await getFirstAdmin(app.metadata, workspace);
const parts = { store: app.metadata, clock: app.clock, random: app.random };
const origin = fromCommandLine(workspace, admin);
// The benchmarks send more than a thousand requests a minute.
await setRateLimit(parts, origin, MAX_RATE_LIMIT);
const { token } = await createApiKey(parts, origin, {
  name: "bench",
  scopes: ["read", "write"],
  expiresInDays: null,
  kind: "live",
});

async function load(): Promise<Omit<AppMessage, "origin" | "token">> {
  const warehouse = makeWarehouse(workspace.id, Number(assets), Number(edges));
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
  const started = performance.now();
  await loadWarehouse(app.graph, stamp, warehouse);
  const loadSeconds = (performance.now() - started) / 1000;

  const hub =
    models === "0"
      ? undefined
      : await loadHub(app.graph, { workspace: workspace.id, assets: Number(models), levels: 1, lineage: "copied" });

  const middle = warehouse.nodes[Math.floor(warehouse.nodes.length / 20)]?.id ?? "";
  const step = Math.ceil(warehouse.nodes.length / SPREAD);
  const spread = Array.from({ length: SPREAD }, (_, i) => warehouse.nodes[i * step]).flatMap((node) => node?.id ?? []);
  const few = findWithDownstream(warehouse, 50);
  return { loadSeconds, middle, spread, few, hub: hub?.table, hubColumn: hub?.column };
}

const file = path.join(folder, "bench.json");
const loaded = existsSync(file)
  ? (JSON.parse(readFileSync(file, "utf8")) as Awaited<ReturnType<typeof load>>)
  : await load();
if (assets !== "0") writeFileSync(file, JSON.stringify(loaded));
process.send?.({ origin: await app.listen(), token, ...loaded } satisfies AppMessage);
// The service ends with the benchmark that started it.
process.once("disconnect", () => process.exit());
