/** A workspace moves to other stores, and all its REST answers stay the same. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { systemClock, systemRandom } from "../../src/clock.ts";
import { CHECKPOINT } from "../../src/connectors/datahub/rows.ts";
import type { CopyableGraph } from "../../src/graph/graph-copy.ts";
import { createBolt } from "../../src/graph/memgraph/bolt.ts";
import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import { toConnectorId } from "../../src/ids.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import { openDataFolderKeys, openMetadata } from "../../src/stores.ts";
import { importWorkspace } from "../../src/transfer/import-workspace.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { type Ended, runCommandHere } from "../support/command-line.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { hasPostgres } from "../support/postgres.ts";
import { usePostgres } from "../support/postgres-metadata.ts";
import { present } from "../support/present.ts";

const SECRET_KEY = "a key for both services of these tests";

let root: string;
/** The service from which the workspace comes. It runs all the time. */
let original: RunningApp;
let exported: string;
let printed: Ended;
/** The answers of the original. */
let answers: Record<string, unknown>;
let trail: AuditEvent[];

let paths = 0;
const freshPath = (name = "path"): string => join(root, `${++paths}-${name}`);
const runOn = (dataDir: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCommandHere(args, { DATA_DIR: dataDir, SECRET_KEY, LOG_LEVEL: "silent", ...env });

async function post(app: RunningApp, query: string, variables: object = {}): Promise<unknown> {
  const response = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { Authorization: `Bearer ${app.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const answer = (await response.json()) as { errors?: unknown; data: unknown };
  expect(answer.errors).toBeUndefined();
  return answer.data;
}

async function get(app: RunningApp, path: string): Promise<unknown> {
  const response = await fetch(`${app.url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${app.token}` } });
  expect([path, response.status]).toEqual([path, 200]);
  // A cursor is signed with the time of its issue.
  return JSON.parse(await response.text(), (key, value: unknown) => (key === "next_cursor" ? null : value));
}

interface List {
  data: { id: string }[];
}

interface Connectors {
  data: { connector_id: string }[];
}

/** The answers of all reading routes, by their paths. */
async function readAll(app: RunningApp): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  const read = async (path: string): Promise<unknown> => (found[path] = await get(app, path));
  const assets = (await read("catalog/assets?limit=200")) as List;
  const metrics = (await read("metrics?limit=200")) as List;
  const connectors = (await read("connectors?limit=200")) as Connectors;
  await read("catalog/assets?search=revenue&limit=50");
  for (const { id } of assets.data) await read(`catalog/assets/${id}`);
  for (const { id } of metrics.data) await read(`metrics/${id}`);
  for (const { connector_id: id } of connectors.data) await read(`connectors/${id}/status`);
  for (const { id } of [...assets.data, ...metrics.data]) {
    await read(`lineage/upstream?asset_id=${id}&depth=10`);
    await read(`lineage/downstream?asset_id=${id}&depth=10`);
  }
  found["checkpoint"] = await readCheckpoint(app);
  return found;
}

const RECIPE_JOB = "urn:li:dataJob:(urn:li:dataFlow:(datahub,moved,prod),job)";

/** What a recipe of DataHub left for its next run. It is a row of the aspects' table, like all that recipes send. */
async function postToDatahub(app: RunningApp, action: string, body: object): Promise<unknown> {
  const response = await fetch(`${app.url}/datahub/aspects?action=${action}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${app.token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
}

async function sendCheckpoint(app: RunningApp): Promise<void> {
  const value = JSON.stringify({ timestampMillis: 1, pipelineName: "moved", state: { payload: "…" } });
  const proposal = {
    entityType: "dataJob",
    entityUrn: RECIPE_JOB,
    changeType: "UPSERT",
    aspectName: CHECKPOINT,
    aspect: { contentType: "application/json", value },
  };
  await postToDatahub(app, "ingestProposal", { proposal });
  expect(JSON.stringify(await readCheckpoint(app))).toContain("timestampMillis");
  // Its sync comes by itself, and would change answers later.
  const { syncs, schedules } = app.app.metadata;
  const countAhead = async (): Promise<number> => {
    const { queued, running } = await syncs.countUnfinished();
    const now = new Date();
    return queued + running + (await schedules.listUnread(now, now)).length;
  };
  // `expect.poll` works in tests only, and this is called before them.
  // oxlint-disable-next-line vitest/no-restricted-vi-methods
  await vi.waitUntil(async () => (await countAhead()) === 0, { timeout: 120_000 });
}

const readCheckpoint = (app: RunningApp): Promise<unknown> =>
  postToDatahub(app, "getTimeseriesAspectValues", { urn: RECIPE_JOB, aspect: CHECKPOINT, limit: 1 });

const AUDIT = `{ auditEvents(first: 100) { nodes { id action actor at } } }`;
interface AuditEvent {
  id: string;
  action: string;
  at: string;
}

interface MovedRule {
  id: string;
  name: string;
  disabledAt: string | null;
  disabledReason: string | null;
}

async function readTrail(app: RunningApp): Promise<AuditEvent[]> {
  const { auditEvents } = (await post(app, AUDIT)) as { auditEvents: { nodes: AuditEvent[] } };
  return auditEvents.nodes;
}

const ADD_RULE = `mutation {
  createNoticeRule(input: { name: "alerts", channel: webhook, kinds: [certification_lapsed], url: "https://hooks.example.com/secret" }) {
    secret
  }
}`;
const RULES = "{ noticeRules { id name channel origin disabledAt disabledReason } }";

const EDIT = `mutation ($id: ID!) {
  updateAsset(input: { id: $id, description: "What people say of it", tags: ["moved"], owner: "ada@example.com" }) {
    asset { id }
  }
}`;

beforeAll(async () => {
  const folder = await mkdtempDisposable(join(tmpdir(), "tributary-transfer-"));
  root = folder.path;
  const data = freshPath("data");
  original = await startApp({ sample: true, env: { DATA_DIR: data, SECRET_KEY } });
  const assets = (await get(original, "catalog/assets?limit=10")) as List;
  await post(original, EDIT, { id: present(assets.data[0]).id });
  await sendCheckpoint(original);
  await post(original, ADD_RULE);
  const command = async (...args: string[]): Promise<void> =>
    expect(await runOn(data, args, MAIL)).toMatchObject({ code: 0 });
  for (const name of ["mails", "mails of before"]) {
    await command("notice", "add", "--name", name, "--channel", "email", "--to", "owners");
  }
  await command("notice", "off", "mails of before");
  await command("notice", "add", "--name", "bell", "--channel", "bell", "--to", "owners");
  await command("person", "invite", "--email", "grace@example.com", "--role", "admin");
  await inviteLongAgo("mary@example.com");
  exported = freshPath("shop.ndjson.gz");
  // A running server writes to its stores meanwhile.
  printed = await runOn(data, ["export", exported]);
  trail = await readTrail(original);
  answers = await readAll(original);
  return async () => {
    await original.close();
    await folder.remove();
  };
});

test("An export says how much it holds, and which secrets are left out", () => {
  expect(printed).toMatchObject({ code: 0 });
  expect(printed.stdout).toMatch(/assets +\d\d/);
  expect(printed.stderr).toMatch(/API keys: make new ones: .*svc_/);
  const text = gunzipSync(readFileSync(exported)).toString();
  expect(printed.stderr).toContain(
    "Addresses of notice rules: give them again, make new secrets, and switch the rules on: alerts",
  );
  expect(printed.stderr).toContain("Notice rules by mail: switch them on: mails\n");
  expect(printed.stderr).toContain("Invitations: invite these people again: grace@example.com\n");
  expect(text).not.toContain(original.token);
  expect(text).not.toContain("hooks.example.com/secret");
  expect(text.split("\n").length).toBeGreaterThan(10);
});

const MAIL = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "tributary@example.com" };

/** An invitation whose link has ended. */
async function inviteLongAgo(email: string): Promise<void> {
  const { workspaces, loginLinks } = original.app.metadata;
  const { id: workspaceId } = present(await workspaces.findByName("default"));
  const secret = { lookup: "long ago", salt: "", hash: "" };
  const link = { kind: "invitation", role: "analyst", createdBy: null, expiresAt: "2024-05-01T12:00:00.000Z" } as const;
  await loginLinks.replace({ workspaceId, email, ...secret, ...link });
}

/** Imports a workspace, and serves it. */
async function moveTo(env: Record<string, string>): Promise<RunningApp> {
  const data = freshPath("moved");
  expect(await runOn(data, ["import", exported], env)).toMatchObject({ code: 0 });
  const moved = await startApp({ env: { DATA_DIR: data, SECRET_KEY, ...env } });
  await moved.app.connected;
  return moved;
}

/** @param clear undoes what was written to a store that stays; called if the move succeeded */
function describeMove(
  name: string,
  env: () => Promise<Record<string, string>>,
  clear: () => Promise<void> = () => Promise.resolve(),
): void {
  describe(`a workspace that moved to ${name}`, () => {
    let moved: RunningApp;
    beforeAll(async () => {
      moved = await moveTo(await env());
    });
    afterAll(async () => {
      await moved.close();
      await clear();
    });

    test("A moved workspace answers all routes as before", async () => {
      expect(await readAll(moved)).toEqual(answers);
      expect(Object.keys(answers).length).toBeGreaterThan(100);
    });

    test("A moved workspace keeps the audit trail, and notes the move", async () => {
      const moves = await readTrail(moved);
      expect(trail.length).toBeGreaterThan(2);
      expect(moves).toEqual(expect.arrayContaining(trail));
      expect(moves).toContainEqual(expect.objectContaining({ action: "workspace_imported" }));
    });

    test("The notice rules of a moved workspace are off since the move, except for bells, and need their secrets again before they are switched on", async () => {
      const { noticeRules } = (await post(moved, RULES)) as { noticeRules: MovedRule[] };
      const trailOfMove = await readTrail(moved);
      const movedAt = present(trailOfMove.find(({ action }) => action === "workspace_imported")).at;
      const cameHere = expect.stringContaining("came here with the workspace");
      const states = noticeRules.map((rule) => [rule.name, rule.disabledAt, rule.disabledReason]);
      expect(states).toEqual(
        expect.arrayContaining([
          ["alerts", expect.any(String), cameHere],
          ["mails", expect.any(String), cameHere],
          ["mails of before", expect.any(String), null],
          ["bell", null, null],
        ]),
      );
      // The rows are written a moment before the event.
      const offAt = Date.parse(present(noticeRules.find((rule) => rule.name === "alerts")?.disabledAt));
      expect(Math.abs(offAt - Date.parse(movedAt))).toBeLessThan(120_000);
      expect(offAt).toBeGreaterThan(Date.parse(present(trail[0]).at));
      const { id } = present(noticeRules.find((rule) => rule.name === "alerts"));
      const ask = createGraphqlClient(moved);
      const update = (input: string) =>
        ask(`mutation { updateNoticeRule(input: { id: "${id}", ${input} }) { noticeRule { disabledAt } } }`);
      expect((await update("disabled: false")).message).toContain("its address stayed behind");
      expect((await update(`url: "https://hooks.example.com/new"`)).message).toBe("");
      expect((await update("disabled: false")).message).toContain("Give it a new secret first");
      await post(moved, `mutation { rotateNoticeSecret(input: { id: "${id}" }) { secret } }`);
      expect((await update("disabled: false")).data).toEqual({
        updateNoticeRule: { noticeRule: { disabledAt: null } },
      });
    });

    test("A moved workspace syncs without a change", async () => {
      const connectors = (await get(moved, "connectors")) as Connectors;
      const workspace = present((await moved.app.metadata.workspaces.list())[0]);
      const connectorId = toConnectorId(present(connectors.data[0]).connector_id);
      const sync = await moved.app.syncs.trigger({ workspaceId: workspace.id, connectorId, force: true });
      const done = await moved.app.queue.wait(workspace.id, sync.id);
      expect(done).toMatchObject({ status: "completed", assetsUpdated: 0, assetsRemoved: 0 });
    });
  });
}

describeMove("another data folder", () => Promise.resolve({}));

describe.runIf(hasPostgres)("with PostgreSQL", () => {
  const { emptyDatabase } = usePostgres();
  describeMove("PostgreSQL", async () => ({ METADATA_URL: (await emptyDatabase()).url.url }));
});

const memgraph = process.env["TEST_MEMGRAPH_URL"] ?? "";

describe.runIf(memgraph !== "")("with Memgraph", () => {
  describeMove(
    "Memgraph",
    () => Promise.resolve({ GRAPH_URL: memgraph }),
    async () => {
      const { id: workspace } = present((await original.app.metadata.workspaces.list())[0]);
      const bolt = createBolt({ url: memgraph });
      await bolt.write((run) => run("MATCH (n) WHERE n.workspace = $workspace DETACH DELETE n", { workspace }));
      await bolt.write((run) => run("MATCH (s:Store) REMOVE s.owner", {}));
      await bolt.close();
    },
  );
});

/** Imports with a graph that fails when edges are written, as if the process were killed then. */
async function breakOff(data: string): Promise<void> {
  const settings = parseSettings({ DATA_DIR: data, SECRET_KEY });
  const keep = openDataFolderKeys(settings, systemRandom);
  const parts = { log: createLog("silent"), waits: false };
  const { metadata } = await openMetadata(settings, keep, { ...parts, clock: systemClock, random: systemRandom });
  const graph = await openSqliteGraph({ path: keep.folder.graph });
  const lost: CopyableGraph["copyIn"] = (workspace, part, rows) =>
    part === "edges" ? Promise.reject(new Error("the graph is lost")) : graph.copyIn(workspace, part, rows);
  const copyOut: CopyableGraph["copyOut"] = (...args) => graph.copyOut(...args);
  try {
    const frail = Object.assign(Object.create(graph) as CopyableGraph, { copyIn: lost, copyOut });
    await expect(importWorkspace({ metadata, graph: frail }, exported)).rejects.toThrow("the graph is lost");
    expect(await metadata.workspaces.findByName("default")).toBeNull();
    // Otherwise a list of workspaces would offer it to its first admin.
    expect(await metadata.workspaces.list()).toEqual([]);
  } finally {
    await graph.close();
    await metadata.close();
  }
}

test("An interrupted import continues when it is repeated, and is refused when it has ended", async () => {
  const data = freshPath("again");
  await breakOff(data);
  expect(await runOn(data, ["import", exported])).toMatchObject({ code: 0 });
  const again = await startApp({ env: { DATA_DIR: data, SECRET_KEY } });
  expect(await get(again, "catalog/assets?limit=200")).toEqual(answers["catalog/assets?limit=200"]);
  await again.close();
  expect(await runOn(data, ["import", exported])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is a workspace default here"),
  });
});

test("An import does not continue what another export began", async () => {
  const [data, other] = [freshPath("begun"), freshPath("other.ndjson")];
  await breakOff(data);
  expect(await runOn(original.app.settings.dataDir, ["export", other])).toMatchObject({ code: 0 });
  expect(await runOn(data, ["import", other])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Another copy of the workspace default was begun here"),
  });
});

test("An import into stores with another workspace of that name changes nothing", async () => {
  const data = freshPath("other");
  const { close } = await startApp({ env: { DATA_DIR: data, SECRET_KEY } });
  await close();
  expect(await runOn(data, ["import", exported])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is a workspace default here"),
  });
});

