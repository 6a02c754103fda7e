/** Several servers and workers on one PostgreSQL, which share the graph in a data folder. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { makeFirstAdminLink } from "../../src/auth/links/make-links.ts";
import { revokeToken } from "../../src/auth/revocation.ts";
import { setAllowlist, setRateLimit } from "../../src/auth/security-settings.ts";
import { getDefaultWorkspace } from "../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { type RunningCommand, runCommand, startCommand } from "../support/command-line.ts";
import { findFreePort } from "../support/free-port.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { runEvent } from "../support/lineage-events.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";
import { adminOf, authPartsOf } from "../support/oauth.ts";
import { openPage } from "../support/page.ts";
import { hasPostgres } from "../support/postgres.ts";
import { usePostgres } from "../support/postgres-metadata.ts";
import { present } from "../support/present.ts";
import { at, createRestClient, type Json } from "../support/rest-client.ts";
import { waitUntil } from "../support/shell-server.ts";

const SECRET_KEY = "the same key for all of the processes";
const PUBLIC_URL = "http://catalog.test";

const CREATE = `mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }`;
const TRIGGER = `mutation ($id: ID!) { triggerSync(input: { connectorId: $id }) { sync { id } } }`;
const LAST = `query ($id: ID!) { connector(id: $id) { lastSync { id status errors { code } } } }`;
const WITHOUT_WORK = { SERVER_WORKS: "off", SAMPLE: "off", LOG_LEVEL: "silent" };

type Settings = Record<string, string>;

describe.runIf(hasPostgres)("several processes on one PostgreSQL", () => {
  const { makeDatabase } = usePostgres();

  /** The settings that all processes of one test share. */
  async function makeSettings(): Promise<Settings> {
    const { url } = await makeDatabase();
    const DATA_DIR = join(await makeTemporaryFolder(), "data");
    return {
      ...WITHOUT_WORK,
      METADATA_URL: url.url,
      SECRET_KEY,
      DATA_DIR,
      PUBLIC_URL,
      ALLOW_PRIVATE_SOURCES: "127.0.0.0/8",
    };
  }

  it("A change on one process applies to the next request on the other", async () => {
    const settings = await makeSettings();
    const [one, two] = [await serve(settings), await serve(settings)];
    const ask = createRestClient(two);
    const status = async (authorization?: string) =>
      (await ask("/api/v1/metrics", authorization === undefined ? {} : { authorization })).status;
    const parts = authPartsOf(one.app);
    const admin = await adminOf(one.app);

    expect(await status()).toBe(200);
    const token = await one.createToken(["read"]);
    expect(await status(`Bearer ${token}`)).toBe(200);
    const key = present((await one.app.metadata.keys.list(admin.workspace.id)).at(-1));
    await revokeToken(parts, admin, key.id);
    expect(await status(`Bearer ${token}`)).toBe(401);

    await setRateLimit(parts, admin, 77);
    expect((await ask("/api/v1/metrics")).headers.get("x-ratelimit-limit")).toBe("77");
    await setAllowlist(parts, admin, ["203.0.113.0/24"]);
    expect(await status()).toBe(403);
  });

  it("Each process accepts the cursors and sessions of the other", async () => {
    const settings = { ...(await makeSettings()), SERVER_WORKS: "on" };
    const one = await serve(settings, true);
    const two = await serve(settings);
    const page = (url: string, cursor = "") =>
      createRestClient({ url, token: one.token })(`/api/v1/catalog/assets?limit=2${cursor && `&cursor=${cursor}`}`);
    const first = await page(one.url);
    const cursor = String(at(first.body, "pagination", "next_cursor") ?? at(first.body, "next_cursor"));
    const [there, here] = [await page(two.url, cursor), await page(one.url, cursor)];
    // A cursor contains the second at which it was issued.
    expect([there.status, at(there.body, "data")]).toEqual([200, at(here.body, "data")]);
    expect(at(there.body, "data")).not.toEqual(at(first.body, "data"));

    const ada = openPage(one.url, { publicUrl: PUBLIC_URL });
    const link = present(await makeFirstAdminLink(one.app.logins, await getDefaultWorkspace(one.app.metadata)));
    expect((await ada.useLink(link.url, { email: "ada@example.com" })).status).toBe(200);
    const elsewhere = openPage(two.url, { publicUrl: PUBLIC_URL });
    for (const [name, value] of ada.cookies) elsewhere.cookies.set(name, value);
    expect((await elsewhere.ask("GET", "/auth/session")).status).toBe(200);
    expect(await elsewhere.query("{ viewer { user { email } } }")).toEqual({
      viewer: { user: { email: "ada@example.com" } },
    });
    expect((await elsewhere.ask("POST", "/auth/logout")).status).toBeLessThan(300);
    expect((await ada.ask("GET", "/auth/session")).status).toBe(401);
  });

  it("Servers leave syncs and events to a worker, which begins at once", async () => {
    const settings = await makeSettings();
    const [one, two] = [await serve(settings), await serve(settings)];
    await work(settings);
    const { connector, source } = await addSource(one);
    source.answerAll(404);
    await createGraphqlClient(one)(TRIGGER, { id: connector });
    await waitUntil(async () => (await lastOf(two, connector)) === "failed");

    const started = performance.now();
    for (const name of ["orders", "refunds", "customers", "payments"]) {
      const output = { namespace: "postgres://db.example.com:5432", name: `shop.raw.${name}` };
      const event = { ...runEvent({ job: name, outputs: [output] }), eventTime: new Date().toISOString() };
      const sent = await createRestClient(one)("/api/v1/lineage", { method: "POST", body: JSON.stringify(event) });
      expect(sent.status).toBe(201);
      await waitUntil(async () => {
        const { body } = await createRestClient(two)(`/api/v1/catalog/assets?search=${name}`);
        return at(body, "data", 0, "name") === name;
      });
    }
    // Without the signals, each event but the first would wait ten seconds for the next look.
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it("Servers say that no worker runs until one starts, and again when the last one has stopped", async () => {
    const settings = await makeSettings();
    const one = await serve(settings);
    const health = async () => {
      const { status, body } = await createRestClient(one)("/health");
      const { data } = await createGraphqlClient(one)("{ health { problems { dependency message } } }");
      const problems = at(data, "health", "problems");
      return [status, at(body, "status"), at(body, "dependencies", "crawler_queue"), problems];
    };
    const message = expect.stringMatching(/^No worker runs/);
    const unserved = [200, "degraded", "degraded", [{ dependency: "crawler_queue", message }]];
    expect(await health()).toEqual(unserved);
    const worker = await work(settings);
    await waitUntil(async () => (await health())[1] === "ok");
    expect((await createRestClient(one)("/health/ready")).status).toBe(200);
    expect((await worker.interrupt()).code).toBe(0);
    expect(await health()).toEqual(unserved);
  });

  it("The sync of a killed worker is taken up when its lease ends, and that of a stopped one at once", async () => {
    const settings = await makeSettings();
    const one = await serve(settings);
    const first = await work(settings);
    const { connector, source } = await addSource(one);
    await createGraphqlClient(one)(TRIGGER, { id: connector });
    await source.asked(1);
    const second = await work(settings);
    first.process.kill("SIGKILL");
    await source.asked(2);
    expect(await lastOf(one, connector)).toBe("running");

    second.process.kill("SIGTERM");
    expect((await second.ended).code).toBe(0);
    // Until its lease ends, the sync of a killed one is still running.
    expect(await lastOf(one, connector)).toBe("queued");
    const third = await work(settings);
    await source.asked(3);
    source.answerAll(404);
    await waitUntil(async () => (await lastOf(one, connector)) === "failed");
    expect(third.process.exitCode).toBeNull();
  });

  it("Processes that start at once create one workspace, one sample and one key", async () => {
    const settings = { ...(await makeSettings()), SERVER_WORKS: "on", SAMPLE: "on", PORT: "0" };
    const servers = Array.from({ length: 3 }, () => startCommand(["serve", "--without-ui"], settings));
    onTestFinished(() => servers.forEach((server) => server.process.kill("SIGKILL")));
    const printed = await Promise.all(servers.map((server) => server.printed(/API keys?  .*\n/)));
    expect(printed.filter((text) => /API key   svc_live_/.test(text))).toHaveLength(1);
    await Promise.all(servers.map((server) => server.interrupt()));
    expect(
      printed.concat(servers.map(({ output }) => output.stdout)).filter((text) => /^Log in/m.test(text)).length,
    ).toBeGreaterThan(0);
    const keys = await runCommand(["key", "list"], settings);
    expect(keys.stdout.match(/first start/g)).toHaveLength(1);
    const connectors = await runCommand(["connector", "list"], settings);
    expect(connectors.stdout.match(/\bshop\b/g)?.length).toBeGreaterThan(0);
    expect((await runCommand(["workspace", "list"], settings)).stdout.match(/^default/gm)).toHaveLength(1);
  });

  it("A server prints how to log in even if no worker runs that could load the sample", async () => {
    const settings = { ...(await makeSettings()), SERVER_WORKS: "off", SAMPLE: "on", PORT: "0" };
    const server = startCommand(["serve", "--without-ui"], settings);
    onTestFinished(() => void server.process.kill("SIGKILL"));
    await expect(server.printed(/^Log in .*\n/m)).resolves.toMatch(/^GraphiQL [^]*\/welcome#/m);
  });

  it("A process refuses a graph that belongs to the processes of another metadata store", async () => {
    const settings = await makeSettings();
    const first = await work(settings);
    const { METADATA_URL } = await makeSettings();
    const refused = { code: 1, stderr: expect.stringMatching(/The graph store belongs to another service/) };
    const [worker, server] = await Promise.all([
      runCommand(["worker"], { ...settings, METADATA_URL: present(METADATA_URL) }),
      runCommand(["serve", "--without-ui"], { ...settings, METADATA_URL: present(METADATA_URL), PORT: "0" }),
    ]);
    expect([worker, server]).toMatchObject([refused, refused]);
    expect((await first.interrupt()).code).toBe(0);
    const { METADATA_URL: _url, SERVER_WORKS: _works, ...own } = settings;
    expect(await runCommand(["metric", "list"], own)).toMatchObject(refused);
    expect((await runCommand(["metric", "list"], settings)).code).toBe(0);
  });

  it("A process that does not fit is refused: with another key, or with its own store in the folder", async () => {
    const settings = await makeSettings();
    await serve(settings);
    const stranger = await runCommand(["worker"], {
      ...settings,
      SECRET_KEY: "another key, of which nobody else knows",
    });
    expect(stranger).toMatchObject({ code: 1, stderr: expect.stringMatching(/made with another secret key/) });
    const { METADATA_URL: _url, SERVER_WORKS: _works, ...own } = settings;
    const embedded = await runCommand(["worker"], own);
    expect(embedded).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Another Tributary server uses the data folder/),
    });
  });
});

