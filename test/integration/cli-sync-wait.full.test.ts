/** `tributary sync NAME --wait` for a remote service that comes and goes. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { describe, expect, it, onTestFinished } from "vitest";

import { withClient } from "../../src/cli/client.ts";
import { waitForRemoteSync } from "../../src/cli/wait-for-remote-sync.ts";
import { runCommandHere, startCommand } from "../support/command-line.ts";

const CONNECTOR = { id: "con_1", name: "shop", type: "dbt", health: "healthy", lastSync: null, schedule: null };

function toSync(status: string) {
  return {
    id: "syn_1",
    connectorId: CONNECTOR.id,
    status,
    mode: "full",
    queuedAt: "2026-01-01T00:00:00.000Z",
    startedAt: null,
    completedAt: null,
    estimatedDurationSeconds: 3,
    failedTries: 0,
    nextTryAt: null,
    progress: 0,
    progressLabel: "",
    assetsDiscovered: 0,
    assetsUpdated: 0,
    errors: [],
    errorsTotal: 0,
  };
}

type Answer = RequestListener;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
const data = (of: unknown): Answer => json(200, { data: of });
const looked = (status: string): Answer => data({ sync: toSync(status) });

/** A service with one connector. It queues a sync, and answers each request for the sync with the next answer. */
async function startService(...looks: Answer[]): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { query } = JSON.parse(Buffer.concat(chunks).toString()) as { query: string };
      const answer = query.includes("query SyncProgress")
        ? looks.shift()
        : query.includes("mutation StartSync")
          ? data({ triggerSync: { sync: toSync("queued"), isRepeat: false } })
          : data({ list: { nodes: [CONNECTOR], pageInfo: { hasNextPage: false, endCursor: null } } });
      (answer ?? json(500, { error: "internal_error", message: "It was asked too often." }))(request, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("`tributary sync --wait` goes on after passing faults, and waits as long as the service says", async () => {
  const server = await startService(
    looked("running"),
    json(503, { error: "unavailable", message: "The service stops." }, { "Retry-After": "5" }),
    (request) => request.socket.destroy(),
    (_request, response) => void response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad Gateway"),
    (_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": 1_000 }).write('{"data"');
      response.destroy();
    },
    json(429, { error: "rate_limited", message: "Too many requests." }, { "Retry-After": "42" }),
    json(503, { errors: [{ message: "Busy.", extensions: { code: "UNAVAILABLE" } }] }, { "Retry-After": "7" }),
    json(503, { error: "unavailable", message: "Busy." }, { "Retry-After": "Thu, 01 Jan 2026 00:00:00 GMT" }),
    looked("running"),
    looked("completed"),
  );
  const pauses: number[] = [];
  let time = 0;
  const sync = await withClient({ server, token: "svc_live_x" }, (client) =>
    waitForRemoteSync(
      client,
      "syn_1",
      { show: () => {}, signal: new AbortController().signal },
      {
        now: () => time,
        async sleep(ms) {
          pauses.push(ms);
          time += ms;
        },
        deadline: () => new AbortController().signal,
      },
    ),
  );
  expect(sync.status).toBe("completed");
  expect(pauses.map((ms) => ms / 1_000)).toEqual([1, 5, 1, 1, 1, 42, 7, 1, 1]);
});

describe("sync --wait", () => {
  it("`tributary sync --wait` ends after an attempt that failed for a passing reason, and prints the time of the next one", async () => {
    const nextTryAt = "2026-01-01T00:00:15.000Z";
    const waiting = data({ sync: { ...toSync("queued"), failedTries: 1, nextTryAt } });
    const TRIBUTARY_URL = await startService(looked("running"), waiting);
    const ended = await runCommandHere(["sync", "shop", "--wait", "--json"], {
      TRIBUTARY_URL,
      TRIBUTARY_TOKEN: "svc_live_x",
    });
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`tries again at ${nextTryAt}`) });
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: "queued", failed_tries: 1, next_try_at: nextTryAt });
  });

  it.each([
    ["completed", 0],
    ["failed", 1],
    ["cancelled", 1],
  ])("`tributary sync --wait` prints a sync that is %s, and ends with %i", async (status, code) => {
    const TRIBUTARY_URL = await startService(looked(status));
    const ended = await runCommandHere(["sync", "shop", "--wait", "--json"], {
      TRIBUTARY_URL,
      TRIBUTARY_TOKEN: "svc_live_x",
    });
    expect({ ...ended, stdout: JSON.parse(ended.stdout).status }).toEqual({ code, stdout: status, stderr: "" });
  });

  it("`tributary sync --wait` gives the reason if the service refuses to show the sync", async () => {
    const refusal = json(429, { error: "rate_limited", message: "Locked out." }, { "Retry-After": "900" });
    const TRIBUTARY_URL = await startService(refusal);
    const ended = await runCommandHere(["sync", "shop", "--wait", "--json"], {
      TRIBUTARY_URL,
      TRIBUTARY_TOKEN: "svc_live_x",
    });
    expect(ended).toEqual({
      code: 1,
      stdout: "",
      stderr: `${TRIBUTARY_URL} answers 429 rate_limited: Locked out. Try again in 900 seconds.\n`,
    });
  });

  it("`tributary sync --wait` ends at Ctrl-C, even while the service does not answer", async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const TRIBUTARY_URL = await startService(() => resolve());
    const command = startCommand(["sync", "shop", "--wait", "--json"], {
      TRIBUTARY_URL,
      TRIBUTARY_TOKEN: "svc_live_x",
    });
    await asked;
    // SIGINT kills a command that waits for an answer, and such a command has no exit code.
    expect(await command.interrupt()).toEqual({
      code: 130,
      stdout: "",
      stderr: "Not waiting any longer; the server goes on with the sync.\n",
    });
  });
});
