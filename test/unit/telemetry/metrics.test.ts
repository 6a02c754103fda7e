import { expect, it } from "vitest";

import { addGauges } from "../../../src/telemetry/gauges.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";

async function readLines(metrics: ReturnType<typeof createMetrics>): Promise<string[]> {
  return (await metrics.read()).text.split("\n").filter((line) => line.startsWith("tributary_"));
}

it("The metrics say which dependency answers and which is degraded, such as a store on a full disk", async () => {
  const metrics = createMetrics("0.0.0");
  const dependencies = { graphDb: "degraded", metadataStore: "ok", crawlerQueue: "ok", limitsStore: "down" } as const;
  addGauges(metrics, {
    health: async () => ({ status: "degraded", version: "0.0.0", uptimeSeconds: 0, dependencies, problems: [] }),
    metadata: {
      syncs: { countUnfinished: async () => ({ queued: 0, running: 0 }) },
      inbox: { measureWaiting: async () => new Map() },
      workers: { countAlive: async () => 1 },
    },
    folder: { path: import.meta.dirname, graph: import.meta.filename, metadata: import.meta.filename },
  });
  const lines = await readLines(metrics);
  expect(lines).toEqual(
    expect.arrayContaining([
      'tributary_dependency_up{dependency="graph_db"} 1',
      'tributary_dependency_degraded{dependency="graph_db"} 1',
      'tributary_dependency_degraded{dependency="metadata_store"} 0',
      'tributary_dependency_up{dependency="limits_store"} 0',
      'tributary_dependency_degraded{dependency="limits_store"} 0',
    ]),
  );
});

it("Counters that alerts compare start at zero, because rate() misses the first event of a counter that starts at one", async () => {
  const lines = await readLines(createMetrics("0.0.0"));
  expect(lines).toEqual(
    expect.arrayContaining([
      'tributary_crawl_duration_seconds_count{outcome="failed"} 0',
      'tributary_crawl_duration_seconds_count{outcome="completed"} 0',
      'tributary_lockouts_total{of="authentication"} 0',
      'tributary_rate_limit_decisions_total{outcome="refused"} 0',
    ]),
  );
});

it("A gauge that is not read in time is left out, so that Prometheus gets the others", async () => {
  const metrics = createMetrics("0.0.0", { patienceMs: 1 });
  metrics.addGauge({ name: "tributary_silent", help: "Never told.", read: () => new Promise(() => {}) });
  metrics.addGauge({ name: "tributary_told", help: "Told.", read: async () => ({ "": 7 }) });
  const lines = await readLines(metrics);
  expect(lines.filter((line) => /^tributary_(silent|told)/.test(line))).toEqual(["tributary_told 7"]);
});
