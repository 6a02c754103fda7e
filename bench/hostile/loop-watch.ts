/** Watches the event loop and the memory of its own process. */
import { createHistogram, performance, PerformanceObserver } from "node:perf_hooks";

const TICK_MS = 5;
const TICKS_PER_MEMORY_SAMPLE = 20;
const MAX_STALLS = 1_000;

/** A slice in which the main thread took much processor time. */
export interface Stall {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** Processor time of the main thread: other processes and the wait for a disk do not count. */
  processorMs: number;
  /** How long garbage was collected in it. */
  gcMs: number;
}

export interface LoopReport {
  longestMs: number;
  p99Ms: number;
  /** The most processor time that the main thread took between two ticks, which is one slice or a little more. */
  longestProcessorMs: number;
  /** The share of time in which the loop was busy. */
  utilization: number;
  peakRssMiB: number;
  peakHeapMiB: number;
  /** The slices over the goal, the longest first. */
  stalls: Stall[];
}

interface LoopWatch {
  /** Returns the measurements since the last call. */
  take(): LoopReport;
}

/** @param goalMs a slice that takes more processor time is recorded with its time */
export function watchLoop(goalMs: number): LoopWatch {
  const delays = createHistogram();
  let last = performance.now();
  let lastProcessor = process.threadCpuUsage();
  let busy = performance.eventLoopUtilization();
  let ticks = 0;
  // Collections of garbage are told later than they happen.
  let collections: { at: number; ms: number }[] = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration: ms } of list.getEntries())
      if (ms > 1) collections.push({ at: performance.timeOrigin + startTime, ms });
  }).observe({ entryTypes: ["gc"] });
  let seen = fresh();

  setInterval(() => {
    const now = performance.now();
    const { user, system } = process.threadCpuUsage(lastProcessor);
    const [delayMs, processorMs] = [Math.max(0, now - last - TICK_MS), (user + system) / 1_000];
    delays.record(Math.max(1, Math.round(delayMs * 1_000)));
    seen.longestMs = Math.max(seen.longestMs, delayMs);
    seen.longestProcessorMs = Math.max(seen.longestProcessorMs, processorMs);
    if (processorMs > goalMs && seen.stalls.length < MAX_STALLS) {
      const to = performance.timeOrigin + now;
      seen.stalls.push({ from: to - delayMs, to, processorMs, gcMs: 0 });
    }
    if (ticks++ % TICKS_PER_MEMORY_SAMPLE === 0 || processorMs > goalMs) sampleMemory();
    last = performance.now();
    lastProcessor = process.threadCpuUsage();
  }, TICK_MS);

  function sampleMemory(): void {
    const { rss, heapUsed } = process.memoryUsage();
    seen.peakRssMiB = Math.max(seen.peakRssMiB, rss / 2 ** 20);
    seen.peakHeapMiB = Math.max(seen.peakHeapMiB, heapUsed / 2 ** 20);
  }

  return {
    take() {
      sampleMemory();
      const { utilization } = performance.eventLoopUtilization(busy);
      const within = ({ from, to }: Stall) =>
        collections.reduce((sum, { at, ms }) => (at >= from - TICK_MS && at <= to ? sum + ms : sum), 0);
      const stalls = seen.stalls
        .map((stall) => ({ ...stall, gcMs: within(stall) }))
        .toSorted((a, b) => b.processorMs - a.processorMs);
      const report = { ...seen, stalls, utilization, p99Ms: delays.percentile(99) / 1_000 };
      delays.reset();
      busy = performance.eventLoopUtilization();
      seen = fresh();
      collections = [];
      return report;
    },
  };
}

function fresh(): Omit<LoopReport, "p99Ms" | "utilization"> {
  return { longestMs: 0, longestProcessorMs: 0, peakRssMiB: 0, peakHeapMiB: 0, stalls: [] };
}
