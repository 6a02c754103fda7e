import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { type ConnectorId, toConnectorId, toSyncId } from "../../../src/ids.ts";
import type { RunningApp } from "../../support/app.ts";
import { startApp } from "../../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { at, type Json } from "../../support/rest-client.ts";
import { present } from "../../support/present.ts";
import { writeDbtProject } from "../../support/small-dbt-project.ts";

const CREATE = `mutation ($input: CreateConnectorInput!) {
  createConnector(input: $input) { connector { id name type health disabledAt } }
}`;
const UPDATE = `mutation ($input: UpdateConnectorInput!) {
  updateConnector(input: $input) { connector { name health disabledAt } }
}`;
const REMOVE = `mutation ($id: ID!) { removeConnector(input: { id: $id }) { id removedCount } }`;
const TEST = `mutation ($input: TestConnectorInput!) {
  testConnector(input: $input) { isReadable findings { option message severity } }
}`;
const CANCEL = `mutation ($id: ID!) { cancelSync(input: { id: $id }) { sync { id status } } }`;
const TRIGGER = `mutation ($id: ID!, $force: Boolean! = false) {
  triggerSync(input: { connectorId: $id, force: $force }) { isRepeat sync { id status } }
}`;
const OPTIONS = `query ($id: ID!) { connectorOptions(id: $id) { options secretOptions } }`;
const FIND = `query ($id: ID!) { connector(id: $id) { id lastSync { status errors { message } } } }`;
const ASSETS = `query ($connector: String) { assets(connector: $connector, type: model) { nodes { id name sourceConnector } } }`;
const AUDIT = `query ($action: AuditAction) { auditEvents(action: $action, first: 1) { nodes { actor subject details } } }`;
const SECRET = "a-very-secret-token";

let running: RunningApp;
let admin: GraphqlClient;
beforeAll(async () => {
  running = await startApp();
  admin = createGraphqlClient(running);
});
afterAll(() => running.close());

/** The refusal of a request: its code in lower case, and the message. */
async function refusal(answer: ReturnType<GraphqlClient>): Promise<string> {
  const { codes, message } = await answer;
  return `${codes.join(", ").toLowerCase()}: ${message}`;
}

function writeShop(): Promise<string> {
  return writeDbtProject({
    adapter: "postgres",
    sources: { orders: { id: "int", amount: "numeric" } },
    models: { revenue: "select sum(amount) as total from {orders}" },
  });
}

async function create(name: string, options: Record<string, unknown>): Promise<ConnectorId> {
  const { data, message } = await admin(CREATE, { input: { type: "dbt", name, options } });
  expect(message).toBe("");
  return toConnectorId(String(at(data, "createConnector", "connector", "id")));
}

/** Runs a sync of a connector to its end. */
async function crawl(id: string): Promise<void> {
  const { data } = await admin(TRIGGER, { id, force: true });
  const { app } = running;
  const workspaces = await app.metadata.workspaces.list();
  await app.queue.wait(present(workspaces[0]).id, toSyncId(String(at(data, "triggerSync", "sync", "id"))));
  expect(at((await admin(FIND, { id })).data, "connector", "lastSync")).toMatchObject({ status: "completed" });
}

async function names(connector?: string): Promise<Json> {
  return at((await admin(ASSETS, { connector })).data, "assets", "nodes") ?? null;
}

it("The types of connectors have the schema of their options", async () => {
  const { data } = await admin(`{ connectorTypes { type description options secretOptions } }`);
  expect(at(data, "connectorTypes", 0)).toMatchObject({
    type: "dbt",
    secretOptions: ["token", "secret_access_key", "session_token"],
    options: { additionalProperties: false, properties: { target: { description: expect.any(String) } } },
  });
});

