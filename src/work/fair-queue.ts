/**
 * Shares a scarce thing, such as threads, among callers: whoever was served least of late comes next. So a holder who asks
 * seldom waits only for what is under way, however much others have waiting.
 */
import type { Caller } from "./caller.ts";
import { tooMuchWaiting, waitedTooLong } from "./refusals.ts";
import { createOverloadWatch } from "./overload.ts";
import { createUsage, LITTLE_MS, type Usage } from "./usage.ts";

export interface FairQueueOptions {
  /** Jobs that are done at once. */
  atOnce: number;
  /** Jobs of one holder that are done at once; the default is `atOnce`. */
  atOnceForOne?: number;
  /** Of these places, how many are kept for holders who ask for little; none unless told. */
  kept?: number;
  /** Jobs that one holder may have waiting; one more is refused. */
  maxWaiting: number;
  /** A job that has waited longer than this is refused when its turn comes. */
  maxWaitMs: number;
  /** The same while more comes in than can be done; `maxWaitMs` unless told. */
  maxWaitInOverloadMs?: number;
  /** What holders were served; an account of its own unless told. */
  usage?: Usage;
  /** Milliseconds since no particular moment. */
  nowMs?: () => number;
}

export interface FairQueue {
  /**
   * Does the work when it is the caller's turn.
   * @param work may tell how much processor time it took, in milliseconds; else the time that it takes is charged
   * @param mayWaitMs how long this job may wait, where that is not what all may
   * @throws AppError `rate_limited` when the holder has too much waiting, `unavailable` when it has waited too long,
   *   the signal's reason when the caller is gone before the work began, and whatever the work throws
   */
  run<T>(caller: Caller, work: Work<T>, mayWaitMs?: number): Promise<T>;
}

type Work<T> = (tellProcessorMs: (ms: number) => void) => Promise<T>;

interface Job {
  start: () => void;
  refuse: (reason: unknown) => void;
  since: number;
  mayWaitMs: number;
}

/** A holder with jobs that wait or are under way. */
interface Line {
  holder: string;
  waiting: Set<Job>;
  running: number;
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { atOnce, atOnceForOne = atOnce, kept = 0, maxWaiting, nowMs = () => performance.now() } = options;
  const { maxWaitMs, maxWaitInOverloadMs = Infinity } = options;
  const lines = new Map<string, Line>();
  const { usage = createUsage(nowMs) } = options;
  let running = 0;
  let allWaiting = 0;
  const overload = createOverloadWatch(nowMs);

  /** Notes that so many more wait. */
  function wait(more: number): void {
    allWaiting += more;
    overload.update(allWaiting);
  }

  function lineOf(holder: string): Line {
    let line = lines.get(holder);
    if (line === undefined) {
      line = { holder, waiting: new Set(), running: 0 };
      lines.set(holder, line);
    }
    return line;
  }

  /** Whether there is a place for a holder who was served so long of late. */
  function hasPlace(servedMs: number): boolean {
    return running < (servedMs < LITTLE_MS ? atOnce : atOnce - kept);
  }

  /** The line that was served least of late, among those whose turn it may be; of equals, the one with less under way. */
  function nextLine(): Line | undefined {
    let next: { line: Line; served: number } | undefined;
    for (const line of lines.values()) {
      if (line.waiting.size === 0 || line.running >= atOnceForOne) continue;
      const served = usage.of(line.holder);
      const isLess = next === undefined || served < next.served;
      if (isLess || (served === next?.served && line.running < next.line.running)) next = { line, served };
    }
    return next !== undefined && hasPlace(next.served) ? next.line : undefined;
  }

  /** The next job that there is a place for, no longer waiting. */
  function takeNext(): Job | undefined {
    const line = nextLine();
    const [job] = line?.waiting ?? [];
    if (job !== undefined && line?.waiting.delete(job) === true) wait(-1);
    return job;
  }

  function isInTime({ since, mayWaitMs }: Job): boolean {
    return nowMs() - since <= Math.min(mayWaitMs, overload.isOverloaded() ? maxWaitInOverloadMs : Infinity);
  }

  function startWaiting(): void {
    for (let job = takeNext(); job !== undefined; job = takeNext()) {
      if (isInTime(job)) job.start();
      else job.refuse(waitedTooLong());
    }
  }

  async function runNow<T>(line: Line, work: Work<T>): Promise<T> {
    running++;
    line.running++;
    const stopMeasuring = usage.begin(line.holder);
    let processorMs: number | undefined;
    try {
      return await work((ms) => {
        processorMs = ms;
      });
    } finally {
      stopMeasuring(processorMs);
      running--;
      line.running--;
      startWaiting();
      forgetIdle(line);
    }
  }

  function forgetIdle({ holder, waiting, running: underWay }: Line): void {
    if (waiting.size === 0 && underWay === 0) lines.delete(holder);
  }

  async function run<T>({ holder, signal }: Caller, work: Work<T>, mayWaitMs = maxWaitMs): Promise<T> {
    signal.throwIfAborted();
    const line = lineOf(holder);
    const mayBegin = line.running < atOnceForOne && line.waiting.size === 0;
    if (mayBegin && hasPlace(usage.of(holder))) return runNow(line, work);
    if (line.waiting.size >= maxWaiting) throw tooMuchWaiting();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job: Job = {
      since: nowMs(),
      mayWaitMs,
      refuse: reject,
      // The promise that is resolved with is awaited; the place is taken at once, before the next one is given away.
      start: () => resolve(runNow(line, work)),
    };
    const leave = (): void => {
      if (!line.waiting.delete(job)) return;
      wait(-1);
      reject(signal.reason);
      forgetIdle(line);
    };
    line.waiting.add(job);
    wait(1);
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  return { run };
}
