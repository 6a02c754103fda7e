/** Opens metrics and traces. Neither is loaded unless the settings switch it on. */
import packageJson from "../../package.json" with { type: "json" };
import type { Clock, RandomBytes } from "../clock.ts";
import type { Settings } from "../settings/settings.ts";
import { addGauges, type GaugeParts } from "./gauges.ts";
import { createMetricsServer, type MetricsServer } from "./metrics-server.ts";
import type { ExporterParts } from "./traces/exporter.ts";

export async function openTelemetry(
  { metrics: metricsSettings, traces }: Pick<Settings, "metrics" | "traces">,
  parts: Omit<ExporterParts, "toBody"> & { clock: Clock; random: RandomBytes },
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
