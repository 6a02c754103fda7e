/**
 * How the PostgreSQL connector connects to a real server: what it refuses, what it reports, and what it keeps secret.
 */
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";

import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import type { SourceFinding } from "../../src/connectors/connector.ts";
import { DEFAULT_NETWORK, type Network } from "../../src/connectors/postgres/checked-socket.ts";
import { createPostgresConnector } from "../../src/connectors/postgres/connector.ts";
import { createFileLocator } from "../../src/connectors/source-folders.ts";
import { toSyncId } from "../../src/ids.ts";
import { startApp } from "../support/app.ts";
import { makeCertificate } from "../support/certificate.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { CREATE_READER, LOCAL_SETTINGS, optionsFor, READER } from "../support/postgres-crawl.ts";
import { present } from "../support/present.ts";
import { at } from "../support/rest-client.ts";

const LOCAL: Network = { ...DEFAULT_NETWORK, privateSources: ["127.0.0.0/8", "::1/128"] };

const toLoopback: NonNullable<Network["resolve"]> = (_name, _options, answer) =>
  answer(null, [{ address: "127.0.0.1", family: 4 }]);

const CREATE = `mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }`;
const UPDATE = `mutation ($input: UpdateConnectorInput!) { updateConnector(input: $input) { connector { id } } }`;
const TRIGGER = `mutation ($id: ID!) { triggerSync(input: { connectorId: $id }) { sync { id } } }`;
const FIND = `query ($id: ID!) {
  connector(id: $id) { lastSync { status errors { message object } } }
  connectorOptions(id: $id) { options secretOptions }
}`;

