/**
 * Shares a limited resource, such as threads, among callers. A tenant with few requests waits only for jobs that are
 * already running, not for the waiting jobs of others.
 */
import { type Countdown, systemCountdown } from "../clock.ts";
import type { AppError } from "../errors.ts";
import type { Caller } from "./caller.ts";
import { tooMuchWaiting, waitedTooLong } from "./refusals.ts";
import { createFairOrder } from "./fair-order.ts";
import { createOverloadWatch } from "./overload.ts";
import { createUsage, type Usage } from "./usage.ts";

export interface FairQueueOptions {
  /** The number of jobs that run at the same time. */
  atOnce: number;
  /** The same for the jobs of one tenant. Default: `atOnce`. */
  atOnceForOne?: number;
  /**
   * All keys of an account are one tenant, and a workspace with fewer running jobs comes first. Default: each key is a
   * tenant by itself.
   */
  byAccount?: boolean;
  /** How many of these slots are reserved for tenants that recently used little. Default: 0. */
  kept?: number;
  /** The number of jobs that one tenant may have waiting. Further ones are refused. */
  maxWaiting: number;
  /** A job is refused if others kept it waiting longer than this: its tenant had no job running in that time. */
  maxWaitMs: number;
  /** The limit for the whole wait of a job during an overload, also behind jobs of its own tenant. Default: none. */
  maxWaitInOverloadMs?: number;
  /** The account of what tenants used. Default: a new one. */
  usage?: Usage;
  /** Milliseconds since an arbitrary moment. */
  nowMs?: () => number;
  countdown?: Countdown;
}

export interface FairQueue {
  /**
   * Runs the work when it is the caller's turn.
   * @param work may report the processor time that it took, in milliseconds. Otherwise its duration is charged.
   * @param mayWaitMs how long this job may wait. Default: `maxWaitMs`.
   * @throws AppError `rate_limited` if the tenant has too many jobs waiting, or its own jobs held this one up for too
   *   long; `unavailable` if others did; the signal's reason if it aborts before the work begins; and any error of the
   *   work
   */
  run<T>(caller: Caller, work: Work<T>, mayWaitMs?: number): Promise<T>;
}

type Work<T> = (reportProcessorMs: (ms: number) => void) => Promise<T>;

/** A job may wait at least this long for those of its own tenant: as long as common HTTP clients and proxies wait. */
const OWN_WAIT_MS = 30_000;

interface Job {
  caller: Caller;
  start: () => void;
  refuse: (reason: unknown) => void;
  since: number;
  mayWaitMs: number;
}

/** A tenant with jobs that are waiting or running. */
interface Line {
  tenant: string;
  /** Shares the slots equally with other workspaces. Undefined: it does not. */
  workspace: string | undefined;
  waiting: Set<Job>;
  running: number;
  /** When its last job ended. */
  servedAt: number;
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { atOnce, atOnceForOne = atOnce, kept = 0, maxWaiting, nowMs = () => performance.now() } = options;
  const { maxWaitMs, maxWaitInOverloadMs = Infinity, byAccount = false, countdown = systemCountdown } = options;
  const lines = new Map<string, Line>();
  const { usage = createUsage(nowMs) } = options;
  const order = createFairOrder(usage);
  let running = 0;
  const overload = createOverloadWatch(nowMs);

  /** There is a crowd if as many tenants as there are slots wait without having one. */
  function noteCrowd(): void {
    let without = 0;
    for (const line of lines.values()) if (line.waiting.size > 0 && line.running === 0) without++;
    overload.update(without >= atOnce);
  }

  function lineOf(caller: Caller): Line {
    const tenant = byAccount ? (caller.account ?? caller.tenant) : caller.tenant;
    let line = lines.get(tenant);
    if (line === undefined) {
      const workspace = byAccount ? caller.workspace : undefined;
      line = { tenant, workspace, waiting: new Set(), running: 0, servedAt: -Infinity };
      lines.set(tenant, line);
    }
    return line;
  }

  /** Whether a slot is free for the tenant. */
  function hasSlot({ tenant }: Line): boolean {
    return running < atOnce - kept || (running < atOnce && usage.isLittle(tenant));
  }

  /** The running jobs of the line's workspace. */
  function runningBeside({ workspace }: Line): number {
    if (workspace === undefined) return 0;
    return lines.values().reduce((sum, line) => sum + (line.workspace === workspace ? line.running : 0), 0);
  }