it("A worker says that a server has its metadata store in the data folder", async () => {
  const DATA_DIR = join(await makeTemporaryFolder(), "data");
  const running = await startApp({ env: { DATA_DIR } });
  onTestFinished(() => running.close());
  expect(await runCommand(["worker"], { DATA_DIR })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Another Tributary server uses the data folder .* share one METADATA_URL=postgres:/),
  });
});

async function serve(settings: Settings, sample = false): Promise<RunningApp> {
  const PORT = String(await findFreePort());
  const running = await startApp({ sample, env: { ...settings, PORT } });
  onTestFinished(() => running.close());
  return { ...running, url: `http://127.0.0.1:${PORT}` };
}

async function work(settings: Settings): Promise<RunningCommand> {
  const worker = startCommand(["worker"], settings);
  onTestFinished(() => void worker.process.kill("SIGKILL"));
  await worker.printed(/works\n/);
  return worker;
}

/** A source that answers only when the test says so, and its connector. */
async function addSource(running: RunningApp) {
  const waiting: ServerResponse[] = [];
  let asked = 0;
  let status: number | null = null;
  const server = createServer((_request, response) => {
    asked++;
    if (status === null) waiting.push(response);
    else response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const input = {
    type: "dbt",
    name: "slow",
    options: { manifest: `http://127.0.0.1:${port}/manifest.json` },
    test: false,
  };
  const { data, message } = await createGraphqlClient(running)(CREATE, { input });
  const connector = at(data, "createConnector", "connector", "id");
  if (typeof connector !== "string") throw new Error(message);
  return {
    connector,
    source: {
      asked: (times: number) => waitUntil(() => asked >= times),
      answerAll(with_: number) {
        status = with_;
        for (const response of waiting.splice(0)) response.writeHead(with_).end();
      },
    },
  };
}

/** The status of a connector's last sync. */
async function lastOf(running: RunningApp, connector: string): Promise<Json> {
  const { data } = await createGraphqlClient(running)(LAST, { id: connector });
  return at(data, "connector", "lastSync", "status");
}
