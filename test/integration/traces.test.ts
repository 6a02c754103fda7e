/** Traces by OTLP: a request's spans are in the trace of its sender. */
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";

import { loadSample } from "../../src/cli/start/sample.ts";
import { getDefaultWorkspace } from "../../src/cli/start/workspace.ts";
import { startApp } from "../support/app.ts";
import { startOtlpServer } from "../support/otlp-server.ts";
import { present } from "../support/present.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const [SERVER, INTERNAL, ERROR] = [2, 1, 2];

async function startTraced(url: string, more: Record<string, string> = {}) {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=s3cret", ...more };
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  // At the end, a collector usually has 1.5 seconds to take the waiting spans.
  const running = await startApp({ env, overrides: { log, deadline: () => new AbortController().signal } });
  let isClosed = false;
  /** Sends the waiting spans. */
  const close = async (): Promise<void> => {
    if (!isClosed) await running.close();
    isClosed = true;
  };
  onTestFinished(close);
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
    const all = { Authorization: `Bearer ${running.token}`, ...headers };
    const answer = await fetch(`${running.url}${path}`, { headers: all });
    await answer.text();
    return answer.status;
  };
  return { app: running.app, ask, close, lines };
}

it("A request is a span in its sender's trace, with its operation and calls of the graph below it", async () => {
  const collector = await startOtlpServer();
  const { ask, close } = await startTraced(collector.url, { OTEL_SERVICE_NAME: "catalog" });
  await ask("/api/v1/catalog/assets?search=a-secret-term", { traceparent: `00-${TRACE}-${PARENT}-01` });
  await close();

  expect(new Set(collector.requests.map((request) => JSON.stringify(request)))).toEqual(
    new Set([JSON.stringify({ path: "/v1/traces", apiKey: "s3cret", service: "catalog" })]),
  );
  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
  const request = present(spans.find(({ kind }) => kind === SERVER));
  expect(request).toMatchObject({
    name: "GET /api/v1/catalog/assets",
    parentSpanId: PARENT,
    status: { code: 0 },
    values: {
      "http.request.method": "GET",
      "http.route": "/api/v1/catalog/assets",
      "http.response.status_code": "200",
    },
  });
  const operation = present(spans.find(({ parentSpanId }) => parentSpanId === request.spanId));
  expect(operation).toMatchObject({ kind: INTERNAL, name: expect.stringMatching(/^graphql \w+$/) });
  const calls = spans.filter(({ parentSpanId }) => parentSpanId === operation.spanId);
  expect(calls.map(({ name }) => name)).toContain("graph searchNodes");
  for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  }
  expect(JSON.stringify(collector.spans)).not.toMatch(/secret/);
});

it("A sender decides whether its trace is sent, and a malformed header begins a new one", async () => {
  const collector = await startOtlpServer();
  const { ask, close } = await startTraced(collector.url);
  await ask("/api/v1/metrics", { traceparent: `00-${TRACE}-${PARENT}-00` });
  await ask("/api/v1/nonsense", { traceparent: `00-${"0".repeat(32)}-${PARENT}-01` });
  await close();
  const requests = collector.spans.filter(({ kind }) => kind === SERVER);
  expect(requests).toMatchObject([{ name: "GET *", traceId: expect.stringMatching(/^[\da-f]{32}$/) }]);
  expect(requests[0]).not.toHaveProperty("parentSpanId");
  expect(collector.spans.filter(({ traceId }) => traceId === TRACE)).toEqual([]);
});

it("If no trace is sampled, only traces that others began are sent", async () => {
  const collector = await startOtlpServer();
  const { ask, close } = await startTraced(collector.url, { OTEL_TRACES_SAMPLER_ARG: "0" });
  await ask("/api/v1/metrics");
  await ask("/api/v1/metrics", { traceparent: `00-${TRACE}-${PARENT}-01` });
  await close();
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
});

it("A sync is a trace with its writes", async () => {
  const collector = await startOtlpServer();
  const { app, close } = await startTraced(collector.url);
  await loadSample(app, await getDefaultWorkspace(app.metadata));
  await close();
  const crawl = present(collector.spans.find(({ name }) => name === "crawl crawl"));
  expect(crawl.values).toMatchObject({ "tributary.outcome": "completed" });
  const writes = collector.spans.filter(
    ({ traceId, name }) => traceId === crawl.traceId && name === "graph writeNodes",
  );
  expect(writes.length).toBeGreaterThan(0);
  expect(crawl.status.code).not.toBe(ERROR);
});

it("A collector that is away costs the spans and a line of the log, and no request fails", async () => {
  const { ask, close, lines } = await startTraced("http://127.0.0.1:1");
  expect(await ask("/api/v1/metrics")).toBe(200);
  await close();
  const warnings = lines.filter(({ msg }) => String(msg).startsWith("The collector does not take traces"));
  expect(warnings).toMatchObject([{ location: "http://127.0.0.1:1" }]);
  expect(JSON.stringify(lines)).not.toContain("s3cret");
});
