/** The threads on the graph's file: which there are, how many, and who waits for them how long. */
import { availableParallelism } from "node:os";

import { createWorkerPool, type WorkerPool } from "../../work/worker-pool.ts";
import type { Usage } from "../../work/usage.ts";
import type { GraphReads } from "./graph-reads.ts";
import type { GraphWrites } from "./graph-writes.ts";

export interface GraphThreads {
  /** Reads of milliseconds, a search for a common word the longest of them. */
  quick: WorkerPool<GraphReads>;
  /** Walks and impacts, which can take seconds, and which no quick read should wait for. */
  long: WorkerPool<GraphReads>;
  writer: WorkerPool<GraphWrites>;
  /** Breaks off the reads and finishes the writes. */
  close: () => Promise<void>;
}

/** Two of each kind even on one core: one holder's long read then never stops another's. Each thread may keep 64 MiB of pages. */
const READERS = Math.min(4, Math.max(2, availableParallelism()));

/** Where processors are scarce, the event loop and quick reads go first; long reads still get a quarter of a processor. */
const LONG_NICENESS = 5;

/** Reads that one holder may have waiting: more than one request asks for at once. */
const MAX_WAITING = 100;
/** Somebody looks at a search box and types anew: an answer later than this is of no use. */
const QUICK_WAIT_MS = 5_000;
/** While more is searched for than can be found. */
const QUICK_WAIT_IN_OVERLOAD_MS = 1_000;
/** Below the half minute after which common HTTP clients and proxies give up. */
const LONG_WAIT_MS = 20_000;
/** While more is asked for than can be walked. */
const LONG_WAIT_IN_OVERLOAD_MS = 5_000;
/** Writes of one crawl or of people that may wait; their callers write one after the other. */
const MAX_WRITES_WAITING = 1_000;

export function createGraphThreads(path: string, usage: Usage): GraphThreads {
  const shared = { usage, name: "The graph store's work", data: path };
  // One is kept for those who ask for little, whatever the others ask for.
  const reader = { ...shared, script: new URL("./reader-thread.ts", import.meta.url), threads: READERS, kept: 1 };
  const quick = createWorkerPool<GraphReads>({
    ...reader,
    maxWaiting: MAX_WAITING,
    maxWaitMs: QUICK_WAIT_MS,
    maxWaitInOverloadMs: QUICK_WAIT_IN_OVERLOAD_MS,
  });
  const long = createWorkerPool<GraphReads>({
    ...reader,
    niceness: LONG_NICENESS,
    atOnceForOne: READERS >> 1,
    maxWaiting: MAX_WAITING,
    maxWaitMs: LONG_WAIT_MS,
    maxWaitInOverloadMs: LONG_WAIT_IN_OVERLOAD_MS,
  });
  const writer = createWorkerPool<GraphWrites>({
    ...shared,
    script: new URL("./writer-thread.ts", import.meta.url),
    threads: 1,
    maxWaiting: MAX_WRITES_WAITING,
    // Writes are not called off: a crawl waits as long as it takes.
    maxWaitMs: Infinity,
  });
  return {
    quick,
    long,
    writer,
    async close() {
      await Promise.all([quick.close("break off"), long.close("break off"), writer.close("finish")]);
    },
  };
}
