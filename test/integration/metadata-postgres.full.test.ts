/** The metadata store on a real PostgreSQL: its creation, its refusals, and its behaviour when the server is away. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { pino } from "pino";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";

import { systemClock, systemRandom } from "../../src/clock.ts";
import { AppError } from "../../src/errors.ts";
import { awaitMetadataStore, type MetadataStore, openMetadataStore } from "../../src/metadata/store.ts";
import { UnusableStore } from "../../src/work/connecting.ts";
import { makeCertificate } from "../support/certificate.ts";
import { findFreePort } from "../support/free-port.ts";
import { hasPostgres } from "../support/postgres.ts";
import { usePostgres } from "../support/postgres-metadata.ts";
import { startCommand } from "../support/command-line.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";
import { present } from "../support/present.ts";
import { waitUntil } from "../support/shell-server.ts";

const OPENER = fileURLToPath(new URL("../support/open-metadata.ts", import.meta.url));
const PARTS = { secretKey: Buffer.alloc(32, "secret"), clock: systemClock, random: systemRandom };

async function open(url: string): Promise<MetadataStore> {
  const store = await openMetadataStore({ url: { kind: "postgres", url }, ...PARTS });
  onTestFinished(() => store.close());
  return store;
}

/** The error of a store that cannot be opened. It may contain the address, and never the password. */
async function refusalOf(url: string): Promise<AppError> {
  const error = await open(url).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error("it was opened, or failed otherwise", { cause: error });
  const shown = JSON.stringify([error.message, error.location, error.details, String(error.cause)]);
  expect(shown).not.toMatch(/s3cret|wrong-password/);
  expect(error.code).toBe("unavailable");
  return error;
}

