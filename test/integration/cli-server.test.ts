/** `tributary impact --server`: the impact of a pull request from a running service, with only a token. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { type Ended, runCommandHere } from "../support/command-line.ts";
import { atDepth } from "../support/depth.ts";
import { dropAmount, retypeColumn, writeShop } from "../support/edited-shop.ts";

let app: RunningApp;
let folder: string;
let changed: string;
let same: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tributary-cli-server-test-"));
  app = await startApp({ sample: true });
  changed = writeShop(folder, "changed", dropAmount);
  same = writeShop(folder, "same");
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

let other: Server | undefined;
afterEach(() => {
  other?.close();
  other = undefined;
});

/** A service that is not Tributary. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  other = server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

/** Without a data folder, as in a CI job. */
function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return runCommandHere(["impact", ...args], { DATA_DIR: join(folder, "none"), PORT: "0", ...env });
}

const byOption = () => ["--server", app.url, "--token", app.token];

describe("tributary impact --server", () => {
  it.each(atDepth(["table"], ["table", "json", "markdown"]))(
    "`tributary impact --server` prints as %s what it prints for the data folder",
    async (format) => {
      const asked = ["--manifest", changed, "--against", "shop", "--fail-on", "high", "--format", format];
      const remote = await run([...asked, ...byOption()]);
      expect(remote).toMatchObject({ code: 1, stderr: "Something is at high risk.\n" });
      expect(remote).toEqual(await run(asked, { DATA_DIR: app.app.settings.dataDir }));
    },
  );

  it.each(["table", "json", "markdown"])(
    "`tributary impact --server` with a catalog prints as %s what it prints for the data folder",
    async (format) => {
      const catalog = join(folder, `catalog-${format}.json`);
      writeFileSync(catalog, retypeColumn("fct_refunds", "charge_id", "bytea"));
      const files = ["--manifest", same, "--catalog", catalog];
      const asked = [...files, "--against", "shop", "--fail-on", "low", "--format", format];
      const remote = await run([...asked, ...byOption()]);
      expect(remote).toMatchObject({ code: 1, stderr: "Something is at low risk or worse.\n" });
      expect(remote.stdout).toContain("bytea");
      expect(remote).toEqual(await run(asked, { DATA_DIR: app.app.settings.dataDir }));
      expect(await run([...files, "--fail-on", "low", ...byOption()])).toMatchObject({ code: 1 });
    },
  );

  it("`tributary impact --server` takes the service and the token from the environment, and needs no connector's name", async () => {
    const env = { TRIBUTARY_URL: app.url, TRIBUTARY_TOKEN: app.token };
    const answer = await run(["--manifest", same, "--fail-on", "low"], env);
    expect(answer).toEqual({ code: 0, stdout: "Passes: no change was found.\n", stderr: "" });
  });

  it("`tributary impact --server` sends the manifest gzipped", async () => {
    let received = "";
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        received = `${request.headers["content-encoding"]} ${gunzipSync(Buffer.concat(chunks)).length > 10_000}`;
        response.writeHead(404).end("nothing here");
      });
    });
    const { code, stderr } = await run(["--manifest", changed, "--server", url, "--token", "svc_live_x"]);
    expect({ code, stderr, received }).toEqual({
      code: 1,
      stderr: `${url} answers 404, but not as Tributary does.\n`,
      received: "gzip true",
    });
  });

  it("`tributary impact --server` reads a manifest from a pipe", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const written = writeFile(pipe, readFileSync(same));
    const answer = await run(["--manifest", pipe, "--fail-on", "low", ...byOption()]);
    expect(answer).toEqual({ code: 0, stdout: "Passes: no change was found.\n", stderr: "" });
    await written;
  });

  it("`tributary impact --server` follows no redirect with the token", async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(request.url ?? "");
      request.resume();
      response.writeHead(307, { Location: "/elsewhere" }).end();
    });
    const { code, stderr } = await run(["--manifest", changed, "--server", url, "--token", "svc_live_x"]);
    expect({ code, seen: seen.length }).toEqual({ code: 1, seen: 1 });
    expect(stderr).toMatch(/answers 307, but not as Tributary does\. It redirects to another URL/);
  });

  it.each([
    ["a token that is not valid", () => ["--token", "svc_live_nobody"], 1, /answers 401 unauthorized: A valid bearer/],
    ["an unknown connector", () => ["--against", "none"], 1, /^There is no connector none/],
    [
      "a server that cannot be reached",
      () => ["--server", "http://127.0.0.1:65531"],
      1,
      /cannot be reached \(ECONNREFUSED\)\.$/,
    ],
    [
      "plain http to another machine",
      () => ["--server", "http://192.0.2.1"],
      2,
      /^server: would get the token without encryption/,
    ],
    ["a text that is not an address", () => ["--server", "nowhere"], 2, /^server: must be a URL/],
    ["a password in the address", () => ["--server", "https://a:b@c.example"], 2, /^server: must be a URL/],
    ["a missing catalog", () => ["--catalog", "/gone.json"], 2, /catalog\.json cannot be read\. \(\/gone\.json\)$/],
    ["a catalog and an unknown connector", () => ["--catalog", changed, "--against", "none"], 1, /no connector none/],
    ["a missing manifest", () => ["--manifest", "/gone.json"], 2, /manifest\.json cannot be found\. \(\/gone\.json\)$/],
    ["a folder as the manifest", () => ["--manifest", "/"], 2, /^manifest: manifest\.json cannot be read\. \(\/\)$/],
  ])("`tributary impact --server` is refused if it is given %s", async (_what, args, code, message) => {
    const answer = await run(["--manifest", changed, ...byOption(), ...args()]);
    expect({ ...answer, stderr: answer.stderr.trimEnd() }).toEqual({
      code,
      stdout: "",
      stderr: expect.stringMatching(message),
    });
  });

  it("`tributary impact --server` ends with 2 if the service can compare nothing", async () => {
    const parsed = writeShop(folder, "parsed", ({ nodes }) => {
      for (const node of Object.values(nodes)) node.compiled_code = null;
    });
    const { code, stderr } = await run(["--manifest", parsed, ...byOption()]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^manifest: contains no/),
    });
  });

  it("`tributary impact --server` assesses one change of an asset like on the data folder", async () => {
    const asked = ["shop.staging.stg_stripe__refunds.amount", "--change", "column_drop", "--fail-on", "high"];
    const remote = await run([...asked, ...byOption()]);
    expect(remote).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Fails: .*\n1 change affects \d+ assets/) });
    expect(remote).toEqual(await run(asked, { DATA_DIR: app.app.settings.dataDir }));
    // The end of the name is enough if nothing else ends so.
    expect(await run(["stg_stripe__refunds.amount", ...asked.slice(1), ...byOption()])).toEqual(remote);
  });

  it("`tributary impact --server` suggests names if the asset does not exist", async () => {
    expect(await run(["shop.orders", "--change", "deprecate", ...byOption()])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no asset or metric shop\.orders\. Did you mean /),
    });
  });

  it("`tributary impact --server` requires a token, and options that go together", async () => {
    expect(await run(["--manifest", changed, "--server", app.url])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/needs --token or TRIBUTARY_TOKEN/),
    });
    expect(await run(["shop.orders", "--change", "deprecate", "-w", "other", ...byOption()])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/a token belongs to one workspace/),
    });
    expect(await run(["--manifest", changed, "--against", "shop", "--token", "x"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--token and --allow-http need --server/),
    });
  });
});
