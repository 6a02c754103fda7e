import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Ended, type RunningCommand, runCommand, runCommandHere, startCommand } from "../support/command-line.ts";

const SAMPLE = fileURLToPath(new URL("../../samples/shop/", import.meta.url));

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tributary-cli-"));
});
afterAll(() => rmSync(root, { recursive: true }));

/**
 * Runs a command on a data folder. Spaces divide its words.
 * @param cwd runs the command there, in another process; without it, the command runs in this process, which is faster
 */
function run(folder: string, command: string, cwd?: string): Promise<Ended> {
  const env = { DATA_DIR: join(root, folder), PORT: "0", SAMPLE: "off" };
  mkdirSync(env.DATA_DIR, { recursive: true });
  const args = command.split(" ");
  return cwd === undefined ? runCommandHere(args, env) : runCommand(args, env, cwd);
}

/** The output of a command that must succeed without errors. */
async function resultOf(folder: string, command: string, cwd?: string): Promise<string> {
  const { code, stdout, stderr } = await run(folder, command, cwd);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("without a data folder", () => {
  it.each(["key create --name one", "connector list", "metric list"])(
    "Without a data folder, `tributary %s` is refused and creates none",
    async (command) => {
      const path = join(root, "elsewhere", "data");
      const { code, stdout, stderr } = await runCommandHere(command.split(" "), { DATA_DIR: path });
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(
        /^There is no data folder .*data\. Create it with npm start or tributary workspace create/,
      );
      expect(existsSync(join(root, "elsewhere"))).toBe(false);
    },
  );

  it("Without a data folder, a new workspace creates one", async () => {
    for (const name of ["first", "default"]) {
      const { code } = await runCommandHere(["workspace", "create", name], { DATA_DIR: join(root, `made-${name}`) });
      expect([code, existsSync(join(root, `made-${name}`))]).toEqual([0, true]);
    }
  });
});

describe("before the first server", () => {
  it("`tributary key create` prints nothing but the key", async () => {
    expect(await resultOf("keys", "key create --name one", root)).toMatch(/^svc_live_[A-Za-z0-9]{32}\n$/);
    await resultOf("keys", "key create --name two --scope read --scope write --expires 30");
    const list = await resultOf("keys", "key list");
    expect(list).toMatch(/key_\w+ +one +svc_live_\w{8}… +read +\S+@\S+ +\S+ +never +active\n/);
    expect(list).toMatch(/key_\w+ +two +svc_live_\w{8}… +read,write +\S+@\S+ +\S+ +never +active until /);
  });

  it("`tributary key revoke` revokes a key by its id", async () => {
    const [id] = /key_\w+/.exec(await resultOf("keys", "key list")) ?? [];
    expect(await resultOf("keys", `key revoke ${id}`)).toBe("The key is revoked.\n");
    expect(await resultOf("keys", "key list")).toMatch(new RegExp(`${id} .* revoked `));
  });

  it("Test keys are only for sandboxes, and workspaces are separate", async () => {
    expect(await run("keys", "key create --name t --test")).toMatchObject({ code: 2, stdout: "" });
    expect(await resultOf("keys", "workspace create box --sandbox")).toMatch(/^ws_\w+\n$/);
    expect(await resultOf("keys", "key create --name t --test --workspace box")).toMatch(/^svc_test_/);
    expect((await run("keys", "key list --workspace box")).stdout).not.toContain("one");
    expect(await resultOf("keys", "workspace list")).toMatch(/box +ws_\w+ +sandbox .*\ndefault +ws_\w+ +live /);
  });

  it("`tributary sync --wait` runs the sync itself without a server, with paths relative to the current folder", async () => {
    const added = await resultOf("alone", "connector add dbt --name shop --option manifest=manifest.json", SAMPLE);
    expect(added).toMatch(/^con_\w+\n$/);

    const queued = await run("alone", "sync shop --json");
    expect(queued.stderr).toMatch(/^No server is running: the sync waits for one\./);
    expect(JSON.parse(queued.stdout)).toMatchObject({ connector_id: added.trim(), status: "queued", mode: "full" });

    const waited = await run("alone", `sync ${added.trim()} --wait --json`, root);
    expect(waited.stderr).toMatch(/^This sync was queued \d+ s ago; it is queued\./);
    const done = JSON.parse(waited.stdout);
    expect(done).toMatchObject({ sync_id: JSON.parse(queued.stdout).sync_id, status: "completed", errors: [] });
    expect(done.assets_discovered).toBeGreaterThan(40);

    const again = JSON.parse(await resultOf("alone", "sync shop --wait --force --mode full --json"));
    expect(again).toMatchObject({ status: "completed", mode: "full", assets_updated: 0 });
    expect(again.sync_id).not.toBe(done.sync_id);
    expect(await resultOf("alone", "connector list")).toMatch(/shop +con_\w+ +dbt +healthy +completed, queued /);
  });

  it("`tributary sync --wait` ends with 1 if the sync failed, and prints its errors and their location in the log", async () => {
    await resultOf("failing", "connector add dbt --no-test --name gone --option manifest=/gone/manifest.json");
    const { code, stdout, stderr } = await run("failing", "sync gone --wait --json", root);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "failed",
      errors_total: 1,
      errors: [{ object: "manifest.json", occurred_at: expect.any(String) }],
    });
    expect(stdout).not.toContain("/gone");
    const lines = stderr.trimEnd().split("\n");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ location: "/gone/manifest.json", code: "not_found" });
  });
});

