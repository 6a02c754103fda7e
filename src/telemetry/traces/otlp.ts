/** Spans as the OpenTelemetry Protocol writes them in JSON (OTLP 1.7, `ExportTraceServiceRequest`). */

export interface Span {
  traceId: string;
  spanId: string;
  /** Empty: the span has no parent. */
  parentSpanId: string;
  name: string;
  /** Whether it is a request that came in. */
  isServer: boolean;
  /** Nanoseconds since 1970. */
  startedAt: bigint;
  endedAt: bigint;
  attributes: Readonly<Record<string, string | number>>;
  hasFailed: boolean;
}

const KIND = { internal: 1, server: 2 } as const;
const STATUS = { unset: 0, error: 2 } as const;

export function toOtlp(spans: readonly Span[], service: { name: string; version: string }): object {
  const resource = { "service.name": service.name, "service.version": service.version };
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name: "tributary", version: service.version }, spans: spans.map(toSpan) }],
      },
    ],
  };
}

function toSpan({ isServer, startedAt, endedAt, attributes, hasFailed, parentSpanId, ...ids }: Span): object {
  return {
    ...ids,
    ...(parentSpanId !== "" && { parentSpanId }),
    kind: isServer ? KIND.server : KIND.internal,
    startTimeUnixNano: String(startedAt),
    endTimeUnixNano: String(endedAt),
    attributes: toAttributes(attributes),
    status: { code: hasFailed ? STATUS.error : STATUS.unset },
  };
}

function toAttributes(values: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) },
  }));
}