describe.skipIf(!hasPostgres)("the test of a PostgreSQL source", () => {
  let server: PostgresServer;
  let tls: ReturnType<typeof makeCertificate>;

  beforeAll(async () => {
    tls = makeCertificate();
    server = await startPostgres({
      files: { "server.crt": readFileSync(tls.certificate, "utf8"), "server.key": readFileSync(tls.key, "utf8") },
      settings: { ssl: "on" },
      hba: [
        "hostssl all secure 127.0.0.1/32 scram-sha-256",
        "host all secure 127.0.0.1/32 reject",
        "host all trusted 127.0.0.1/32 trust",
        "host all plain 127.0.0.1/32 password",
        "host postgres nobody 127.0.0.1/32 trust",
      ],
    });
    await server.run(
      "postgres",
      CREATE_READER,
      "create role secure login password 'secure'",
      "create role trusted login",
      "create role plain login password 'plain'",
      "create role nobody nologin",
      "create database shop",
      "create database closed",
      "revoke connect on database closed from public",
    );
    await server.run("shop", "create table orders (id int)");
  });
  afterAll(async () => {
    await server?.close();
    rmSync(tls.folder, { recursive: true });
  });

  async function test(change: Record<string, string | undefined>, network: Network = LOCAL): Promise<string[]> {
    const type = createPostgresConnector(network);
    const given = Object.entries({ ...optionsFor(server.port, "shop"), ...change });
    const options = type.options.parse(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
    const findings = await type.pull.test(options, new AbortController().signal);
    return findings.map(({ option, severity, message }: SourceFinding) => `${severity} ${option}: ${message}`);
  }
  const place = (host: string, database = "shop", port = server.port) => `postgres://${host}:${port}/${database}`;

  it("The test finds nothing wrong if everything can be read", async () => {
    expect(await test({})).toEqual([]);
  });

  it("The test says what a person can do about each usual fault", async () => {
    const where = `(${place("127.0.0.1")})`;
    expect(await test({ password: "wrong" })).toEqual([
      `error password: The database shop refuses the user or the password. ${where}`,
    ]);
    expect(await test({ user: "stranger" })).toEqual([
      `error password: The database shop refuses the user or the password. ${where}`,
    ]);
    expect(await test({ password: undefined })).toEqual([
      `error password: The database shop asks for a password, and none is set. ${where}`,
    ]);
    expect(await test({ url: place("127.0.0.1", "none") })).toEqual([
      `error url: The database none does not exist on the server. (${place("127.0.0.1", "none")})`,
    ]);
    expect(await test({ databases: "shop,none" })).toEqual([
      `error databases: The database none does not exist on the server. (${place("127.0.0.1", "none")})`,
    ]);
    expect(await test({ url: place("127.0.0.1", "closed") })).toEqual([
      `error user: The database closed does not let the user connect: grant it the right CONNECT. (${place("127.0.0.1", "closed")})`,
    ]);
    expect((await test({ user: "secure", password: "secure" })).join()).toMatch(
      /^error ssl: The database shop does not let this user in from here without encryption, by its pg_hba.conf: set ssl to verify-full/,
    );
    expect((await test({ url: place("127.0.0.1", "postgres"), user: "nobody" })).join()).toMatch(
      /^error user: The database postgres has no such user, or the user may not log in/,
    );
    expect((await test({ url: place("[::1]") })).join()).toMatch(/nothing accepts connections at its host and port/);
    expect((await test({ url: place("nowhere.invalid"), ssl: "require" })).join()).toMatch(
      /host name (is unknown|cannot be resolved now)/,
    );
    expect(await test({ schemas: "public,marts" })).toEqual(["error schemas: no schema fits marts"]);
    expect(await test({ exclude_schemas: "public" })).toEqual([
      "warning schemas: the database shop has no table or view in the schemas that are read",
    ]);
  });

  it("The test needs no password if the server asks for none, and never takes one from elsewhere", async () => {
    process.env["PGPASSWORD"] = READER.password;
    onTestFinished(() => void delete process.env["PGPASSWORD"]);
    expect(await test({ user: "trusted", password: undefined })).toEqual([]);
    expect((await test({ password: undefined })).join()).toMatch(/asks for a password, and none is set/);
  });

  it("The test encrypts, and checks the certificate unless an option says not to", async () => {
    const named = { url: place("localhost"), user: "secure", password: "secure" };
    expect((await test({ ...named, ssl: "verify-full" })).join()).toMatch(
      /^error ssl: The database shop has a certificate that cannot be verified \(DEPTH_ZERO_SELF_SIGNED_CERT\): name its authority in ssl_root_cert/,
    );
    expect(await test({ ...named, ssl: "require" })).toEqual([]);
    expect(await test({ ...named, ssl: "verify-full", ssl_root_cert: tls.certificate })).toEqual([]);
    // The certificate is for the name, not for the address.
    const byAddress = { ...named, url: place("127.0.0.1"), ssl_root_cert: tls.certificate };
    expect((await test({ ...byAddress, ssl: "verify-full" })).join()).toMatch(/ERR_TLS_CERT_ALTNAME_INVALID/);
    expect(await test({ ...byAddress, ssl: "require" })).toEqual([]);
    expect((await test({ ...named, ssl: "verify-full", ssl_root_cert: "/none.pem" })).join()).toMatch(
      /^error ssl_root_cert: .* the file of ssl_root_cert cannot be read \(ENOENT\)/,
    );
    for (const ssl_root_cert of ["/dev/zero", tls.folder, tls.key]) {
      const found = await test({ ...named, ssl: "verify-full", ssl_root_cert });
      expect(found.join()).toMatch(/^error ssl_root_cert: .* (is no file of certificates|has no certificate in PEM)/);
    }
    const elsewhere = { ...LOCAL, locateFile: createFileLocator(() => ["/srv"], "/nowhere") };
    const outside = await test({ ...named, ssl: "verify-full", ssl_root_cert: tls.certificate }, elsewhere);
    expect(outside.join()).toMatch(/is outside the folders that connectors may read/);
  });

  it("A password is sent without encryption only to this machine and to hosts that the operator lists", async () => {
    const network = { ...LOCAL, resolve: toLoopback };
    const plain = { url: place("db.example.com"), user: "plain", password: "plain", ssl: "disable" };
    expect((await test(plain, network)).join()).toMatch(
      /^error ssl: The database shop would get the password without encryption/,
    );
    expect(await test(plain, { ...network, insecureHosts: ["DB.example.com"] })).toEqual([]);
    expect(await test({ ...plain, user: "trusted", password: undefined }, network)).toEqual([]);
    expect(await test({ ...plain, url: place("localhost") })).toEqual([]);
  });

  it("The test connects to no private address that the operator did not list, whatever a name resolves to", async () => {
    const refused = /is at a private address: to read it, list it in ALLOW_PRIVATE_SOURCES/;
    expect((await test({}, DEFAULT_NETWORK)).join()).toMatch(refused);
    expect((await test({ url: place("localhost") }, DEFAULT_NETWORK)).join()).toMatch(refused);
    expect((await test({ url: place("[::ffff:127.0.0.1]") }, DEFAULT_NETWORK)).join()).toMatch(refused);
    let asked = 0;
    // A name that resolves to a public address when it is checked, and to a private one afterwards.
    const resolve: NonNullable<Network["resolve"]> = (_name, _options, answer) =>
      answer(null, [{ address: asked++ === 0 ? "127.0.0.1" : "192.0.2.1", family: 4 }]);
    const rebinding = { ...DEFAULT_NETWORK, resolve, privateSources: ["127.0.0.1/32"] };
    expect(await test({ url: place("db.example.com"), user: "trusted", ssl: "disable" }, rebinding)).toEqual([]);
    expect(asked).toBe(1);
  });

  it("The test gives up on a server that does not answer, and as soon as nobody waits for it", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const url = place("127.0.0.1", "shop", port);
    expect((await test({ url }, { ...LOCAL, connectTimeoutMs: 50 })).join()).toMatch(
      /cannot be reached: its host does not answer/,
    );
    const controller = new AbortController();
    silent.once("connection", () => controller.abort(new Error("nobody waits")));
    const type = createPostgresConnector(LOCAL);
    const options = type.options.parse(optionsFor(port, "shop"));
    await expect(type.pull.test(options, controller.signal)).rejects.toThrow("nobody waits");
  });

  it("The password is never in errors, the log or an answer", async () => {
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
    const running = await startApp({ env: LOCAL_SETTINGS, overrides: { log } });
    try {
      const ask = createGraphqlClient(running);
      const password = "n0t-the-password";
      const options = { ...optionsFor(server.port, "shop"), password };
      const input = { type: "postgres", name: "warehouse", options };
      const answers: unknown[] = [await ask(CREATE, { input })];
      expect(JSON.stringify(answers)).toContain("refuses the user or the password");
      const created = await ask(CREATE, { input: { ...input, test: false } });
      const id = String(at(created.data, "createConnector", "connector", "id"));
      const triggered = await ask(TRIGGER, { id });
      const [workspace] = await running.app.metadata.workspaces.list();
      const syncId = String(at(triggered.data, "triggerSync", "sync", "id"));
      await running.app.queue.wait(present(workspace).id, toSyncId(syncId));
      const found = await ask(FIND, { id });
      expect(at(found.data, "connector", "lastSync")).toMatchObject({
        status: "failed",
        errors: [{ message: "The database shop refuses the user or the password." }],
      });
      expect(at(found.data, "connectorOptions", "secretOptions")).toEqual(["password"]);
      answers.push(created, triggered, found);
      const moved = { id, options: { url: place("127.0.0.1", "shop", 1) } };
      const refused = await ask(UPDATE, { input: moved });
      expect(refused.message).toMatch(/^options.password: must be given again/);
      answers.push(refused);
      expect(lines.join("")).toContain("refuses the user or the password");
      expect(lines.join("")).not.toContain(password);
      expect(JSON.stringify(answers)).not.toContain(password);
    } finally {
      await running.close();
    }
  });

  it("The test says that a server offers no encryption, and that another program answers", async () => {
    const bare = await startPostgres();
    try {
      await bare.run("postgres", CREATE_READER);
      const url = place("127.0.0.1", "postgres", bare.port);
      expect((await test({ url, ssl: "require" })).join()).toMatch(
        /^error ssl: The database postgres does not offer encryption/,
      );
    } finally {
      await bare.close();
    }
  });
});
