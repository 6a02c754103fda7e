/**
 * Measures the cost of the guard: `node bench/guard.ts`.
 * First over HTTP, in turns with a bare node:http server that stringifies the same answer: the smallest answer without
 * the guard, and the smallest answers after it (a 404, and a route's). Then each step by itself, in this process.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { createApp } from "../src/app.ts";
import { createApiKey } from "../src/auth/api-keys.ts";
import { createAuthenticator } from "../src/auth/bearer.ts";
import { fromCommandLine } from "../src/auth/origin.ts";
import { createDocuments } from "../src/graphql/documents.ts";
import { countRootUnits } from "../src/graphql/root-units.ts";
import { schema } from "../src/graphql/schema.ts";
import { isAllowed } from "../src/addresses/allowlist.ts";
import { createMemoryLockout } from "../src/limits/memory/lockout.ts";
import { createMemoryRateLimiter } from "../src/limits/memory/rate-limiter.ts";
import { createSourceFinder } from "../src/addresses/source-address.ts";
import { createLog } from "../src/telemetry/log.ts";
import { parseSettings } from "../src/settings/settings.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../src/cli/start/workspace.ts";
import { besideBareServer, COLUMNS } from "./support/measure.ts";

const TIMES = 20_000;
const ADDRESS = "203.0.113.7";

await besideBareServer({ assets: "100", edges: "100" }, async ({ compare }) => {
  console.log(COLUMNS);
  await compare("no guard", "/health/live");
  await compare("the guard alone", "/api/v1/nothing-is-here");
  await compare("the guard and a route", "/api/v1/connectors");
});

const folder = await mkdtemp(path.join(tmpdir(), "tributary-bench-"));
const app = await createApp(parseSettings({ DATA_DIR: folder, PORT: "0", SAMPLE: "off", LOG_LEVEL: "silent" }));
try {
  const { clock, metadata: store, random } = app;
  const workspace = await getDefaultWorkspace(store);
  const { token } = await createApiKey(
    { store, clock, random },
    fromCommandLine(workspace, await getFirstAdmin(store, workspace)),
    { name: "bench", scopes: ["read"], expiresInDays: null, kind: "live" },
  );
  const findSource = createSourceFinder(["10.0.0.0/8"], createLog("silent"));
  const lockout = createMemoryLockout({ clock, blockMs: 900_000 });
  const limiter = createMemoryRateLimiter(clock);
  const { authenticate } = createAuthenticator({ store, clock });
  const networks = Array.from({ length: 200 }, (_, n) => `192.0.${n}.0/24`);
  const body = JSON.stringify({ query: "{ assets(first: 50) { nodes { id name fqn owner tags } } }" });
  const documents = createDocuments(schema);

  console.log("\nstep                                        µs");
  await step("source of a direct peer", () => findSource(ADDRESS, []));
  await step("source behind two proxies", () => findSource("10.0.0.1", [`${ADDRESS}, 10.0.0.2`]));
  await step("lockout: is it blocked", () => lockout.blockedForSeconds(ADDRESS));
  await step("bearer: one look-up and one hash", () => authenticate([`Bearer ${token}`]));
  await step("allowlist of 1 network", () => isAllowed(ADDRESS, networks.slice(0, 1)));
  await step("allowlist of 200 networks", () => isAllowed(ADDRESS, networks));
  await step("limit: one place", () => limiter.admit("key", TIMES, 1));
  await step("limit: units of a GraphQL query", () => countRootUnits(JSON.parse(body), documents));
  await step("lockout: note a success", () => lockout.noteSuccess(ADDRESS));
} finally {
  await app.close();
  await rm(folder, { recursive: true });
}

/** Prints the time of one run, after a warm-up. */
async function step(name: string, work: () => unknown): Promise<void> {
  for (let time = 0; time < TIMES / 10; time++) await work();
  const started = performance.now();
  for (let time = 0; time < TIMES; time++) await work();
  const microseconds = ((performance.now() - started) * 1_000) / TIMES;
  console.log(`${name.padEnd(38)}${microseconds.toFixed(2).padStart(8)}`);
}
