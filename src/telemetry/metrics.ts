/** All metrics of the service. Their labels have few values, and none of them names a workspace, a person or an asset. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

import { LOCKOUT_NAMES, type LockoutName } from "../limits/limits.ts";
import { inTime } from "../work/in-time.ts";
import type { Observed } from "../work/observe.ts";

/** Seconds. A request may take a minute, and a crawl an hour. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** How a crawl ends: as its sync does, or with an error that stopped it. */
const CRAWL_OUTCOMES = ["completed", "failed", "cancelled", "error"];
const CRAWL_BUCKETS = [1, 5, 15, 60, 300, 900, 3_600];

/** A finished request. */
interface AnsweredRequest {
  method: string;
  /** The pattern of its path. */
  route: string;
  status: number;
  seconds: number;
}

export type Metrics = ReturnType<typeof createMetrics>;

const HISTOGRAMS: Readonly<Record<Observed<unknown>["kind"], { name: string; help: string; label: string | null }>> = {
  graphql: {
    name: "tributary_graphql_operation_duration_seconds",
    help: "How long GraphQL operations took, those of REST routes and tools included.",
    label: "operation",
  },
  graph: {
    name: "tributary_graph_call_duration_seconds",
    help: "How long calls of the graph store took.",
    label: "call",
  },
  crawl: { name: "tributary_crawl_duration_seconds", help: "How long syncs of this process took.", label: null },
};

/** Prometheus waits ten seconds by default, and drops everything that comes later. */
const PATIENCE_MS = 4_000;

/** @param patienceMs a gauge that is not read after this time has no value */
export function createMetrics(version: string, { patienceMs = PATIENCE_MS } = {}) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "tributary_info",
    help: "The version, as a label; the value is 1.",
    labelNames: ["version"],
    registers,
  })
    .labels(version)
    .set(1);

  const requests = new Histogram({
    name: "tributary_http_request_duration_seconds",
    help: "How long requests took, until their answers were ready.",
    labelNames: ["method", "route", "status"],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const shed = new Counter({
    name: "tributary_http_requests_shed_total",
    help: "Requests that were refused unread, because of an overload.",
    registers,
  });
  const admissions = new Counter({
    name: "tributary_rate_limit_decisions_total",
    help: "Requests that the rate limit admitted or refused.",
    labelNames: ["outcome"],
    registers,
  });
  const lockouts = new Counter({
    name: "tributary_lockouts_total",
    help: "Sources and e-mail addresses that were locked out.",
    labelNames: ["of"],
    registers,
  });
  const running = new Gauge({ name: "tributary_crawls_running", help: "Syncs that this process runs.", registers });
  const histograms = Object.fromEntries(
    Object.entries(HISTOGRAMS).map(([kind, { name, help, label }]) => {
      const labelNames = label === null ? ["outcome"] : [label, "outcome"];
      const buckets = kind === "crawl" ? CRAWL_BUCKETS : REQUEST_BUCKETS;
      return [kind, new Histogram({ name, help, labelNames, buckets, registers })];
    }),
  );

  // Initialise counters at 0, or rate() misses the first event.
  for (const outcome of CRAWL_OUTCOMES) histograms["crawl"]?.zero({ outcome });
  for (const outcome of ["admitted", "refused"]) admissions.inc({ outcome }, 0);
  for (const of of LOCKOUT_NAMES) lockouts.inc({ of }, 0);

  return {
    async observe<T>({ kind, name, outcomeOf }: Observed<T>, work: () => Promise<T>): Promise<T> {
      const began = performance.now();
      const note = (outcome: string): void => {
        const labels = HISTOGRAMS[kind].label === null ? [outcome] : [name, outcome];
        histograms[kind]?.labels(...labels).observe((performance.now() - began) / 1_000);
      };
      if (kind === "crawl") running.inc();
      try {
        const result = await work();
        note(outcomeOf?.(result) ?? "ok");
        return result;
      } catch (error) {
        note("error");
        throw error;
      } finally {
        if (kind === "crawl") running.dec();
      }
    },
    noteRequest({ method, route, status, seconds }: AnsweredRequest): void {
      requests.labels(method, route, `${Math.floor(status / 100)}xx`).observe(seconds);
    },
    /** A request that was refused unread, because of an overload. */
    noteShed: () => shed.inc(),
    noteAdmission: (admitted: boolean) => admissions.labels(admitted ? "admitted" : "refused").inc(),
    noteLockout: (of: LockoutName) => lockouts.labels(of).inc(),
    /**
     * Read when metrics are read. If it rejects, its metric has no value then.
     * @param read returns the values by the label; without a label, the only key is ""
     */
    addGauge({
      name,
      help,
      label,
      read,
    }: {
      name: string;
      help: string;
      label?: string;
      read: () => Promise<Record<string, number>>;
    }): void {
      const labelNames = label === undefined ? [] : [label];
      const collect = async (): Promise<void> => {
        gauge.reset();
        // Without labels, `reset` leaves a zero, which would be a value.
        if (label === undefined) gauge.remove();
        // Others must not wait for one that is not known.
        const amounts = await inTime(read(), patienceMs).catch((): Record<string, number> => ({}));
        for (const [value, amount] of Object.entries(amounts)) {
          gauge.set(label === undefined ? {} : { [label]: value }, amount);
        }
      };
      const gauge = new Gauge({ name, help, labelNames, collect, registers });
    },
    /** Everything, as Prometheus reads it. */
    async read(): Promise<{ contentType: string; text: string }> {
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
