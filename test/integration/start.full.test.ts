import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createApp } from "../../src/app.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import { makeFirstStart } from "../../src/cli/start/first-start.ts";
import { registerSample } from "../../src/cli/start/sample.ts";
import { getDefaultWorkspace } from "../../src/cli/start/workspace.ts";
import { openPage, tokenOf } from "../support/page.ts";
import { type Ended, type RunningCommand, runCommandHere, startCommand } from "../support/command-line.ts";

const KEY = /svc_live_[A-Za-z0-9]{32}/g;
const READY = /API keys [^\n]*\n/;

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tributary-start-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const settingsOf = (folder: string): Record<string, string> => ({ PORT: "0", DATA_DIR: join(root, folder) });
const serve = (folder: string, env: Record<string, string> = {}): RunningCommand =>
  startCommand(["serve"], { ...settingsOf(folder), ...env });

/** The error of a failed start: one line, without a stack trace. The command runs in this process, which is faster. */
async function refusalOf(folder: string, env: Record<string, string> = {}): Promise<string> {
  return refusalIn(await runCommandHere(["serve"], { ...settingsOf(folder), ...env }));
}

function refusalIn({ code, stdout, stderr }: Ended): string {
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr;
}

const listConnectors = () => runCommandHere(["connector", "list"], settingsOf("first"));

describe("the first start", () => {
  let server: RunningCommand;
  let printed: string;
  beforeAll(async () => {
    server = serve("first");
    printed = await server.printed(/column_drop.*\n/);
  });
  afterAll(() => server.process.kill("SIGKILL"));

  it("The first start loads the sample and prints the addresses and the key", () => {
    expect(printed).toMatch(/Loaded the sample, a shop's warehouse: 85 assets, 612 columns and 15 metrics\./);
    expect(printed).toMatch(/GraphiQL {2}http:\/\/127\.0\.0\.1:\d+\/graphql\n/);
    expect(new Set(printed.match(KEY)).size).toBe(1);
    expect(server.output.stderr).toBe("");
  });

  it("The first start prints four requests that work when pasted", async () => {
    const lines = printed.split("\n").filter((line) => line.startsWith("curl "));
    const answers = await Promise.all(lines.map((line) => promisify(execFile)("sh", ["-c", line])));
    const [assets, lineage, metrics, impact] = answers.map(({ stdout }) => JSON.parse(stdout));
    expect(assets.data.length).toBeGreaterThan(0);
    expect(lineage.nodes.length).toBeGreaterThan(5);
    expect(metrics.data.metrics.nodes).toHaveLength(5);
    expect(impact.data.impact.summary.highRiskCount).toBeGreaterThan(10);
    expect(impact.data.impact.owners[0].owner).toMatch(/@example\.com$/);
    expect(answers).toHaveLength(4);
  });

  it("The first start refuses a second server on the same folder, and says why", async () => {
    expect(refusalIn(await serve("first").ended)).toMatch(/^Another Tributary server uses the data folder .*first\./);
  });

  it("The first start ends cleanly at Ctrl-C, and the second start prints no secret and syncs nothing", async () => {
    const { stdout: before } = await listConnectors();
    expect(await server.interrupt()).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(join(root, "first")).toSorted()).toEqual([
      "graph.sqlite",
      "metadata.sqlite",
      "secret.key",
      "server.lock",
    ]);

    const second = serve("first");
    expect(await second.printed(READY)).not.toMatch(KEY);
    expect(second.output.stdout).toContain("npx tributary key create");
    expect(second.output.stdout).not.toContain("sample");
    await second.interrupt();
    expect((await listConnectors()).stdout).toBe(before);
    expect(before).toContain("completed");
  });
});