describe("beside a running server", () => {
  let server: RunningCommand;
  let origin: string;
  beforeAll(async () => {
    server = startCommand(["serve"], { DATA_DIR: join(root, "beside"), PORT: "0", SAMPLE: "off" });
    origin = /http:\/\/[^/]+/.exec(await server.printed(/graphql'\n/))?.[0] ?? "";
  });
  afterAll(() => server.interrupt());

  it("The running server accepts new keys and refuses revoked ones at once", async () => {
    const key = (await resultOf("beside", "key create --name fresh", root)).trim();
    const ask = async () => {
      const headers = { Authorization: `Bearer ${key}` };
      return (await fetch(`${origin}/api/v1/catalog/assets`, { headers })).status;
    };
    expect(await ask()).toBe(200);
    const [id] = /key_\w+(?= +fresh)/.exec(await resultOf("beside", "key list")) ?? [];
    await resultOf("beside", `key revoke ${id}`);
    expect(await ask()).toBe(401);
  });

  it("The running server takes up a sync that a command has queued", async () => {
    await resultOf("beside", "connector add dbt --name shop --option manifest=manifest.json", SAMPLE);
    const queued = JSON.parse(await resultOf("beside", "sync shop --json"));
    const done = JSON.parse((await run("beside", "sync shop --wait --json")).stdout);
    expect(done).toMatchObject({ sync_id: queued.sync_id, status: "completed" });
  });
});

describe("errors", () => {
  it.each([
    ["an unknown command", "kye", 2, /^error: unknown command 'kye'\n\(Did you mean key\?\)\n$/],
    ["an option that is missing", "key create", 2, /--name <name>' not specified/],
    ["an unknown scope", "key create --name a --scope all", 2, /Allowed choices are read, write, admin/],
    ["an option without a value", "connector add dbt --name a --option manifest", 2, /It must be key=value/],
    ["an unknown workspace", "key list --workspace nowhere", 1, /^There is no workspace nowhere; [^\n]+\n$/],
    ["an unknown connector", "sync nothing", 1, /^There is no connector nothing in the workspace default; [^\n]+\n$/],
    ["an unknown connector type", "connector add sap --name a", 2, /^type: [^\n]+\n$/],
    ["an unknown connector option", "connector add dbt --name a --option color=red", 2, /color[^\n]*\n$/],
  ])("An error about %s is one line", async (_what, command, code, message) => {
    expect(await run("wrong", command)).toEqual({ code, stdout: "", stderr: expect.stringMatching(message) });
  });

  it.each([
    ["key create", 2],
    ["sync nothing", 1],
  ])("The process of `%s` ends with %i", async (command, code) => {
    expect(await run("wrong", command, root)).toMatchObject({ code, stdout: "" });
  });

  it("All errors in the settings and in .env are reported together", async () => {
    const folder = join(root, "with-env");
    mkdirSync(folder);
    writeFileSync(join(folder, ".env"), "PORT=none\nFLAVOUR=sweet\n");
    const { code, stderr } = await runCommand(["key", "list"], { SAMPLE: "perhaps" }, folder);
    expect(code).toBe(2);
    expect(stderr).toBe(
      "The settings are wrong:\n  FLAVOUR in .env is not a setting.\n  PORT must be a whole number from 0 to 65535.\n  SAMPLE must be on or off.\n",
    );
    expect(existsSync(join(folder, "data"))).toBe(false);
  });
});

it("A sync ends cleanly at Ctrl-C, and goes back to the queue", async () => {
  const asked = Promise.withResolvers<void>();
  const silent = createServer(() => asked.resolve()).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : null;
  await resultOf(
    "held",
    `connector add dbt --no-test --name held --option manifest=http://127.0.0.1:${port}/manifest.json`,
  );

  const env = { DATA_DIR: join(root, "held"), ALLOW_PRIVATE_SOURCES: "127.0.0.1/32" };
  const sync = startCommand(["sync", "held", "--wait"], env);
  await asked.promise;
  expect(await sync.interrupt()).toEqual({ code: 130, stdout: "", stderr: "Stopped; the sync is queued again.\n" });
  expect(await resultOf("held", "connector list")).toMatch(/held .* queued, queued /);
  silent.closeAllConnections();
  silent.close();
});
