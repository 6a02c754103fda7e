/** Opens metrics and traces. Neither is loaded unless the settings switch it on. */
import type { Logger } from "pino";

import packageJson from "../../package.json" with { type: "json" };
import type { Clock, Countdown, RandomBytes } from "../clock.ts";
import type { Settings } from "../settings/settings.ts";
import { addGauges, type GaugeParts } from "./gauges.ts";
import { createMetricsServer, type MetricsServer } from "./metrics-server.ts";

export async function openTelemetry(
  { metrics: metricsSettings, traces }: Pick<Settings, "metrics" | "traces">,
  parts: { clock: Clock; random: RandomBytes; countdown: Countdown; log: Pick<Logger, "info" | "warn"> },
) {
  const { version } = packageJson;
  /** Null: nobody reads metrics. */
  const metrics = metricsSettings && (await import("./metrics.ts")).createMetrics(version);
  /** Null: nothing is traced. */
  const tracer = traces && (await import("./traces/tracer.ts")).openTraces(traces, { ...parts, version });
  return {
    metrics,
    tracer,
    /** Where metrics will be read. Null: nowhere. */
    serveMetrics(gaugeParts: GaugeParts): MetricsServer | null {
      if (metrics === null || metricsSettings === null) return null;
      addGauges(metrics, gaugeParts);
      return createMetricsServer(metrics, metricsSettings);
    },
    /** Sends the traces that wait. */
    close: async () => tracer?.close(),
  };
}
