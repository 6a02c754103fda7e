/** The metrics for Prometheus, on their own port. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { setRateLimit } from "../../src/auth/security-settings.ts";
import { loadSample } from "../../src/cli/start/sample.ts";
import { getDefaultWorkspace } from "../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { adminOf, authPartsOf } from "../support/oauth.ts";
import { present } from "../support/present.ts";

let running: RunningApp;
let url: string;
beforeAll(async () => {
  running = await startApp({ env: { METRICS_PORT: "0" } });
  await loadSample(running.app, await getDefaultWorkspace(running.app.metadata));
  url = present(running.app.metricsUrl());
});
afterAll(() => running.close());

/** The value of a metric with these labels; null if there is none. */
async function read(name: string, labels: Record<string, string> = {}): Promise<number | null> {
  const text = await (await fetch(url)).text();
  for (const line of text.split("\n")) {
    const [, metric = "", list = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const found = Object.fromEntries([...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, of]) => [label, of]));
    if (metric === name && Object.entries(labels).every(([label, of]) => found[label] === of)) return Number(value);
  }
  return null;
}

function ask(path: string, method = "GET"): Promise<Response> {
  return fetch(`${running.url}${path}`, { method, headers: { Authorization: `Bearer ${running.token}` } });
}

function askGraphql(query: string, operationName?: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${running.token}`, "Content-Type": "application/json" };
  return fetch(`${running.url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query, operationName }) });
}

describe("the metrics", () => {
  it("The metrics are off unless a port is set", async () => {
    const other = await startApp();
    expect(other.app.metricsUrl()).toBeNull();
    await other.close();
  });

  it("The metrics are served only at /metrics, and not at the service's port", async () => {
    const { origin } = new URL(url);
    expect((await fetch(url)).headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect((await fetch(`${origin}/`)).status).toBe(404);
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${running.url}/metrics`)).status).toBe(404);
  });

  it("The metrics count requests by the pattern of their route, never by their path", async () => {
    const name = "tributary_http_request_duration_seconds_count";
    const before = (await read(name, { route: "none", status: "4xx" })) ?? 0;
    await ask("/api/v1/catalog/assets/a-secret-id");
    await ask("/api/v1/catalog/assets/another");
    await ask("/api/v1/nonsense/a-secret-path");
    await ask("/api/v1/catalog/assets", "DELETE");
    expect(await read(name, { method: "GET", route: "/api/v1/catalog/assets/:id", status: "4xx" })).toBe(2);
    expect(await read(name, { route: "none", status: "4xx" })).toBe(before + 1);
    expect(await read(name, { method: "DELETE", route: "/api/v1/catalog/assets", status: "4xx" })).toBe(1);
    expect(await (await fetch(url)).text()).not.toContain("secret");
  });

  it("The metrics count GraphQL operations by the names that the service knows", async () => {
    const name = "tributary_graphql_operation_duration_seconds_count";
    await askGraphql("query MyOwnName { __typename }", "MyOwnName");
    await askGraphql("{ nonsense }");
    await askGraphql("query ListMetrics { __typename }", "ListMetrics");
    await ask("/health");
    expect(await read(name, { operation: "other", outcome: "ok" })).toBe(1);
    expect(await read(name, { operation: "other", outcome: "error" })).toBe(1);
    expect(await read(name, { operation: "ListMetrics", outcome: "ok" })).toBe(1);
    expect(await read(name, { operation: "CheckHealth", outcome: "ok" })).toBeGreaterThan(0);
    expect(await (await fetch(url)).text()).not.toContain("MyOwnName");
  });

  it("The metrics count calls of the graph, also by callers, and syncs", async () => {
    const walks = { call: "walk", outcome: "ok" };
    const before = await read("tributary_graph_call_duration_seconds_count", walks);
    const { data } = await (await ask("/api/v1/catalog/assets?limit=1")).json();
    await ask(`/api/v1/lineage/upstream?asset_id=${data[0].id}`);
    expect(await read("tributary_graph_call_duration_seconds_count", walks)).toBe((before ?? 0) + 1);
    expect(await read("tributary_graph_call_duration_seconds_count", { call: "writeNodes" })).toBeGreaterThan(0);
    expect(await read("tributary_crawl_duration_seconds_count", { outcome: "completed" })).toBe(1);
    expect(await read("tributary_crawls_running")).toBe(0);
  });

  it("The metrics tell states and sizes", async () => {
    expect(await read("tributary_dependency_up", { dependency: "graph_db" })).toBe(1);
    expect(await read("tributary_dependency_up", { dependency: "limits_store" })).toBe(1);
    expect(await read("tributary_dependency_degraded", { dependency: "graph_db" })).toBe(0);
    expect(await read("tributary_data_folder_free_bytes")).toBeGreaterThan(0);
    expect(await read("tributary_syncs", { status: "queued" })).toBe(0);
    expect(await read("tributary_inbox_waiting_bytes")).toBe(0);
    expect(await read("tributary_store_bytes", { store: "graph" })).toBeGreaterThan(10_000);
    expect(await read("nodejs_eventloop_lag_seconds")).toBeGreaterThanOrEqual(0);
    expect(await read("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
    expect(await read("tributary_info")).toBe(1);
  });

  it("The metrics count lockouts, and refusals by the rate limit", async () => {
    const admitted = await read("tributary_rate_limit_decisions_total", { outcome: "admitted" });
    expect(admitted).toBeGreaterThan(0);
    await setRateLimit(authPartsOf(running.app), await adminOf(running.app), 1);
    await ask("/api/v1/metrics");
    expect((await ask("/api/v1/metrics")).status).toBe(429);
    expect(await read("tributary_rate_limit_decisions_total", { outcome: "refused" })).toBeGreaterThan(0);
    for (let n = 0; n < 20; n++)
      await fetch(`${running.url}/api/v1/metrics`, { headers: { Authorization: "Bearer x" } });
    expect(await read("tributary_lockouts_total", { of: "authentication" })).toBe(1);
  });
});