  /** The first tenant among those with waiting jobs that may begin. If equal, the one with fewer running jobs. */
  function nextLine(): Line | undefined {
    let next: Line | undefined;
    for (const line of lines.values()) {
      if (line.waiting.size === 0 || line.running >= atOnceForOne || !hasSlot(line)) continue;
      if (next === undefined || compare(line, next) < 0) next = line;
    }
    return next;
  }

  function compare(one: Line, other: Line): number {
    const beside = runningBeside(one) - runningBeside(other);
    return beside || order.compare(one.tenant, other.tenant) || one.running - other.running;
  }

  /** Why a waiting job must be refused now; undefined if it may go on waiting. */
  function refusalOf({ running: own, servedAt }: Line, { caller, since, mayWaitMs }: Job): AppError | undefined {
    const waitedMs = nowMs() - since;
    const othersMs = own > 0 ? 0 : Math.min(waitedMs, nowMs() - servedAt);
    const isShed = waitedMs > maxWaitInOverloadMs && overload.isOverloaded();
    if (isShed || othersMs >= mayWaitMs) return waitedTooLong(caller);
    return waitedMs >= Math.max(mayWaitMs, OWN_WAIT_MS) ? tooMuchWaiting(caller) : undefined;
  }

  /** How long a job may still wait, if nothing of its tenant begins or ends in the meantime. */
  function waitLeftMs({ running: own, servedAt }: Line, { since, mayWaitMs }: Job): number {
    const waitedMs = nowMs() - since;
    const ofOthersMs = own > 0 ? mayWaitMs : mayWaitMs - Math.min(waitedMs, nowMs() - servedAt);
    return Math.max(1, Math.min(ofOthersMs, Math.max(mayWaitMs, OWN_WAIT_MS) - waitedMs));
  }

  /** Begins or refuses waiting jobs, as long as slots are free for them. */
  function startWaiting(): void {
    for (let line = nextLine(); line !== undefined; line = nextLine()) {
      const [job] = line.waiting;
      if (job === undefined) break;
      line.waiting.delete(job);
      const refusal = refusalOf(line, job);
      if (refusal === undefined) job.start();
      else job.refuse(refusal);
      forgetIdle(line);
    }
    noteCrowd();
  }

  async function runNow<T>(line: Line, work: Work<T>): Promise<T> {
    running++;
    line.running++;
    order.serve(line.tenant);
    const stopMeasuring = usage.begin(line.tenant);
    const began = nowMs();
    let processorMs: number | undefined;
    try {
      return await work((ms) => {
        processorMs = ms;
      });
    } finally {
      stopMeasuring(processorMs);
      order.charge(line.tenant, processorMs ?? nowMs() - began);
      running--;
      line.running--;
      line.servedAt = nowMs();
      startWaiting();
      forgetIdle(line);
    }
  }

  function forgetIdle({ tenant, waiting, running: ownRunning }: Line): void {
    if (waiting.size === 0 && ownRunning === 0) lines.delete(tenant);
  }

  async function run<T>(caller: Caller, work: Work<T>, mayWaitMs = maxWaitMs): Promise<T> {
    const { signal } = caller;
    signal.throwIfAborted();
    const line = lineOf(caller);
    const mayBegin = line.running < atOnceForOne && line.waiting.size === 0;
    if (mayBegin && hasSlot(line)) return runNow(line, work);
    if (line.waiting.size >= maxWaiting) throw tooMuchWaiting(caller);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job: Job = {
      caller,
      since: nowMs(),
      mayWaitMs,
      refuse: reject,
      // `runNow` takes the slot immediately, before the next job is chosen. Its promise settles the job's promise.
      start: () => resolve(runNow(line, work)),
    };
    const leave = (reason: unknown): void => {
      if (!line.waiting.delete(job)) return;
      noteCrowd();
      reject(reason);
      forgetIdle(line);
    };
    const abort = (): void => leave(signal.reason);
    /** Refuses the job when its time is over, even if no slot comes free. Returns what stops the timer. */
    const refuseInTime = (): (() => void) => {
      const leftMs = waitLeftMs(line, job);
      // A timer cannot wait without end.
      if (leftMs === Infinity) return () => {};
      return countdown(leftMs, () => {
        const refusal = refusalOf(line, job);
        if (refusal === undefined) stopTimer = refuseInTime();
        else leave(refusal);
      });
    };
    line.waiting.add(job);
    noteCrowd();
    signal.addEventListener("abort", abort, { once: true });
    let stopTimer = refuseInTime();
    try {
      return await promise;
    } finally {
      stopTimer();
      signal.removeEventListener("abort", abort);
    }
  }

  return { run };
}
