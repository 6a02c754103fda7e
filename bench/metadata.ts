/**
 * Compares the two engines of the metadata store in one run: `node bench/metadata.ts`. It starts a temporary PostgreSQL
 * on this machine, without fsync, so the ratios of writes are those of round trips and not of disks.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type App, createApp } from "../src/app.ts";
import { createApiKey } from "../src/auth/api-keys.ts";
import { createAuthenticator } from "../src/auth/bearer.ts";
import { fromCommandLine } from "../src/auth/origin.ts";
import { parseSettings } from "../src/settings/settings.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../src/cli/start/workspace.ts";
import { startPostgres } from "../test/support/postgres.ts";

const ROUNDS = 20;
const TIMES = 200;

await using closing = new AsyncDisposableStack();
const server = await startPostgres();
closing.defer(() => server.close());
await server.run(
  "postgres",
  "create role tributary login password 'bench'",
  "create database tributary owner tributary",
);

interface Subject {
  app: App;
  url: string;
  token: string;
}

async function open(env: Record<string, string>): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"));
  closing.defer(() => rm(folder, { recursive: true }));
  const app = await createApp(parseSettings({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "silent", ...env }));
  closing.defer(() => app.close());
  await app.connected;
  const url = await app.listen();
  const { clock, metadata: store, random } = app;
  const workspace = await getDefaultWorkspace(store);
  await store.security.set(workspace.id, { rateLimitPerMinute: 10_000 });
  const { token } = await createApiKey(
    { store, clock, random },
    fromCommandLine(workspace, await getFirstAdmin(store, workspace)),
    { name: "bench", scopes: ["read"], expiresInDays: null, kind: "live" },
  );
  return { app, url, token };
}

const embedded = await open({});
const remote = await open({ METADATA_URL: `postgres://tributary:bench@127.0.0.1:${server.port}/tributary` });

/** Prints the median time of one piece of work on each engine, in milliseconds. The engines take turns. */
async function compare(name: string, work: (subject: Subject) => Promise<unknown>): Promise<void> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, subject] of [embedded, remote].entries()) {
      const started = performance.now();
      for (let n = 0; n < TIMES; n++) await work(subject);
      times[i]?.push((performance.now() - started) / TIMES);
    }
  }
  const [sqlite = 0, postgres = 0] = times.map((all) => all.toSorted((a, b) => a - b)[ROUNDS / 2] ?? 0);
  const figures = [sqlite.toFixed(3), postgres.toFixed(3), (postgres / sqlite).toFixed(2)];
  console.log(`${name.padEnd(44)}${figures.map((figure) => figure.padStart(10)).join("")}`);
}

console.log(`${"".padEnd(44)}${["SQLite", "Postgres", "ratio"].map((title) => title.padStart(10)).join("")}`);
await compare("one authenticated GET", async ({ url, token }) => {
  const answer = await fetch(`${url}/api/v1/nothing-is-here`, { headers: { Authorization: `Bearer ${token}` } });
  await answer.text();
});
const authenticators = new Map(
  [embedded, remote].map(({ app, token }) => {
    const { authenticate } = createAuthenticator({ store: app.metadata, clock: app.clock });
    return [app, () => authenticate([`Bearer ${token}`])];
  }),
);
await compare("the look-up of a token", async ({ app }) => authenticators.get(app)?.());
await compare("64 look-ups at once", async ({ app }) =>
  Promise.all(Array.from({ length: 64 }, () => authenticators.get(app)?.())),
);
await compare("a transaction of one read and one write", async ({ app }) => {
  const workspace = await getDefaultWorkspace(app.metadata);
  await app.metadata.transaction(async ({ security }) => security.set(workspace.id, { rateLimitPerMinute: 9_999 }));
});
await compare("a look at an empty queue", async ({ app }) => {
  const now = app.clock.now();
  await app.metadata.leases.claim({ workerId: "bench", now, until: new Date(now.getTime() + 20_000) });
});
