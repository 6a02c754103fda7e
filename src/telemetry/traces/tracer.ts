/** Traces: which work belongs to which request, and how long each part of it took. */
import { AsyncLocalStorage } from "node:async_hooks";

import type { Clock, RandomBytes } from "../../clock.ts";
import type { TraceSettings } from "../../settings/settings.ts";
import type { Observe, Observed } from "../../work/observe.ts";
import { createExporter, type Exporter, type ExporterParts } from "./exporter.ts";
import { type Span, toOtlp } from "./otlp.ts";
import { beginTrace, nextSpan, parseTraceparent, type TraceContext } from "./trace-context.ts";

/** A request that comes in. */
interface TracedRequest {
  /** Its method and the pattern of its route. */
  name: string;
  /** The header of this name; empty if there is none. */
  traceparent: string;
  /** Asked for when it is answered. */
  describe: () => { attributes: Span["attributes"]; hasFailed: boolean };
}

export interface Tracer {
  observe: Observe;
  traceRequest<T>(request: TracedRequest, work: () => Promise<T>): Promise<T>;
}

const ATTRIBUTE: Readonly<Record<Observed<unknown>["kind"], string>> = {
  graphql: "graphql.operation.name",
  graph: "db.operation.name",
  crawl: "tributary.work",
};

export interface TracerParts {
  exporter: Pick<Exporter, "add">;
  clock: Clock;
  random: RandomBytes;
  /** The share of new traces that is exported, from 0 to 1. For other traces, the service that began them has decided. */
  ratio: number;
  /** Milliseconds since an arbitrary moment. */
  nowMs?: () => number;
}

interface TraceParts extends Omit<ExporterParts, "toBody"> {
  clock: Clock;
  random: RandomBytes;
  version: string;
}

/** Makes a tracer that exports to the collector of the settings. */
export function openTraces(
  { url, headers, serviceName: name, ratio }: TraceSettings,
  { version, ...parts }: TraceParts,
): Tracer & { close(): Promise<void> } {
  const exporter = createExporter({ url, headers }, { ...parts, toBody: (spans) => toOtlp(spans, { name, version }) });
  return { ...createTracer({ ...parts, exporter, ratio }), close: exporter.close };
}

export function createTracer(parts: TracerParts): Tracer {
  const { exporter, clock, random, ratio, nowMs = () => performance.now() } = parts;
  const current = new AsyncLocalStorage<TraceContext>();

  async function inSpan<T>(
    parent: TraceContext,
    { name, isServer }: Pick<Span, "name" | "isServer">,
    describe: (outcome: { result: T } | { error: unknown }) => Pick<Span, "attributes" | "hasFailed">,
    work: () => Promise<T>,
  ): Promise<T> {
    const context = nextSpan(random, parent);
    if (!context.isSampled) return current.run(context, work);
    const startedAt = BigInt(clock.now().getTime()) * 1_000_000n;
    const began = nowMs();
    const end = (outcome: { result: T } | { error: unknown }): void => {
      const endedAt = startedAt + BigInt(Math.round((nowMs() - began) * 1_000_000));
      const { traceId, spanId } = context;
      const times = { startedAt, endedAt };
      exporter.add({ traceId, spanId, parentSpanId: parent.spanId, name, isServer, ...times, ...describe(outcome) });
    };
    try {
      const result = await current.run(context, work);
      end({ result });
      return result;
    } catch (error) {
      end({ error });
      throw error;
    }
  }

  return {
    observe({ kind, name, outcomeOf }, work) {
      const parent = current.getStore() ?? beginTrace(random, ratio);
      const span = { name: `${kind} ${name}`, isServer: false };
      const attributes = { [ATTRIBUTE[kind]]: name };
      return inSpan(
        parent,
        span,
        (outcome) => {
          if ("error" in outcome) return { attributes, hasFailed: true };
          const ended = outcomeOf?.(outcome.result) ?? "ok";
          return {
            attributes: { ...attributes, "tributary.outcome": ended },
            hasFailed: /^(error|failed)$/.test(ended),
          };
        },
        work,
      );
    },
    traceRequest({ name, traceparent, describe }, work) {
      const parent = parseTraceparent(traceparent) ?? beginTrace(random, ratio);
      return inSpan(parent, { name, isServer: true }, describe, work);
    },
  };
}
