/** Processes that send notices from one store, of which some are killed while they send. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { expect, it, onTestFinished } from "vitest";

import { openTestMetadata, TEST_SECRET_KEY, type TestMetadata } from "../support/metadata-store.ts";
import { NO_GRAPH } from "../support/no-graph.ts";
import { openNotices, openReceiver, type Received } from "../support/notices.ts";

const PROGRAM = fileURLToPath(new URL("../support/notice-worker.ts", import.meta.url));
const COUNT = 30;
/** How many different notices the receiver has when a process is killed. */
const KILLED_AT = [10, 20] as const;
/** By the clock of the next process, the lease of the killed one has ended. */
const LEASE_MS = 31_000;
const DAY_MS = 86_400_000;

function startWorker(url: TestMetadata["url"], aheadMs: number) {
  const args = [PROGRAM, JSON.stringify(url), TEST_SECRET_KEY.toString("base64"), String(aheadMs)];
  const worker = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(worker, "exit");
  const kill = async (): Promise<void> => {
    worker.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  return kill;
}

function nameOf({ body }: Received): string {
  const { data } = JSON.parse(body) as { data: { events: { name: string }[] } };
  return data.events.map(({ name }) => name).join(" ");
}

it("Two processes are killed while they send, and the receiver is away for a while: everything arrives in order, and twice what it had when they died", async () => {
  await using server = await openReceiver();
  const metadata = await openTestMetadata();
  const { store, workspace, url } = metadata;
  const { addRule, worker } = openNotices({ ...metadata, graph: NO_GRAPH });
  await addRule({ url: server.url });
  const names = Array.from({ length: COUNT }, (_, i) => `metric ${i}`);
  for (const name of names) {
    await store.audit.append({
      workspaceId: workspace.id,
      action: "certification_lapsed",
      actor: "connector shop",
      source: "service",
      subject: name,
      details: { metric: name, note: "" },
    });
    await worker.tell();
  }
  const has = () => new Set(server.received.map(nameOf)).size;
  for (const [at, most] of KILLED_AT.entries()) {
    const reached = Promise.withResolvers<void>();
    server.receiver.answer = (_request, response) => {
      // The receiver has it, and the process never learns that.
      if (has() === most) reached.resolve();
      else response.writeHead(204).end();
    };
    const kill = startWorker(url, at * LEASE_MS);
    await reached.promise;
    await kill();
  }
  const refused = Promise.withResolvers<void>();
  server.receiver.answer = (_request, response) => {
    response.writeHead(503).end();
    refused.resolve();
  };
  const kill = startWorker(url, KILLED_AT.length * LEASE_MS);
  await refused.promise;
  await kill();
  server.receiver.answer = (_request, response) => response.writeHead(204).end();
  startWorker(url, DAY_MS / 2);
  await expect.poll(has).toBe(COUNT);
  const [first, second] = KILLED_AT;
  const expected = [names.slice(0, first), names.slice(first - 1, second), names[second - 1], names.slice(second - 1)];
  expect(server.received.map(nameOf)).toEqual(expected.flat());
  const ids = server.received.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(COUNT);
});
