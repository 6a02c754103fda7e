/** What the exporter keeps for a collector: one request at a time, and at the end everything that it takes in time. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

import { expect, it, onTestFinished } from "vitest";

import { createExporter } from "../../../src/telemetry/traces/exporter.ts";
import { waitUntil } from "../../support/shell-server.ts";

type Span = Parameters<ReturnType<typeof createExporter>["add"]>[0];
const log = { info: () => {}, warn: () => {} };

/** A collector that answers when the test says so. */
async function startCollector(isSilent: boolean) {
  const sizes: number[] = [];
  const open: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    sizes.push(((await json(request)) as unknown[]).length);
    if (isSilent) open.push(response);
    else response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const time = new AbortController();
  const exporter = createExporter(
    { url, headers: {} },
    {
      // One item for each span is enough to count.
      toBody: (spans) => spans.map(() => 1),
      // A full batch is sent at once, and a part of one only at the end.
      countdown: (ms, onEnd) => {
        if (ms === 0) queueMicrotask(onEnd);
        return () => {};
      },
      deadline: () => time.signal,
      log,
    },
  );
  const add = (count: number): void => {
    for (let n = 0; n < count; n++) exporter.add({} as Span);
  };
  return { exporter, add, sizes, endTime: () => time.abort() };
}

it("A collector that does not answer gets one request, however many spans there are", async () => {
  const { exporter, add, sizes, endTime } = await startCollector(true);
  for (let n = 0; n < 10; n++) {
    add(512);
    await Promise.resolve();
  }
  await waitUntil(() => sizes.length > 0);
  expect(sizes).toEqual([512]);
  endTime();
  await exporter.close();
  expect(sizes).toEqual([512]);
});

it("All waiting spans are sent at the end", async () => {
  const { exporter, add, sizes } = await startCollector(false);
  add(1_500);
  await exporter.close();
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_500);
});