describe.runIf(hasPostgres)("a metadata store on PostgreSQL", () => {
  const tls = makeCertificate();
  afterAll(() => rmSync(tls.folder, { recursive: true }));
  const { server, makeDatabase } = usePostgres({
    files: { "server.crt": readFileSync(tls.certificate, "utf8"), "server.key": readFileSync(tls.key, "utf8") },
    settings: { ssl: "on" },
    hba: ["hostssl encrypted all 127.0.0.1/32 scram-sha-256", "host encrypted all 127.0.0.1/32 reject"],
  });

  it("Four processes that start at once create the store on PostgreSQL once", async () => {
    const { url, runSql } = await makeDatabase();
    const openers = Array.from({ length: 4 }, () => spawn(process.execPath, [OPENER, JSON.stringify(url)]));
    onTestFinished(() => openers.forEach((opener) => opener.kill("SIGKILL")));
    await Promise.all(openers.map((opener) => once(opener.stdout, "data")));
    const printed = openers.map(async (opener) => [await text(opener.stdout), await text(opener.stderr)]);
    for (const opener of openers) opener.stdin.write("go\n");
    expect(await Promise.all(printed)).toEqual(openers.map(() => ["[]", ""]));
    const [migrations] = await runSql(
      "select count(*)::int as amount, count(distinct name)::int as names from migrations",
    );
    expect(migrations?.["amount"]).toBe(migrations?.["names"]);
    expect(await runSql("select count(*)::int as amount from store")).toEqual([{ amount: 1 }]);
  });

  it("A database that belongs to something else is refused, and is left as it is", async () => {
    const { url, address, runSql } = await makeDatabase();
    await runSql("create table orders (id int)");
    await runSql("create table migrations (id serial, migration varchar(255))");
    const refusal = await refusalOf(url.url);
    expect(refusal).toBeInstanceOf(UnusableStore);
    expect(refusal).toMatchObject({
      message:
        "The metadata store belongs to another application (it has the tables migrations, orders): give Tributary a database of its own.",
      location: address,
    });
    expect(await runSql("select count(*)::int as amount from pg_tables where schemaname = 'public'")).toEqual([
      { amount: 2 },
    ]);
  });

  it("A database in which the store's user has other tables is refused in whatever schema they are, and is left as it is", async () => {
    const { url, runSql } = await makeDatabase();
    await runSql("create schema raw authorization tributary");
    await runSql("create table raw.orders (id int)");
    await runSql("alter table raw.orders owner to tributary");
    const refusal = await refusalOf(url.url);
    expect(refusal).toBeInstanceOf(UnusableStore);
    expect(refusal.message).toContain("another application (it has the tables raw.orders)");
    expect(await runSql("select 1 from pg_tables where schemaname = 'public'")).toEqual([]);
  });

  it("The store can be created beside the views of an extension, and beside other schemas", async () => {
    const { url, runSql } = await makeDatabase();
    await runSql("create schema other");
    await runSql("create table other.migrations (id int)");
    await runSql("create extension pg_stat_statements");
    expect(await (await open(url.url)).workspaces.list()).toEqual([]);
  });

  it("A database that cannot store every text is refused", async () => {
    await server().run("postgres", "create database latin encoding 'SQL_ASCII' template template0 owner tributary");
    const refusal = await refusalOf(`postgres://tributary:s3cret%3A%2F%40@127.0.0.1:${server().port}/latin`);
    expect(refusal.message).toBe("The metadata store must be a database with the encoding UTF8, not SQL_ASCII.");
  });

  it("A transaction sees what was written while it waited, whatever the database's isolation is", async () => {
    const { name, url } = await makeDatabase();
    await server().run("postgres", `alter database ${name} set default_transaction_isolation = 'repeatable read'`);
    const stores = [await open(url.url), await open(url.url)];
    const { id } = await present(stores[0]).workspaces.create({ name: "a", kind: "live" });
    const add = (store: MetadataStore) =>
      store.transaction(async ({ audit }) => audit.setRetention(id, ((await audit.getRetention(id)) ?? 0) + 1));
    await Promise.all(Array.from({ length: 10 }, () => stores.map(add)).flat());
    expect(await present(stores[0]).audit.getRetention(id)).toBe(20);
  });

  it("Each usual fault of PostgreSQL is reported with what an operator can do, without the password", async () => {
    const { name } = await makeDatabase();
    const { port } = server();
    await server().run("postgres", "create role stranger login password 's3cret'");
    await server().run("postgres", "create role crowded login password 's3cret' connection limit 0");
    const at = (user: string, database = name, password = "s3cret") =>
      refusalOf(`postgres://${user}:${password}@127.0.0.1:${port}/${database}`).then(({ message }) => message);
    expect(await at("tributary", name, "wrong-password")).toBe(
      "The metadata store refuses the user or the password of METADATA_URL.",
    );
    expect(await at("stranger", "none")).toBe("The metadata store has no such database.");
    expect(await at("stranger")).toMatch(/does not give the user of METADATA_URL the rights that Tributary needs/);
    expect(await at("crowded")).toBe("The metadata store has no free connection.");
    const nowhere = await refusalOf(`postgres://tributary:s3cret@127.0.0.1:${await findFreePort()}/x`);
    expect(nowhere.message).toBe(
      "The metadata store cannot be reached: nothing accepts connections at its host and port.",
    );
  });

  it("The connection to PostgreSQL is encrypted as the URL says", async () => {
    await server().run("postgres", "create database encrypted owner tributary");
    const url = `postgres://tributary:s3cret%3A%2F%40@localhost:${server().port}/encrypted`;
    expect((await refusalOf(`${url}?sslmode=disable`)).message).toMatch(/does not let the user .* in from here/);
    expect((await refusalOf(`${url}?sslmode=verify-full`)).message).toMatch(
      /has a certificate that cannot be verified/,
    );
    const missing = await refusalOf(`${url}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`);
    expect(missing.message).toBe("The file of sslrootcert in METADATA_URL cannot be read.");
    for (const mode of ["require", "verify-full"]) {
      const store = await open(`${url}?sslmode=${mode}&sslrootcert=${tls.certificate}`);
      await expect(store.check()).resolves.toBeUndefined();
    }
    const other = url.replace("localhost", "127.0.0.1");
    expect((await refusalOf(`${other}?sslmode=verify-full&sslrootcert=${tls.certificate}`)).message).toMatch(
      /certificate that cannot be verified/,
    );
    await expect(open(`${other}?sslmode=require&sslrootcert=${tls.certificate}`)).resolves.toBeDefined();
  });

  it("While PostgreSQL restarts, each call fails with that reason, and afterwards calls work", async () => {
    const { url } = await makeDatabase();
    const store = await open(url.url);
    await Promise.all(Array.from({ length: 20 }, () => store.check()));
    await server().kill();
    for (const ask of [() => store.check(), () => store.workspaces.create({ name: "a", kind: "live" })]) {
      await expect(ask()).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringMatching(/closed the connection|cannot be reached/),
        retryAfterSeconds: 5,
      });
    }
    await server().start();
    await waitUntil(() =>
      store.check().then(
        () => true,
        () => false,
      ),
    );
    await store.workspaces.create({ name: "a", kind: "live" });
    expect(await store.workspaces.list()).toMatchObject([{ name: "a" }]);
  });

  it("A transaction whose connection is cut is given up, and others can write", async () => {
    const { url, runSql } = await makeDatabase();
    const store = await open(url.url);
    const cut = store.transaction(async ({ users }) => {
      const workspace = await store.workspaces.list();
      expect(workspace).toEqual([]);
      await runSql("select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'");
      return users.findFirstAdmin("ws_none" as Parameters<typeof users.findFirstAdmin>[0]);
    });
    await expect(cut).rejects.toMatchObject({ code: "unavailable" });
    await store.workspaces.create({ name: "a", kind: "live" });
    expect(await store.workspaces.list()).toHaveLength(1);
  });

  it("Many calls at once share few connections, and reads do not wait for writers", async () => {
    const { url, name, runSql } = await makeDatabase();
    const store = await open(url.url);
    const release = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const blocking = store.transaction(async () => {
      begun.resolve();
      await release.promise;
    });
    await begun.promise;
    const writers = Array.from({ length: 50 }, (_, i) => store.workspaces.create({ name: `w${i}`, kind: "live" }));
    await Promise.all(Array.from({ length: 200 }, () => store.check()));
    const [sessions] = await runSql(
      `select count(*)::int as amount from pg_stat_activity where datname = '${name}' and application_name = 'tributary'`,
    );
    expect(sessions?.["amount"]).toBeLessThanOrEqual(10);
    release.resolve();
    await blocking;
    await Promise.all(writers);
    expect(await store.workspaces.list()).toHaveLength(50);
  });

  it("A signal reaches the other processes, also after a restart of PostgreSQL, and never fails for its sender", async () => {
    const { url } = await makeDatabase();
    const [one, two] = [await open(url.url), await open(url.url)];
    const heard: string[] = [];
    one.signals.listen("syncs", () => void heard.push("one"));
    two.signals.listen("syncs", () => void heard.push("two"));
    // Each listener is called once when it is connected, because it may have missed a signal.
    await waitUntil(() => heard.length === 2);
    heard.length = 0;
    await one.signals.send("events");
    await one.signals.send("syncs");
    await waitUntil(() => heard.length > 0);
    expect(heard).toEqual(["two"]);
    await server().kill();
    await one.signals.send("syncs");
    await server().start();
    await waitUntil(() => heard.length >= 3);
    heard.length = 0;
    await two.signals.send("syncs");
    await waitUntil(() => heard.includes("one"));
  });

  describe("a metadata store that does not exist yet", () => {
    it("A PostgreSQL that is away is waited for, migrated and used, and the log has its address once, without the password", async () => {
      const { url, address } = await makeDatabase();
      const lines: Record<string, unknown>[] = [];
      const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
      await server().kill();
      const { store, connected } = await awaitMetadataStore({ url, ...PARTS }, log);
      onTestFinished(() => store.close());
      await waitUntil(() => lines.length > 0);
      await expect(store.check()).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
      await server().start();
      await connected;
      expect(await store.workspaces.list()).toEqual([]);
      expect(lines[0]).toMatchObject({ level: 40, location: address });
      expect(lines.at(-1)).toMatchObject({ location: address, msg: "The metadata store answers." });
      expect(JSON.stringify(lines)).not.toContain("s3cret");
    });

    it("A server starts while PostgreSQL is away: it answers 503, says so in health, creates its key later, and recovers", async () => {
      const { url, address } = await makeDatabase();
      const PORT = String(await findFreePort());
      const DATA_DIR = await makeTemporaryFolder();
      await server().kill();
      const command = startCommand(["serve", "--without-ui"], { METADATA_URL: url.url, DATA_DIR, PORT, SAMPLE: "off" });
      onTestFinished(() => void command.process.kill("SIGKILL"));
      const get = (path: string, headers = {}) => fetch(`http://127.0.0.1:${PORT}${path}`, { headers });
      const health = async (): Promise<unknown> => (await get("/health")).json();
      const isHealthy = async (): Promise<boolean> => (await get("/health")).status === 200;
      await waitUntil(() => command.output.stderr.includes(address));
      await waitUntil(() => get("/health/live").then(Boolean, () => false));
      expect(await health()).toMatchObject({ status: "error", dependencies: { metadata_store: "down" } });
      const unknown = { Authorization: `Bearer svc_live_${"a".repeat(32)}` };
      const refused = await get("/api/v1/metrics", unknown);
      expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
      expect(await refused.json()).toMatchObject({ error: "unavailable" });
      expect((await get("/health/live")).status).toBe(200);

      await server().start();
      const printed = await command.printed(/API key   (svc_live_\w+)/);
      const [token = ""] = /svc_live_\w+/.exec(printed) ?? [];
      const list = () => get("/api/v1/metrics", { Authorization: `Bearer ${token}` });
      expect((await list()).status).toBe(200);
      await server().kill();
      const lost = await list();
      expect([lost.status, lost.headers.get("Retry-After")]).toEqual([503, "5"]);
      await server().start();
      await waitUntil(isHealthy);
      expect((await list()).status).toBe(200);
      expect((await command.interrupt()).code).toBe(0);
      expect(command.output.stderr).not.toMatch(/s3cret/);
    });

    it("A server accepts no connection before it can answer, if PostgreSQL is there", async () => {
      const { url } = await makeDatabase();
      const held = createServer().listen(0, "127.0.0.1");
      onTestFinished(() => void held.close());
      await once(held, "listening");
      const METADATA_URL = url.url.replace(`:${server().port}/`, `:${(held.address() as AddressInfo).port}/`);
      const PORT = String(await findFreePort());
      const DATA_DIR = await makeTemporaryFolder();
      const command = startCommand(["serve", "--without-ui"], { METADATA_URL, DATA_DIR, PORT, SAMPLE: "off" });
      onTestFinished(() => void command.process.kill("SIGKILL"));
      const ready = (): Promise<number | null> =>
        fetch(`http://127.0.0.1:${PORT}/health/ready`).then(
          ({ status }) => status,
          () => null,
        );
      // The database does not answer yet.
      const [first] = (await once(held, "connection")) as [Socket];
      expect(await ready()).toBeNull();
      const relay = (from: Socket): void => void from.pipe(connect(server().port, "127.0.0.1")).pipe(from);
      held.on("connection", relay);
      relay(first);
      let answered: number | null = null;
      await waitUntil(async () => (answered = await ready()) !== null);
      expect(answered).toBe(200);
      expect((await command.interrupt()).code).toBe(0);
    });

    it("A PostgreSQL that must not be used is not waited for", async () => {
      const { url } = await makeDatabase();
      await open(url.url);
      const other = { ...PARTS, secretKey: Buffer.alloc(32, "another") };
      const { store, connected } = await awaitMetadataStore({ url, ...other }, pino({ level: "silent" }));
      onTestFinished(() => store.close());
      await expect(connected).rejects.toThrow(/made with another secret key/);
      await expect(store.check()).rejects.toThrow(/made with another secret key/);
    });
  });
});