describe("a connector", () => {
  it("A connector is added, shown without its secrets and changed, and keeps its secrets", async () => {
    const manifest = join(await writeShop(), "manifest.json");
    const id = await create("first", { manifest, token: SECRET });
    expect((await admin(OPTIONS, { id })).data).toEqual({
      connectorOptions: { options: { manifest }, secretOptions: ["token"] },
    });
    const catalog = join(manifest, "../catalog.json");
    const { data } = await admin(UPDATE, { input: { id, options: { catalog } } });
    expect(data).toMatchObject({ updateConnector: { connector: { name: "first", health: "unknown" } } });
    const { data: kept } = await admin(OPTIONS, { id });
    expect(kept).toEqual({ connectorOptions: { options: { manifest, catalog }, secretOptions: ["token"] } });
    const workspaces = await running.app.metadata.workspaces.list();
    const stored = await running.app.metadata.connectors.findById(present(workspaces[0]).id, id);
    expect(stored?.options).toEqual({ manifest, catalog, token: SECRET });
    await admin(UPDATE, { input: { id, options: { catalog: null, token: null } } });
    const { data: bare } = await admin(OPTIONS, { id });
    expect(bare).toEqual({ connectorOptions: { options: { manifest }, secretOptions: [] } });
    const trail = at((await admin(AUDIT, { action: "connector_changed" })).data, "auditEvents", "nodes", 0);
    expect(trail).toMatchObject({ subject: id, details: { connector: "first", options: ["catalog", "token"] } });
    await admin(REMOVE, { id });
  });

  it("A connector sends no secret to a host for which it was not given", async () => {
    const id = String(
      at(
        (
          await admin(CREATE, {
            input: {
              type: "dbt",
              name: "hosted",
              options: { manifest: "https://a.example/m.json", token: SECRET },
              test: false,
            },
          })
        ).data,
        "createConnector",
        "connector",
        "id",
      ),
    );
    const move = { id, options: { manifest: "https://evil.example/m.json" }, test: false };
    expect(await refusal(admin(UPDATE, { input: move }))).toMatch(/^bad_request: options.token: must be given again/);
    const inside = { id, options: { manifest: "https://a.example/other.json" }, test: false };
    expect((await admin(UPDATE, { input: inside })).codes).toEqual([]);
    const cloud = { manifest: null, dbt_cloud_account: "7", dbt_cloud_job: "1", dbt_cloud_host: "evil.example" };
    expect(await refusal(admin(UPDATE, { input: { ...move, options: cloud } }))).toMatch(
      /^bad_request: options.token: must be given again: it would be sent to https:\/\/evil\.example/,
    );
    const anew = { ...move, options: { ...move.options, token: "another" } };
    expect((await admin(UPDATE, { input: anew })).codes).toEqual([]);
    await admin(REMOVE, { id });
  });

  it("Only an admin changes a connector, and a writer may sync it and cancel the sync", async () => {
    const writer = createGraphqlClient({ url: running.url, token: await running.createToken(["read", "write"]) });
    const input = { type: "dbt", name: "theirs", options: { manifest: "m.json" } };
    expect((await writer(CREATE, { input })).codes.join().toLowerCase()).toBe("forbidden");
    expect((await writer(UPDATE, { input: { id: "con_none" } })).codes.join().toLowerCase()).toBe("forbidden");
    expect((await writer(REMOVE, { id: "con_none" })).codes.join().toLowerCase()).toBe("forbidden");
    expect((await writer(TEST, { input: { type: "dbt", options: input.options } })).codes).toHaveLength(1);
    expect((await writer(OPTIONS, { id: "con_none" })).codes.join().toLowerCase()).toBe("forbidden");
    expect((await writer(CANCEL, { id: "syn_none" })).codes.join().toLowerCase()).toBe("not_found");
  });

  it("A new name of a connector is shown on its assets, and a taken name is refused", async () => {
    const folder = await writeShop();
    const id = await create("before", { manifest: join(folder, "manifest.json") });
    const other = await create("other", { manifest: join(folder, "manifest.json") });
    await crawl(id);
    expect(await names("before")).toMatchObject([{ name: "revenue", sourceConnector: "before" }]);
    expect((await admin(UPDATE, { input: { id, name: "after" } })).data).toMatchObject({
      updateConnector: { connector: { name: "after" } },
    });
    expect(await names("before")).toEqual([]);
    expect(await names("after")).toMatchObject([{ name: "revenue", sourceConnector: "after" }]);
    expect(await refusal(admin(UPDATE, { input: { id: other, name: "after" } }))).toMatch(/^conflict: .*after/);
    expect(await refusal(admin(UPDATE, { input: { id, name: "a name" } }))).toMatch(/^bad_request: name/);
    for (const each of [id, other]) await admin(REMOVE, { id: each });
  });

  it("A disabled connector does not sync", async () => {
    const id = await create("resting", { manifest: join(await writeShop(), "manifest.json") });
    const { data } = await admin(UPDATE, { input: { id, disabled: true } });
    expect(data).toMatchObject({
      updateConnector: { connector: { health: "disabled", disabledAt: expect.any(String) } },
    });
    expect(await refusal(admin(TRIGGER, { id }))).toBe(
      "conflict: The connector resting is disabled: enable it before you sync it.",
    );
    await admin(UPDATE, { input: { id, disabled: false } });
    expect((await admin(TRIGGER, { id })).codes).toEqual([]);
    await admin(REMOVE, { id });
  });

  it("A removed connector takes its assets, syncs and name with it, and never syncs again", async () => {
    const manifest = join(await writeShop(), "manifest.json");
    const id = await create("leaving", { manifest });
    await crawl(id);
    const asset = at(await names("leaving"), 0, "id");
    const EDIT = `mutation ($id: ID!) { updateAsset(input: { id: $id, description: "Ours." }) { asset { description } } }`;
    expect((await admin(EDIT, { id: String(asset) })).codes).toEqual([]);
    const { data } = await admin(REMOVE, { id });
    expect(data).toMatchObject({ removeConnector: { id } });
    expect(Number(at(data, "removeConnector", "removedCount"))).toBeGreaterThan(2);
    expect(await names()).toEqual([]);
    expect((await admin(FIND, { id })).data).toEqual({ connector: null });
    expect(await refusal(admin(TRIGGER, { id }))).toMatch(/^not_found/);
    expect(await refusal(admin(REMOVE, { id }))).toMatch(/^not_found/);
    const trail = at((await admin(AUDIT, { action: "connector_removed" })).data, "auditEvents", "nodes", 0);
    expect(trail).toMatchObject({ subject: id, details: { name: "leaving", type: "dbt" } });

    const again = await create("leaving", { manifest });
    await crawl(again);
    const SEEN = `query ($id: ID!) { asset(id: $id) { description edits { field by isReset } } }`;
    expect((await admin(SEEN, { id: asset })).data).toMatchObject({
      asset: { description: "Ours.", edits: [{ field: "description", isReset: false }] },
    });
    await admin(REMOVE, { id: again });
  });
});

