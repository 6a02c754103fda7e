/** How the service and what it depends on are doing. */
import type { Logger } from "pino";

import type { Clock } from "../clock.ts";
import { inTime } from "../work/in-time.ts";

type DependencyStatus = "ok" | "degraded" | "down";

export interface HealthReport {
  /** `error` if the graph store or the metadata store is down, `degraded` if there is any other problem. */
  status: "ok" | "degraded" | "error";
  version: string;
  uptimeSeconds: number;
  dependencies: {
    graphDb: DependencyStatus;
    metadataStore: DependencyStatus;
    crawlerQueue: DependencyStatus;
    limitsStore: DependencyStatus;
  };
  /** What is wrong, in words for people. Empty if everything is `ok`. */
  problems: { dependency: keyof HealthReport["dependencies"]; message: string }[];
}

const NAMES = {
  graphDb: "The graph store",
  metadataStore: "The metadata store",
  crawlerQueue: "The queue of syncs",
  limitsStore: "The limits store",
} as const satisfies Record<keyof HealthReport["dependencies"], string>;
const DEPENDENCIES = ["graphDb", "metadataStore", "crawlerQueue", "limitsStore"] as const;

const NOBODY_WORKS =
  "No worker runs, so syncs and received events wait: start tributary worker, or set SERVER_WORKS=on on a server.";

interface Checkable {
  check(): Promise<void>;
}

interface Store extends Checkable {
  checkWrites(): Promise<void>;
}

/** A dependency that has not answered after this time counts as down. */
const CHECK_TIMEOUT_MS = 2_000;
/** A dependency that took longer than this counts as degraded. */
const SLOW_MS = 1_000;
/** After a write succeeded, the store counts as writable for this long. */
const WRITABLE_FOR_MS = 30_000;
/** After a write failed, the next attempt comes after this time. */
const UNWRITABLE_FOR_MS = 5_000;

async function probe(dependency: Checkable): Promise<DependencyStatus> {
  const started = performance.now();
  try {
    await inTime(dependency.check(), CHECK_TIMEOUT_MS);
    return performance.now() - started > SLOW_MS ? "degraded" : "ok";
  } catch {
    return "down";
  }
}

function tell(dependency: keyof typeof NAMES, status: DependencyStatus): string {
  const what = status === "down" ? "does not answer" : "answers slowly, or cannot be written to";
  return `${NAMES[dependency]} ${what}. The log of the server says more.`;
}

/**
 * Checks from time to time whether a store can be written.
 * @returns a function that returns whether the last attempt succeeded. It waits a while for a running attempt, which
 *   may have to wait for a crawl's writes.
 */
function createWriteCheck(
  store: Store,
  { name, clock, log }: { name: string; clock: Clock; log: Pick<Logger, "error" | "info"> },
): () => Promise<boolean> {
  let isWritable = true;
  let nextAt = -Infinity;
  let trying: Promise<void> | undefined;

  async function tryOnce(): Promise<void> {
    const was = isWritable;
    try {
      await store.checkWrites();
      isWritable = true;
      if (!was) log.info(`${name} can be written again`);
    } catch (err) {
      isWritable = false;
      if (was) log.error({ err }, `${name} cannot be written`);
    }
    nextAt = clock.steadyMs() + (isWritable ? WRITABLE_FOR_MS : UNWRITABLE_FOR_MS);
    trying = undefined;
  }

  return async () => {
    if (clock.steadyMs() >= nextAt) trying ??= tryOnce();
    if (trying !== undefined) await Promise.race([trying, passed(SLOW_MS)]);
    return isWritable;
  };
}

const passed = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

/** @returns a function that checks all dependencies at the same time */
export function createHealthCheck(parts: {
  graph: Store;
  metadata: Store;
  queue: Checkable;
  limits: Checkable;
  /** Whether any process crawls. */
  isServed: () => Promise<boolean>;
  clock: Clock;
  log: Pick<Logger, "error" | "info">;
  version: string;
}): () => Promise<HealthReport> {
  const startedAt = parts.clock.steadyMs();
  const canWriteGraph = createWriteCheck(parts.graph, { name: "the graph store", ...parts });
  const canWriteMetadata = createWriteCheck(parts.metadata, { name: "the metadata store", ...parts });

  async function probeStore(store: Store, canWrite: () => Promise<boolean>): Promise<DependencyStatus> {
    const [status, isWritable] = await Promise.all([probe(store), canWrite()]);
    return status === "ok" && !isWritable ? "degraded" : status;
  }

  /** A queue that nobody serves answers, and nothing happens. */
  async function probeQueue(): Promise<{ crawlerQueue: DependencyStatus; isServed: boolean }> {
    const served = parts.isServed().catch(() => true);
    const crawlerQueue = await probe(parts.queue);
    const isServed = crawlerQueue === "down" || (await Promise.race([served, passed(SLOW_MS).then(() => true)]));
    return { crawlerQueue: crawlerQueue === "ok" && !isServed ? "degraded" : crawlerQueue, isServed };
  }

  return async () => {
    const [graphDb, metadataStore, { crawlerQueue, isServed }, limitsStore] = await Promise.all([
      probeStore(parts.graph, canWriteGraph),
      probeStore(parts.metadata, canWriteMetadata),
      probeQueue(),
      probe(parts.limits),
    ]);
    const essential = graphDb === "down" || metadataStore === "down";
    const dependencies = { graphDb, metadataStore, crawlerQueue, limitsStore };
    const problems = DEPENDENCIES.flatMap((dependency) => {
      const status = dependencies[dependency];
      const isUnserved = dependency === "crawlerQueue" && !isServed;
      return status === "ok" ? [] : [{ dependency, message: isUnserved ? NOBODY_WORKS : tell(dependency, status) }];
    });
    return {
      status: essential ? "error" : problems.length === 0 ? "ok" : "degraded",
      version: parts.version,
      uptimeSeconds: Math.floor((parts.clock.steadyMs() - startedAt) / 1000),
      dependencies,
      problems,
    };
  };
}
