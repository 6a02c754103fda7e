/** Opens the traces. Nothing here is loaded unless a collector is set. */
import type { Logger } from "pino";

import type { Clock, Countdown, RandomBytes } from "../../clock.ts";
import type { TraceSettings } from "../../settings/settings.ts";
import { createExporter } from "./exporter.ts";
import { toOtlp } from "./otlp.ts";
import { createTracer, type Tracer } from "./tracer.ts";

export interface TraceParts {
  clock: Clock;
  random: RandomBytes;
  countdown: Countdown;
  log: Pick<Logger, "info" | "warn">;
  version: string;
}

export function openTraces(
  { url, headers, serviceName: name, ratio }: TraceSettings,
  { version, ...parts }: TraceParts,
): Tracer & { close(): Promise<void> } {
  const exporter = createExporter({ url, headers }, { ...parts, toBody: (spans) => toOtlp(spans, { name, version }) });
  return { ...createTracer({ ...parts, exporter, ratio }), close: exporter.close };
}
