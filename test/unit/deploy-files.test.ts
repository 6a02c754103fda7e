/** The dashboard and the alerting rules must name metrics and labels that exist. */
import { readFileSync } from "node:fs";

import { expect, it } from "vitest";
import { parse } from "yaml";

import { addGauges } from "../../src/telemetry/gauges.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";

const read = (name: string): string => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), "utf8");

/** Every sample's name, with the labels of its metric. */
async function listSamples(): Promise<Map<string, string[]>> {
  const metrics = createMetrics("0.0.0");
  addGauges(metrics, {
    health: async () => ({
      status: "ok",
      version: "0.0.0",
      uptimeSeconds: 0,
      dependencies: { graphDb: "ok", metadataStore: "ok", crawlerQueue: "ok", limitsStore: "ok" },
      problems: [],
    }),
    metadata: {
      syncs: { countUnfinished: async () => ({ queued: 0, running: 0 }) },
      inbox: { measureWaiting: async () => new Map() },
      workers: { countAlive: async () => 1 },
    },
    folder: { path: import.meta.dirname, graph: import.meta.filename, metadata: import.meta.filename },
  });
  for (const kind of ["graphql", "graph", "crawl"] as const) await metrics.observe({ kind, name: "x" }, async () => {});
  metrics.noteRequest({ method: "GET", route: "/", status: 200, seconds: 0.1 });
  metrics.noteAdmission(true);
  metrics.noteLockout("authentication");
  const { text } = await metrics.read();
  const samples = new Map<string, string[]>();
  for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    samples.set(
      name,
      [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label),
    );
  }
  return samples;
}

/** The labels that Prometheus itself adds to each sample. */
const OF_PROMETHEUS = ["instance", "job"];

const MADE_BY_PROMETHEUS = /\bup\{/;

/** The names of metrics and labels in an expression that `samples` does not have. */
function unknownIn(expression: string, samples: ReadonlyMap<string, string[]>): string[] {
  const names = [...expression.matchAll(/\b(?:tributary|nodejs|process)_\w+/g)].map(([name]) => name);
  const known = new Set([...OF_PROMETHEUS, ...names.flatMap((name) => samples.get(name) ?? [])]);
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
  const matched = [...expression.matchAll(/[{,]\s*(\w+)=~?"/g)].map(([, label = ""]) => label);
  return [
    ...(names.length === 0 && !MADE_BY_PROMETHEUS.test(expression)
      ? ["no metric"]
      : names.filter((name) => !samples.has(name))),
    ...[...grouped, ...matched].filter((label) => !known.has(label)),
  ];
}

it("The dashboard shows metrics that exist, and each panel has its own id, title and position", async () => {
  const samples = await listSamples();
  const { panels } = JSON.parse(read("grafana-dashboard.json"));
  const expressions: string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  );
  expect(expressions.length).toBeGreaterThan(15);
  expect(expressions.flatMap((expression) => unknownIn(expression, samples))).toEqual([]);
  for (const key of ["id", "title", "gridPos"]) {
    expect(new Set(panels.map((panel: Record<string, unknown>) => JSON.stringify(panel[key]))).size).toBe(
      panels.length,
    );
  }
});

it("The alerting rules use metrics that exist, and say what to do", async () => {
  const samples = await listSamples();
  const { groups } = parse(read("prometheus-alerts.yaml"));
  const rules: { alert: string; expr: string; labels: object; annotations: object }[] = groups[0].rules;
  expect(rules.length).toBeGreaterThan(5);
  for (const { alert, expr, labels, annotations } of rules) {
    expect([alert, unknownIn(expr, samples)]).toEqual([alert, []]);
    expect(labels).toHaveProperty("severity");
    expect(Object.keys(annotations)).toEqual(["summary", "description"]);
  }
});

it("An alert that compares two outcomes fires even if one of them never occurred", () => {
  const { groups } = parse(read("prometheus-alerts.yaml"));
  const rules: { expr: string }[] = groups[0].rules;
  const compared = rules.filter(({ expr }) => (expr.match(/outcome=/g) ?? []).length > 1);
  expect(compared.length).toBeGreaterThan(0);
  for (const { expr } of compared) expect(expr).toContain("or vector(0)");
});

it("Alerts fire if a store cannot be written, before the disk is full, and if the service does not answer", () => {
  const { groups } = parse(read("prometheus-alerts.yaml"));
  const expressions = groups[0].rules.map(({ expr }: { expr: string }) => expr).join("\n");
  expect(expressions).toContain("tributary_dependency_degraded");
  expect(expressions).toContain("tributary_data_folder_free_bytes");
  expect(expressions).toMatch(/\bup\{job=~"tributary/);
});

it("unknownIn finds names and labels that do not exist", async () => {
  const samples = await listSamples();
  expect(unknownIn('sum by (route, tenant) (rate(tributary_requests_total{outcome="x"}[5m]))', samples)).toEqual([
    "tributary_requests_total",
    "route",
    "tenant",
    "outcome",
  ]);
});
