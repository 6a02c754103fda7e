/** Backups of the data folder: made while a server writes, restored, and refused if anything about them is wrong. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeAll, expect, onTestFinished, test } from "vitest";

import { openDataFolder } from "../../src/data-folder/folder.ts";
import { becomeServer } from "../../src/data-folder/server-lock.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { present } from "../support/present.ts";
import { type Ended, runCommandHere } from "../support/command-line.ts";

let root: string;
beforeAll(async () => {
  const folder = await mkdtempDisposable(join(tmpdir(), "tributary-backup-"));
  root = folder.path;
  return () => folder.remove();
});

let names = 0;
const freshPath = (): string => join(root, `folder-${++names}`);
const runOn = (dataDir: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCommandHere(args, { DATA_DIR: dataDir, LOG_LEVEL: "silent", ...env });

async function serve(dataDir: string, options: { sample?: boolean } = {}): Promise<RunningApp> {
  const running = await startApp({ ...options, env: { DATA_DIR: dataDir } });
  onTestFinished(() => running.close());
  return running;
}

const EDIT = `mutation ($id: ID!, $description: String!) {
  updateAsset(input: { id: $id, description: $description }) { asset { id } }
}`;

async function edit({ url }: RunningApp, token: string, id: string, description: string): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ query: EDIT, variables: { id, description } }),
  });
  expect(await response.json()).toEqual({ data: { updateAsset: { asset: { id } } } });
}

interface Item {
  id: string;
  description: string;
  updated_at: string;
}

/** The lists of REST, without the times of edits. */
async function readAll({ url }: RunningApp, token: string): Promise<Item[][]> {
  const lists = ["catalog/assets?limit=200", "metrics?limit=200", "connectors?limit=200"].map(async (path) => {
    const response = await fetch(`${url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${token}` } });
    const { data } = (await response.json()) as { data: Item[] };
    for (const item of data) item.updated_at = "";
    return data;
  });
  return Promise.all(lists);
}

/** A data folder. Its server has ended. */
async function makeData(): Promise<string> {
  const data = freshPath();
  const { close } = await startApp({ env: { DATA_DIR: data } });
  await close();
  return data;
}

test("A backup that is made while people edit has everything acknowledged before, and gives the same answers", async () => {
  const [data, backup, restored] = [freshPath(), freshPath(), freshPath()];
  const original = await serve(data, { sample: true });
  const { token } = original;
  const [assets = []] = await readAll(original, token);
  const { id } = present(assets[0]);
  await edit(original, token, id, "edit 0");
  let edits = 0;
  const backingUp = runOn(data, ["backup", backup]);
  const { promise: isDone, resolve } = Promise.withResolvers<"done">();
  void backingUp.finally(() => resolve("done"));
  while ((await Promise.race([isDone, edit(original, token, id, `edit ${edits + 1}`)])) !== "done") edits++;
  expect(await backingUp).toMatchObject({ code: 0, stderr: expect.stringContaining("as secret as the data folder") });
  expect(edits).toBeGreaterThan(0);

  expect(await runOn(restored, ["restore", backup])).toMatchObject({ code: 0 });
  const copy = await serve(restored);
  const [copied = []] = await readAll(copy, token);
  expect(copied[0]?.description).toMatch(/^edit \d+$/);
  await Promise.all([original, copy].map((each) => edit(each, token, id, "the same on both")));
  expect(await readAll(copy, token)).toEqual(await readAll(original, token));
  expect(copied.length).toBeGreaterThan(20);
});

test("A backup is one folder that only its owner can read, with nothing unfinished beside it", async () => {
  const data = await makeData();
  const parent = freshPath();
  expect(await runOn(data, ["backup", join(parent, "today")])).toMatchObject({ code: 0 });
  expect(readdirSync(parent)).toEqual(["today"]);
  const files = readdirSync(join(parent, "today")).toSorted();
  expect(files).toEqual(["backup.json", "graph.sqlite", "metadata.sqlite", "secret.key"]);
  const modes = ["", ...files].map((name) => statSync(join(parent, "today", name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600, 0o600, 0o600, 0o600]);
});

test("A key from the settings is not in the backup, and a restore says which key is needed", async () => {
  const [data, backup, restored] = [freshPath(), freshPath(), freshPath()];
  const env = { SECRET_KEY: "a key of the settings, which is long enough" };
  const { close } = await startApp({ env: { DATA_DIR: data, ...env } });
  await close();
  expect(await runOn(data, ["backup", backup], env)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("keep that key as well"),
  });
  expect(existsSync(join(backup, "secret.key"))).toBe(false);
  expect(await runOn(restored, ["restore", backup])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("start with SECRET_KEY set to the one of that time"),
  });
});

test("A backup overwrites nothing", async () => {
  const data = await makeData();
  const backup = freshPath();
  mkdirSync(backup);
  expect(await runOn(data, ["backup", backup])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("exists already"),
  });
  expect(readdirSync(backup)).toEqual([]);
});

test("A backup without a data folder says so, and leaves nothing", async () => {
  const backup = freshPath();
  expect(await runOn(freshPath(), ["backup", backup])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is no data folder"),
  });
  expect(existsSync(backup)).toBe(false);
});

test("A restore changes nothing in a folder that has data, or that a server uses", async () => {
  const data = await makeData();
  const backup = freshPath();
  await runOn(data, ["backup", backup]);
  expect(await runOn(data, ["restore", backup])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("has data already"),
  });
  const empty = freshPath();
  const lock = becomeServer(openDataFolder(empty));
  expect(await runOn(empty, ["restore", backup])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Stop it first"),
  });
  lock.release();
  expect(readdirSync(empty)).toEqual(["server.lock"]);
});

test.each([
  [
    "a file that was changed",
    (backup: string) => appendFileSync(join(backup, "graph.sqlite"), "x"),
    "graph.sqlite is not",
  ],
  ["a file that is missing", (backup: string) => rmSync(join(backup, "secret.key")), "secret.key is not"],
  ["no list of its files", (backup: string) => rmSync(join(backup, "backup.json")), "is no backup"],
])("A backup with %s is refused, and nothing is restored", async (_what, damage, message) => {
  const data = await makeData();
  const [backup, restored] = [freshPath(), freshPath()];
  await runOn(data, ["backup", backup]);
  damage(backup);
  expect(await runOn(restored, ["restore", backup])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  });
  expect(readdirSync(restored).filter((name) => name !== "server.lock")).toEqual([]);
});

test("A backup has what is in the folder, and says how the stores elsewhere are backed up", async () => {
  const dataDir = freshPath();
  await (await startApp({ env: { DATA_DIR: dataDir } })).app.close();
  const METADATA_URL = "postgres://tributary:s3cret@127.0.0.1:1/tributary";
  const { code, stdout, stderr } = await runOn(dataDir, ["backup", freshPath()], { METADATA_URL });
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/The metadata is in PostgreSQL .* pg_dump/),
  });
  expect(stdout).toMatch(/graph\.sqlite/);
  expect(stdout).not.toMatch(/metadata\.sqlite/);
  const elsewhere = { METADATA_URL, GRAPH_URL: "bolt://127.0.0.1:1" };
  expect(await runOn(dataDir, ["backup", freshPath()], elsewhere)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Both stores are elsewhere/),
  });
});
