/** How the service and what it depends on are doing. */
import type { Clock } from "./clock.ts";

type DependencyStatus = "ok" | "degraded" | "down";

export interface HealthReport {
  /** `error` when the graph store or the metadata store is down, `degraded` when anything else is amiss. */
  status: "ok" | "degraded" | "error";
  version: string;
  uptimeSeconds: number;
  dependencies: { graphDb: DependencyStatus; metadataStore: DependencyStatus; crawlerQueue: DependencyStatus };
}

interface Checkable {
  check(): Promise<void>;
}

/** A dependency that has not answered by then counts as down. */
const CHECK_TIMEOUT_MS = 2_000;
/** A dependency that took longer than this counts as degraded. */
const SLOW_MS = 1_000;

async function probe(dependency: Checkable): Promise<DependencyStatus> {
  const started = performance.now();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("no answer in time")), CHECK_TIMEOUT_MS);
  try {
    await Promise.race([dependency.check(), late.promise]);
    return performance.now() - started > SLOW_MS ? "degraded" : "ok";
  } catch {
    return "down";
  } finally {
    clearTimeout(timer);
  }
}

/** @returns a function that asks all dependencies at once */
export function createHealthCheck(parts: {
  graph: Checkable;
  metadata: Checkable;
  queue: Checkable;
  clock: Clock;
  version: string;
}): () => Promise<HealthReport> {
  const startedAt = parts.clock.now().getTime();
  return async () => {
    const [graphDb, metadataStore, crawlerQueue] = await Promise.all([
      probe(parts.graph),
      probe(parts.metadata),
      probe(parts.queue),
    ]);
    const essential = graphDb === "down" || metadataStore === "down";
    const allOk = [graphDb, metadataStore, crawlerQueue].every((status) => status === "ok");
    return {
      status: essential ? "error" : allOk ? "ok" : "degraded",
      version: parts.version,
      uptimeSeconds: Math.floor((parts.clock.now().getTime() - startedAt) / 1000),
      dependencies: { graphDb, metadataStore, crawlerQueue },
    };
  };
}
