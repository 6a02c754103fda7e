/** Opens metrics and traces. Neither is loaded unless the settings switch it on. */
import type { Logger } from "pino";

import packageJson from "../../package.json" with { type: "json" };
import type { Clock, Countdown, RandomBytes } from "../clock.ts";
import type { Settings } from "../settings/settings.ts";
import { addGauges, type GaugeParts } from "./gauges.ts";
import { createMetricsServer, type MetricsServer } from "./metrics-server.ts";
import type { Metrics } from "./metrics.ts";
import type { Tracer } from "./traces/tracer.ts";

export interface Telemetry {
  /** Null: nobody reads metrics. */
  metrics: Metrics | null;
  /** Null: nothing is traced. */
  tracer: Tracer | null;
  /** Where metrics will be read. Null: nowhere. */
  serveMetrics(parts: GaugeParts): MetricsServer | null;
  /** Sends the traces that wait. */
  close(): Promise<void>;
}

export async function openTelemetry(
  { metrics: metricsSettings, traces }: Pick<Settings, "metrics" | "traces">,
  parts: { clock: Clock; random: RandomBytes; countdown: Countdown; log: Pick<Logger, "info" | "warn"> },
): Promise<Telemetry> {
  const { version } = packageJson;
  const metrics = metricsSettings && (await import("./metrics.ts")).createMetrics(version);
  const tracer = traces && (await import("./traces/tracer.ts")).openTraces(traces, { ...parts, version });
  return {
    metrics,
    tracer,
    serveMetrics(gaugeParts) {
      if (metrics === null || metricsSettings === null) return null;
      addGauges(metrics, gaugeParts);
      return createMetricsServer(metrics, metricsSettings);
    },
    close: async () => tracer?.close(),
  };
}
