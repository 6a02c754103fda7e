/** The threads on the graph's file: their kinds, their number, and how long callers wait for them. */
import { availableParallelism } from "node:os";

import { createWorkerPool, type Rest } from "../../work/worker-pool.ts";
import type { Resume } from "../../work/event-loop-scheduler.ts";
import type { Usage } from "../../work/usage.ts";
import type { GraphReads } from "./graph-reads.ts";
import type { GraphWrites } from "./graph-writes.ts";

export type GraphThreads = ReturnType<typeof createGraphThreads>;

/**
 * Two of each kind even on one core, so that one tenant's long read does not block another's. Each thread may keep 64
 * MiB of pages.
 */
const READERS = Math.min(4, Math.max(2, availableParallelism()));

/**
 * If there are few processors, the event loop and quick reads go first. At 5, two long reads took every second turn of a
 * processor from them, and all requests together got half as many answers.
 */
const LONG_NICENESS = 15;
/** A quick read of somebody who asks for much lets the event loop and the quick reads of others go first. */
const QUICK_NICENESS = { niceness: 5, keptNiceness: 0 };
/** Nobody waits for the lineage in memory. */
const LOADER_NICENESS = 10;
/** Each thread keeps pages, and the heap of its largest task. */
const IDLE_MS = 20_000;
/** One thread stays, so that a quick read never waits for its start. */
const QUICK_REST: Rest = { leastMs: IDLE_MS, mostMs: IDLE_MS, stay: 1 };
const LONG_REST: Rest = { leastMs: IDLE_MS, mostMs: IDLE_MS };
const WRITER_REST: Rest = { leastMs: 2_000, mostMs: IDLE_MS };
/** The loader has little to do. */
const LOADER_REST: Rest = { leastMs: 1_000, mostMs: 1_000 };

/** Reads that one tenant may have waiting: it may run 16 requests at once, each with up to 60 reads. */
const MAX_WAITING = 1_000;
/** How long others may keep a quick read waiting. */
const QUICK_WAIT_MS = 5_000;
/** The same when there are more searches than the threads can do. */
const QUICK_WAIT_IN_OVERLOAD_MS = 1_000;
/** Less than the half minute after which common HTTP clients and proxies give up. */
const LONG_WAIT_MS = 20_000;
/** The same when there are more long reads than the threads can do. */
const LONG_WAIT_IN_OVERLOAD_MS = 5_000;
/** Writes of one crawl, or of people, that may wait. Their callers write one after the other. */
const MAX_WRITES_WAITING = 1_000;

/** @param resume when a reader may go on with an answer; default: at once */
export function createGraphThreads(path: string, usage: Usage, resume?: Resume) {
  const shared = { usage, name: "The graph store's work", data: path };
  // One thread is kept for callers who ask for little, whatever the others ask for.
  const reader = {
    ...shared,
    script: new URL("./reader-thread.ts", import.meta.url),
    threads: READERS,
    kept: 1,
    resume,
  };
  /** Reads of milliseconds. The longest is a search for a common word. */
  const quick = createWorkerPool<GraphReads>({
    ...reader,
    ...QUICK_NICENESS,
    rest: QUICK_REST,
    maxWaiting: MAX_WAITING,
    maxWaitMs: QUICK_WAIT_MS,
    maxWaitInOverloadMs: QUICK_WAIT_IN_OVERLOAD_MS,
  });
  /** Walks and impacts. They can take seconds, and no quick read should wait for them. */
  const long = createWorkerPool<GraphReads>({
    ...reader,
    niceness: LONG_NICENESS,
    rest: LONG_REST,
    atOnceForOne: READERS >> 1,
    maxWaiting: MAX_WAITING,
    maxWaitMs: LONG_WAIT_MS,
    maxWaitInOverloadMs: LONG_WAIT_IN_OVERLOAD_MS,
  });
  /** Loads lineage into memory, so that no long read waits for that. */
  const loader = createWorkerPool<GraphReads>({
    ...shared,
    script: reader.script,
    threads: 1,
    niceness: LOADER_NICENESS,
    rest: LOADER_REST,
    maxWaiting: 1,
    maxWaitMs: Infinity,
  });
  const writer = createWorkerPool<GraphWrites>({
    ...shared,
    script: new URL("./writer-thread.ts", import.meta.url),
    threads: 1,
    rest: WRITER_REST,
    maxWaiting: MAX_WRITES_WAITING,
    // Writes are not cancelled: a crawl waits as long as it takes.
    maxWaitMs: Infinity,
  });
  return {
    quick,
    long,
    loader,
    writer,
    /** Cancels reads and finishes writes. */
    async close(): Promise<void> {
      const reads = [quick, long, loader].map((pool) => pool.close("break off"));
      await Promise.all([...reads, writer.close("finish")]);
    },
  };
}
