/** Two processes that send notices from one store. One is killed while it sends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { expect, it, onTestFinished } from "vitest";

import { openTestMetadata, TEST_SECRET_KEY, type TestMetadata } from "../support/metadata-store.ts";
import { NO_GRAPH } from "../support/no-graph.ts";
import { openNotices, openReceiver, type Received } from "../support/notices.ts";

const PROGRAM = fileURLToPath(new URL("../support/notice-worker.ts", import.meta.url));
const COUNT = 30;
const KILLED_AT = 10;

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

it("A process is killed while it sends: another one sends everything in order, and one notice twice", async () => {
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
  const reached = Promise.withResolvers<void>();
  server.receiver.answer = (_request, response) => {
    // The receiver has it, and the process never learns that.
    if (server.received.length === KILLED_AT) reached.resolve();
    else response.writeHead(204).end();
  };
  const kill = startWorker(url, 0);
  await reached.promise;
  await kill();
  // Its lease has ended by the clock of the other one.
  startWorker(url, 31_000);
  await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(COUNT + 1);
  const again = names[KILLED_AT - 1];
  expect(server.received.map(nameOf)).toEqual([...names.slice(0, KILLED_AT), again, ...names.slice(KILLED_AT)]);
  const ids = server.received.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(COUNT);
});