const unpacked = (): string => gunzipSync(readFileSync(exported)).toString();

test.each([
  ["that was changed", () => unpacked().replace("What people say", "What nobody says"), "is not as it was written"],
  ["whose end is missing", () => unpacked().split("\n").slice(0, -2).join("\n"), "its end is missing"],
  ["with a line that is not JSON", () => unpacked().replace("\n", "\n{\n"), "line 2 is not JSON"],
  ["with rows of another form", () => unpacked().replace('"curation":', '"curated":'), "line"],
  ["with records of another form", () => unpacked().replace('"email":', '"mail":'), "line"],
  ["of another format", () => unpacked().replace('"format":3', '"format":7'), "has the format 7"],
  ["of something else", () => '{"hello":"world"}\n', "is no export of Tributary"],
  ["without anything", () => "", "it is empty"],
])("A file %s is refused before anything is written", async (_what, make, message) => {
  const [file, data] = [freshPath("damaged.ndjson"), freshPath("untouched")];
  writeFileSync(file, make());
  expect(await runOn(data, ["import", file])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  const { code, stdout } = await runOn(data, ["import", exported]);
  expect([code, stdout.includes("assets")]).toEqual([0, true]);
});

test("A packed file that is cut off is refused", async () => {
  const file = freshPath("cut.ndjson.gz");
  writeFileSync(file, gzipSync(unpacked()).subarray(0, -100));
  expect((await runOn(freshPath("cut"), ["import", file])).stderr).toMatch(/cannot be read|is damaged/);
});

test("An export overwrites nothing, and says so if the workspace does not exist", async () => {
  const { dataDir } = { dataDir: freshPath("empty") };
  const { close } = await startApp({ env: { DATA_DIR: dataDir, SECRET_KEY } });
  await close();
  const file = freshPath("there.ndjson");
  writeFileSync(file, "mine");
  appendFileSync(file, "!");
  expect(await runOn(dataDir, ["export", file])).toMatchObject({ code: 1, stderr: expect.stringContaining("exists") });
  expect(readFileSync(file, "utf8")).toBe("mine!");
  const other = freshPath("other.ndjson");
  expect(await runOn(dataDir, ["export", other, "--workspace", "none"])).toMatchObject({ code: 1 });
  expect([other, `${other}.unfinished`].map(existsSync)).toEqual([false, false]);
});