describe("a test of a source", () => {
  it("A test of a source tells a wrong folder, name and file apart, before a connector is added", async () => {
    const folder = await writeShop();
    await writeFile(join(folder, "notes.json"), "{}");
    const test = async (options: Record<string, string>) =>
      at((await admin(TEST, { input: { type: "dbt", options } })).data, "testConnector");
    const manifest = join(folder, "manifest.json");
    expect(await test({ manifest })).toEqual({ isReadable: true, findings: [] });
    const typo = { manifest: join(folder, "manifets.json") };
    const told = `there is no file manifets.json in ${folder}`;
    expect(await test(typo)).toEqual({
      isReadable: false,
      findings: [{ option: "manifest", message: told, severity: "error" }],
    });
    expect(await test({ manifest: join(folder, "tarrget/manifest.json") })).toMatchObject({
      findings: [{ message: `there is no folder ${join(folder, "tarrget")}` }],
    });
    expect(await test({ manifest, catalog: join(folder, "notes.json") })).toMatchObject({
      isReadable: false,
      findings: [{ option: "catalog", severity: "error" }],
    });
    expect(await test({ manifest: folder })).toMatchObject({
      findings: [{ message: `manifest.json cannot be read: it is a directory. (${folder})` }],
    });
    const input = { type: "dbt", name: "mistyped", options: typo };
    expect(await refusal(admin(CREATE, { input }))).toBe(`bad_request: options.manifest: ${told}`);
    expect((await admin(CREATE, { input: { ...input, test: false } })).codes).toEqual([]);
  });

  it("A test of an existing connector uses its options, or other ones that it is given", async () => {
    const folder = await writeShop();
    const manifest = join(folder, "manifest.json");
    const id = await create("looked-at", { manifest });
    await rm(manifest);
    const test = async (input: object) => at((await admin(TEST, { input })).data, "testConnector", "isReadable");
    expect(await test({ id })).toBe(false);
    expect(await test({ id, options: { manifest: join(await writeShop(), "manifest.json") } })).toBe(true);
    expect(await refusal(admin(TEST, { input: {} }))).toMatch(/^bad_request: id/);
    expect(await refusal(admin(TEST, { input: { type: "dbt", options: { manifest: 7 } } }))).toMatch(
      /^bad_request: options.manifest: must be text/,
    );
  });

  it("A test of a new connector names every fault: those of the name, the options, the source and the schedule", async () => {
    const folder = await writeShop();
    const schedule = { cron: "61 * * * *", timeZone: "Nowhere/Town" };
    const nowhere = { manifest: join(folder, "nowhere.json") };
    const faults = await refusal(
      admin(TEST, { input: { type: "dbt", name: "no spaces", options: nowhere, schedule } }),
    );
    for (const field of ["name", "options.manifest", "schedule.cron", "schedule.timeZone"])
      expect(faults).toContain(`${field}: `);
    const sound = { type: "dbt", name: "sound", schedule: { cron: "@daily" } };
    const answer = await admin(TEST, { input: { ...sound, options: nowhere } });
    expect(at(answer.data, "testConnector")).toMatchObject({ isReadable: false, findings: [{ option: "manifest" }] });
  });

  it("A test of a URL tells what the URL answers", async () => {
    const server = createServer((_request, response) => response.writeHead(404).end()).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/manifest.json`;
    const { data } = await admin(TEST, { input: { type: "dbt", options: { manifest: url } } });
    expect(at(data, "testConnector", "findings", 0, "message")).toMatch(/private address.*127\.0\.0\.1/);
  });
});

describe("a sync", () => {
  it("A sync says that it answers with an earlier one", async () => {
    const id = await create("repeated", { manifest: join(await writeShop(), "manifest.json") });
    const first = at((await admin(TRIGGER, { id })).data, "triggerSync");
    expect(first).toMatchObject({ isRepeat: false });
    const again = at((await admin(TRIGGER, { id })).data, "triggerSync");
    expect(again).toMatchObject({ isRepeat: true, sync: { id: at(first, "sync", "id") } });
    expect(at((await admin(TRIGGER, { id, force: true })).data, "triggerSync")).toMatchObject({ isRepeat: false });
  });

  it("A sync that has ended cannot be cancelled", async () => {
    const id = await create("over", { manifest: join(await writeShop(), "manifest.json") });
    await crawl(id);
    const { app } = running;
    const [workspace] = await app.metadata.workspaces.list();
    const [sync] = await app.metadata.syncs.listRecent(present(workspace).id, id, 1);
    expect(await refusal(admin(CANCEL, { id: sync?.id }))).toMatch(/^conflict: The sync has already completed/);
  });
});