it("A start without the sample is empty, and its requests work all the same", async () => {
  const server = serve("empty", { SAMPLE: "off" });
  const printed = await server.printed(/\/graphql'\n/);
  expect(printed).not.toContain("sample");
  const [key] = printed.match(KEY) ?? [];
  const [origin] = printed.match(/http:\/\/[^/]+/) ?? [];
  const headers = { Authorization: `Bearer ${key}` };
  const assets = await fetch(`${origin}/api/v1/catalog/assets`, { headers });
  expect(await assets.json()).toMatchObject({ data: [] });
  await server.interrupt();
});

it("A start warns of a folder for connectors that does not exist, and of no other", async () => {
  const server = serve("folders", { SAMPLE: "off", CONNECTOR_FOLDERS: [root, join(root, "not there")].join(",") });
  await server.printed(/\/graphql'\n/);
  const { stderr } = await server.interrupt();
  expect(stderr.match(/.*CONNECTOR_FOLDERS.*/g)).toEqual([expect.stringContaining("not there")]);
});

it("Each start prints a new link for the first admin, until somebody can log in", async () => {
  const LINK = /^Log in {4}(http\S+\/welcome#token=[\w-]{59}) /m;
  const start = async () => {
    const server = serve("people", { SAMPLE: "off" });
    const printed = await server.printed(/\/graphql'\n|API keys [^\n]*\n/);
    return { server, printed, link: LINK.exec(printed)?.[1] ?? "" };
  };
  const first = await start();
  await first.server.interrupt();

  const second = await start();
  const origin = new URL(second.link).origin;
  const old = await openPage(origin).useLink(first.link, { email: "ada@example.com" });
  expect([old.status, second.link]).toEqual([404, expect.not.stringContaining(tokenOf(first.link))]);
  const ada = openPage(origin);
  expect((await ada.useLink(second.link, { email: "ada@example.com", name: "Ada" })).status).toBe(200);
  expect(await ada.query("{ viewer { user { name role } } }")).toEqual({
    viewer: { user: { name: "Ada", role: "admin" } },
  });
  await second.server.interrupt();

  const third = await start();
  expect(third.printed).not.toMatch(/Log in|welcome/);
  // Sessions are kept.
  const again = openPage(new URL(/http\S+\/docs/.exec(third.printed)?.[0] ?? "").origin);
  for (const [name, value] of ada.cookies) again.cookies.set(name, value);
  expect((await again.ask("GET", "/auth/session")).status).toBe(200);
  await third.server.interrupt();
});

it("A first start that was cut short is continued, and then shows a key", async () => {
  const settings = parseSettings(settingsOf("cut-short"));
  const cut = await createApp(settings);
  const workspace = await getDefaultWorkspace(cut.metadata);
  await registerSample(cut, workspace);
  await cut.close();

  const app = await createApp(settings);
  await app.listen();
  const first = await makeFirstStart(app, () => {});
  expect(first).toMatchObject({ workspace, sample: { status: "completed" } });
  expect(await app.metadata.workspaces.list()).toHaveLength(1);
  expect(await app.metadata.keys.list(workspace.id)).toHaveLength(1);
  expect(await makeFirstStart(app, () => {})).toBeNull();
  await app.close();
});

/** What the start printed until it was ready. */
async function startAndStop(folder: string): Promise<string> {
  const server = serve(folder);
  const printed = await server.printed(/\/graphql'\n/);
  expect(await server.interrupt()).toMatchObject({ code: 0, stderr: "" });
  return printed;
}

async function runOn(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommandHere(args, settingsOf(folder));
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
  return stdout;
}

async function addShop(folder: string): Promise<void> {
  const target = join(root, `${folder}-target`);
  cpSync("samples/shop", target, { recursive: true });
  await runOn(folder, "workspace", "create", "default");
  await runOn(folder, "connector", "add", "dbt", "--name", "shop", "--option", `target=${target}`);
}

describe("a start on a workspace that is not new", () => {
  it("A first start after somebody has added a source loads no sample, also if the source has the sample's name", async () => {
    await addShop("own");
    const before = await runOn("own", "connector", "list");
    const printed = await startAndStop("own");
    expect(printed).toMatch(KEY);
    expect(printed).not.toMatch(/sample/i);
    expect(await runOn("own", "connector", "list")).toBe(before);
  });

  it("A start after a move loads no sample, whether the workspace has sources or not", async () => {
    await addShop("moved");
    await runOn("bare", "workspace", "create", "default");
    for (const from of ["moved", "bare"]) {
      const file = join(root, `${from}.ndjson`);
      await runOn(from, "export", file);
      await runOn(`${from}-to`, "import", file);
      const before = await runOn(`${from}-to`, "connector", "list");
      expect(await startAndStop(`${from}-to`)).not.toMatch(/sample/i);
      expect(await runOn(`${from}-to`, "connector", "list")).toBe(before);
    }
  });
});

describe("starts that fail", () => {
  it("A start lists every fault of the settings, with exit code 2", async () => {
    const { code, stdout, stderr } = await serve("unused", {
      PORT: "http",
      METADATA_URL: "postgres://db",
      GRAPH_URI: "",
    }).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.split("\n")).toEqual([
      "The settings are wrong:",
      "  GRAPH_URI is not a setting; did you mean GRAPH_URL?",
      "  PORT must be a whole number from 0 to 65535.",
      expect.stringMatching(/^  METADATA_URL must be sqlite: or a URL such as postgres:/),
      "",
    ]);
    expect(existsSync(join(root, "unused"))).toBe(false);
  });

  it("A start says that the data folder is a file, or cannot be created", async () => {
    writeFileSync(join(root, "file"), "");
    const refusals = [await refusalOf("file"), await refusalOf("file/below")];
    expect(refusals).toEqual([
      expect.stringMatching(/^The data folder .*file is a file\./),
      expect.stringMatching(/a part of the path is a file\./),
    ]);
  });

  it("A start says which store is damaged, and changes nothing", async () => {
    await runCommandHere(["workspace", "create", "first"], settingsOf("damaged"));
    for (const store of ["graph", "metadata"]) {
      const path = join(root, "damaged", `${store}.sqlite`);
      writeFileSync(path, "not a database at all, but a good deal of text\n".repeat(100));
      expect(await refusalOf("damaged")).toBe(
        `The ${store} store is damaged or is not a Tributary database. (${path})\n`,
      );
    }
  });

  it("A start says that a newer version wrote the data", async () => {
    await runCommandHere(["workspace", "create", "first"], settingsOf("newer"));
    const file = new DatabaseSync(join(root, "newer", "metadata.sqlite"));
    file.exec("PRAGMA user_version = 999");
    file.close();
    expect(await refusalOf("newer")).toMatch(/was written by a newer version of Tributary/);
  });

  it("A start says that the port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    expect(await refusalOf("port", { PORT: port })).toMatch(/another process listens there; set PORT to another port/);
    other.close();
  });
});

describe("bin/tributary.js", () => {
  const oldNode = findOldNode();

  it.skipIf(oldNode === null)("bin/tributary.js hands over to the Node of the package, and has its exit code", () => {
    const bin = new URL("../../bin/tributary.js", import.meta.url).pathname;
    const version = execFileSync(oldNode ?? "", [bin, "--version"], { encoding: "utf8" });
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(() => execFileSync(oldNode ?? "", [bin, "nonsense"], { stdio: "pipe" })).toThrow(
      expect.objectContaining({ status: 2 }),
    );
  });

  it.skipIf(oldNode === null)("bin/tributary.js says in one line what to do without a Node that is new enough", () => {
    const project = join(root, "elsewhere");
    cpSync(new URL("../../bin", import.meta.url), join(project, "bin"), { recursive: true });
    cpSync(new URL("../../package.json", import.meta.url), join(project, "package.json"));
    const refusal = () => spawnSync(oldNode ?? "", ["bin/tributary.js"], { cwd: project, encoding: "utf8" });
    expect(refusal()).toMatchObject({ status: 1, stderr: "Tributary is not installed yet: run npm ci first.\n" });
    mkdirSync(join(project, "node_modules"));
    expect(refusal()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Tributary needs Node [^\n]+\n$/) });
  });
});

/** A Node on the PATH that is too old for the service. Null if there is none. */
function findOldNode(): string | null {
  const folders = (process.env["PATH"] ?? "").split(":").filter((folder) => !folder.includes("node_modules"));
  const node = folders.map((folder) => join(folder, "node")).find((path) => existsSync(path));
  if (node === undefined) return null;
  const [major] = execFileSync(node, ["--version"], { encoding: "utf8" }).slice(1).split(".");
  return Number(major) < 24 ? node : null;
}
