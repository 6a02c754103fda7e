/**
 * Shares the event loop among callers. Work on the loop cannot be interrupted, so it is done in slices, and a caller
 * asks for a turn before each slice. In the first milliseconds of an iteration of the loop, the turn comes at once and
 * costs only a look at the clock. After that, slices wait for the next iteration, so that the loop can read from the
 * network in between.
 *
 * A slice takes as long as the work in it. After a long slice, the loop rests for the same time, and only tenants that
 * recently used little get a turn. While there are such tenants, it rests after shorter slices too. So they usually find
 * the loop free, even if others keep it busy.
 */
import type { Caller } from "./caller.ts";
import { tooMuchWaiting, waitedTooLong } from "./refusals.ts";
import { createFairOrder } from "./fair-order.ts";
import { createOverloadWatch } from "./overload.ts";
import { createUsage, threadProcessorMs, type Usage } from "./usage.ts";

/** For this long, an iteration of the loop starts further slices. */
const YOUNG_MS = 3;
/** The limit for one iteration, even if slices are short. */
const MAX_SLICES = 8;
/** The turns of an iteration that come at once. A caller may ask for many before it uses the first. */
const MAX_AT_ONCE = 2;
/** A slice that takes longer is a long one. */
const LONG_MS = 10;
/** The same while somebody is there who used little. */
const LONG_FOR_OTHERS_MS = 2;
/** A tenant that used little is there for so long after it asked for a turn. */
const STAYS_MS = 1_000;
/** In a burst, others may keep a tenant that recently used little waiting this many times as long. */
const LONGER_WAIT = 4;
/** The number of slices that one tenant may have waiting. */
const MAX_WAITING = 10_000;

type Scheduler = ReturnType<typeof createEventLoopScheduler>;
export type EventLoopScheduler = Pick<Scheduler, "next">;
/** Resolves when a caller may go on with an answer for which it waited. */
export type Resume = Scheduler["resume"];

export interface TurnsOptions {
  /** The account of what tenants used. Default: a new one. */
  usage?: Usage;
  nowMs?: () => number;
  /** Processor time of this thread, in milliseconds. */
  processorMs?: () => number;
  /**
   * Calls back in the next iteration of the event loop, in the order of the calls. Promises settle between callbacks.
   */
  soon?: (callback: () => void) => void;
  /** Calls back after this many milliseconds. */
  later?: (callback: () => void, ms: number) => void;
}

interface Slice {
  caller: Caller;
  grant: () => void;
  refuse: (reason: unknown) => void;
  since: number;
  mayWaitMs: number;
}

/** The waiting slices of one tenant. */
interface Line {
  slices: Set<Slice>;
  /** When its last slice began, since it waits. */
  servedAt: number;
}

const nothing = (): void => {};

