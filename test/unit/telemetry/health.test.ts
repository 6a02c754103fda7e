import { pino } from "pino";
import { expect, it } from "vitest";

import { createHealthCheck } from "../../../src/telemetry/health.ts";
import { createTestClock, SECOND_MS } from "../../support/clock.ts";

/** A service whose graph store can be made read-only, with a count of the trial writes. */
function setUp() {
  const clock = createTestClock();
  const lines: { msg: string }[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const graph = { tries: 0, isFull: false, isServed: true, answer: Promise.resolve() };
  const fine = { check: async () => {}, checkWrites: async () => {} };
  const health = createHealthCheck({
    graph: {
      check: fine.check,
      checkWrites() {
        graph.tries += 1;
        return graph.isFull ? Promise.reject(new Error("the disk is full")) : graph.answer;
      },
    },
    metadata: fine,
    queue: fine,
    limits: fine,
    isServed: async () => graph.isServed,
    clock,
    log,
    version: "0.0.0",
  });
  return { clock, graph, health, said: () => lines.map(({ msg }) => msg) };
}

it("The health check tries a write at most every 30 seconds, however often it runs", async () => {
  const { clock, graph, health } = setUp();
  await Promise.all([health(), health(), health()]);
  clock.advance(30 * SECOND_MS - 1);
  expect((await health()).status).toBe("ok");
  expect(graph.tries).toBe(1);
  clock.advance(1);
  await health();
  expect(graph.tries).toBe(2);
  clock.advance(-3_600 * SECOND_MS);
  clock.advance(30 * SECOND_MS);
  await health();
  expect(graph.tries).toBe(3);
});

it("The uptime keeps counting if the clock is set back", async () => {
  const { clock, health } = setUp();
  clock.advance(90 * SECOND_MS);
  clock.advance(-3_600 * SECOND_MS);
  expect((await health()).uptimeSeconds).toBe(90);
});

it("The service is degraded while a store can be read but not written, and tries again after 5 seconds", async () => {
  const { clock, graph, health, said } = setUp();
  graph.isFull = true;
  expect(await health()).toMatchObject({
    status: "degraded",
    dependencies: { graphDb: "degraded", metadataStore: "ok", crawlerQueue: "ok", limitsStore: "ok" },
  });
  graph.isFull = false;
  clock.advance(5 * SECOND_MS - 1);
  expect((await health()).status).toBe("degraded");
  clock.advance(1);
  expect((await health()).status).toBe("ok");
  expect(graph.tries).toBe(2);
  expect(said()).toEqual(["the graph store cannot be written", "the graph store can be written again"]);
});

it("The service is degraded while no worker serves the queue, and says what to do", async () => {
  const { graph, health } = setUp();
  graph.isServed = false;
  expect(await health()).toMatchObject({
    status: "degraded",
    dependencies: { graphDb: "ok", metadataStore: "ok", crawlerQueue: "degraded", limitsStore: "ok" },
    problems: [
      { dependency: "crawlerQueue", message: expect.stringMatching(/^No worker runs.* start tributary worker/) },
    ],
  });
  graph.isServed = true;
  expect(await health()).toMatchObject({ status: "ok", problems: [] });
});

it("A trial write that waits behind a crawl does not count as failed", async () => {
  const { graph, health } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  graph.answer = promise;
  expect((await health()).status).toBe("ok");
  expect((await health()).status).toBe("ok");
  expect(graph.tries).toBe(1);
  resolve();
});