export function createEventLoopScheduler(options: TurnsOptions = {}) {
  const { nowMs = () => performance.now(), soon = setImmediate, later = setTimeout } = options;
  const { usage = createUsage(nowMs), processorMs = threadProcessorMs } = options;
  const order = createFairOrder(usage);
  const waiting = new Map<string, Line>();
  const overload = createOverloadWatch(nowMs);
  let began: number | undefined;
  let atOnce = 0;
  let isScheduled = false;
  let isResting = false;
  /** When a tenant that used little asked for a turn last. */
  let littleAt = -Infinity;

  /** Whether the current iteration of the loop may start one more slice. */
  function isYoung(): boolean {
    if (began === undefined) {
      began = nowMs();
      atOnce = 0;
      soon(() => {
        began = undefined;
      });
    }
    return ++atOnce <= MAX_AT_ONCE && nowMs() - began < YOUNG_MS;
  }

  /** The first tenant among those that may have a turn now. */
  function findNext(): string | undefined {
    let first: string | undefined;
    for (const tenant of waiting.keys()) {
      if (isResting && !usage.isLittle(tenant)) continue;
      if (first === undefined || order.compare(tenant, first) < 0) first = tenant;
    }
    return first;
  }

  function remove(slice: Slice): boolean {
    const { tenant } = slice.caller;
    const slices = waiting.get(tenant)?.slices;
    const wasThere = slices?.delete(slice) ?? false;
    if (slices?.size === 0) waiting.delete(tenant);
    overload.update(waiting.size > 1);
    return wasThere;
  }

  /** Starts slices in the next iteration, as long as it is young. */
  function schedule(): void {
    if (isScheduled || findNext() === undefined) return;
    isScheduled = true;
    let firstAt: number | undefined;
    for (let index = 0; index < MAX_SLICES; index++) {
      let end = nothing;
      soon(() => {
        firstAt ??= nowMs();
        if (nowMs() - firstAt < YOUNG_MS) end = grantNext();
      });
      // This runs when the slice has ended, and measures how long it took.
      soon(() => end());
    }
    soon(() => {
      isScheduled = false;
      schedule();
    });
  }

  /** Pauses the loop after a long slice of this tenant. */
  function rest(tenant: string, tookMs: number): void {
    const delaysOthers = nowMs() - littleAt < STAYS_MS && !usage.isLittle(tenant);
    if (tookMs <= (delaysOthers ? LONG_FOR_OTHERS_MS : LONG_MS) || isResting) return;
    isResting = true;
    later(() => {
      isResting = false;
      schedule();
    }, tookMs);
  }

  function isInTime({ servedAt }: Line, { caller, since, mayWaitMs }: Slice): boolean {
    if (overload.isOverloaded()) return nowMs() - since <= mayWaitMs;
    const factor = usage.isLittle(caller.tenant) ? LONGER_WAIT : 1;
    return nowMs() - Math.max(since, servedAt) <= mayWaitMs * factor;
  }

  /** @returns a function to call when the slice has ended */
  function grantNext(): () => void {
    for (let tenant = findNext(); tenant !== undefined; tenant = findNext()) {
      const line = waiting.get(tenant);
      const [slice] = line?.slices ?? [];
      if (line === undefined || slice === undefined) break;
      const mayBegin = isInTime(line, slice);
      remove(slice);
      if (mayBegin) {
        const since = nowMs();
        const usedBefore = processorMs();
        order.serve(tenant);
        const stopMeasuring = usage.begin(tenant);
        line.servedAt = since;
        slice.grant();
        return () => {
          const usedMs = processorMs() - usedBefore;
          stopMeasuring(usedMs);
          order.charge(tenant, usedMs);
          rest(tenant, nowMs() - since);
        };
      }
      slice.refuse(waitedTooLong(slice.caller));
    }
    return nothing;
  }

  async function next(caller: Caller, mayWaitMs = Infinity): Promise<void> {
    const { tenant, signal } = caller;
    signal.throwIfAborted();
    if (usage.isLittle(tenant)) littleAt = nowMs();
    if (waiting.size === 0 && !isScheduled && !isResting && isYoung()) return order.serve(tenant);
    const line = waiting.getOrInsertComputed(tenant, () => ({ slices: new Set(), servedAt: -Infinity }));
    if (line.slices.size >= MAX_WAITING) throw tooMuchWaiting(caller);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const slice: Slice = { caller, grant: resolve, refuse: reject, since: nowMs(), mayWaitMs };
    const leave = (): void => {
      if (remove(slice)) reject(signal.reason);
    };
    line.slices.add(slice);
    overload.update(waiting.size > 1);
    schedule();
    signal.addEventListener("abort", leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  return {
    /**
     * Resolves when the caller's slice begins. The slice ends when the caller awaits something.
     * @param mayWaitMs how long others may keep the caller waiting: its tenant had no slice in that time. In an overload,
     *   the limit for the whole wait. In a burst, tenants that recently used little may wait longer. Default: none.
     * @throws AppError `rate_limited` if the tenant has too many slices waiting, `unavailable` if it has waited too long;
     *   the signal's reason if the caller is gone
     */
    next,
    /**
     * Lets a caller go on with what another thread or server has answered: at once if its tenant recently used little or
     * nobody waits, and else when its slice begins.
     * @throws as `next`
     */
    async resume(caller: Caller): Promise<void> {
      if ((waiting.size > 0 || isResting) && !usage.isLittle(caller.tenant)) await next(caller);
    },
  };
}
