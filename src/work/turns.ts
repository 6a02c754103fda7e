/**
 * Shares the event loop among callers. Work on it cannot be interrupted, so it is done in slices: before each, a caller
 * asks for its turn. While the loop's present iteration is young the turn comes at once, at the cost of reading a clock.
 * After that the slices of an iteration end when it is no longer young, so that what came in over the network meanwhile is
 * heard between two. Whoever was served least of late comes first.
 *
 * A slice cannot be made shorter than the work in it. So after a long one the loop is left alone for as long as that took,
 * save for those who ask for little: on the whole they find the loop free, whatever others do.
 */
import type { Caller } from "./caller.ts";
import { tooMuchWaiting, waitedTooLong } from "./refusals.ts";
import { createOverloadWatch } from "./overload.ts";
import { createUsage, LITTLE_MS, threadProcessorMs, type Usage } from "./usage.ts";

/** How long an iteration may take before others have to wait for the next. */
const YOUNG_MS = 5;
/** Slices in one iteration, however short: a caller may ask for many before it does the first. */
const MAX_SLICES = 8;
/** A slice that took longer is a long one. */
const LONG_MS = 10;
/** In a burst, who asks for little may wait so many times as long: it is for the others to make room. */
const PATIENCE = 4;
/** Slices that one holder may have waiting. */
const MAX_WAITING = 10_000;

export interface Turns {
  /**
   * Resolves when the caller may go on; it then does what it can without waiting.
   * @param mayWaitMs how long the turn may take to come; for ever unless told. In a burst, who asks for little may wait longer
   * @throws AppError `rate_limited` when the holder has too much waiting, `unavailable` when it has waited too long,
   *   the signal's reason when the caller is gone
   */
  next(caller: Caller, mayWaitMs?: number): Promise<void>;
}

export interface TurnsOptions {
  /** What holders were served; an account of its own unless told. */
  usage?: Usage;
  nowMs?: () => number;
  /** Processor time of this thread, in milliseconds. */
  processorMs?: () => number;
  /** Calls back in the next iteration of the event loop, in the order of the calls; promises are settled between two. */
  soon?: (callback: () => void) => void;
  /** Calls back after so many milliseconds. */
  later?: (callback: () => void, ms: number) => void;
}

interface Slice {
  grant: () => void;
  refuse: (reason: unknown) => void;
  since: number;
  mayWaitMs: number;
}

const nothing = (): number => 0;

export function createTurns(options: TurnsOptions = {}): Turns {
  const { nowMs = () => performance.now(), soon = setImmediate, later = setTimeout } = options;
  const { usage = createUsage(nowMs), processorMs = threadProcessorMs } = options;
  const waiting = new Map<string, Set<Slice>>();
  const overload = createOverloadWatch(nowMs);
  let began: number | undefined;
  let atOnce = 0;
  let isScheduled = false;
  let isResting = false;

  /** Whether the loop's present iteration has room for one more slice, as far as is known. */
  function isYoung(): boolean {
    if (began === undefined) {
      began = nowMs();
      atOnce = 0;
      soon(() => {
        began = undefined;
      });
    }
    return ++atOnce <= MAX_SLICES && nowMs() - began < YOUNG_MS;
  }

  /** The holder who was served least of late among those who may have a turn now. */
  function findNext(): string | undefined {
    let next: string | undefined;
    let least = isResting ? LITTLE_MS : Infinity;
    for (const holder of waiting.keys()) {
      const served = usage.of(holder);
      if (served < least) [next, least] = [holder, served];
    }
    return next;
  }

  function takeNext(): [holder: string, slice: Slice] | undefined {
    const next = findNext();
    const [slice] = (next !== undefined && waiting.get(next)) || [];
    if (next === undefined || slice === undefined) return undefined;
    remove(next, slice);
    return [next, slice];
  }

  function remove(holder: string, slice: Slice): boolean {
    const own = waiting.get(holder);
    const wasThere = own?.delete(slice) ?? false;
    if (own?.size === 0) waiting.delete(holder);
    overload.update(waiting.size);
    return wasThere;
  }

  /** Grants slices in the next iteration, until it is no longer young. */
  function schedule(): void {
    if (isScheduled || findNext() === undefined) return;
    isScheduled = true;
    let firstAt: number | undefined;
    for (let place = 0; place < MAX_SLICES; place++) {
      let stopMeasuring = nothing;
      soon(() => {
        firstAt ??= nowMs();
        if (nowMs() - firstAt < YOUNG_MS) stopMeasuring = grantNext();
      });
      // This comes when all that the slice did at once is done.
      soon(() => rest(stopMeasuring()));
    }
    soon(() => {
      isScheduled = false;
      schedule();
    });
  }

  /** Leaves the loop alone after a long slice. */
  function rest(tookMs: number): void {
    if (tookMs <= LONG_MS || isResting) return;
    isResting = true;
    later(() => {
      isResting = false;
      schedule();
    }, tookMs);
  }

  function isInTime(holder: string, { since, mayWaitMs }: Slice): boolean {
    const patience = usage.of(holder) < LITTLE_MS && !overload.isOverloaded() ? PATIENCE : 1;
    return nowMs() - since <= mayWaitMs * patience;
  }

  function grantNext(): () => number {
    for (let next = takeNext(); next !== undefined; next = takeNext()) {
      const [holder, slice] = next;
      if (isInTime(holder, slice)) {
        const since = nowMs();
        const usedBefore = processorMs();
        const stopMeasuring = usage.begin(holder);
        slice.grant();
        return () => {
          stopMeasuring(processorMs() - usedBefore);
          return nowMs() - since;
        };
      }
      slice.refuse(waitedTooLong());
    }
    return nothing;
  }

  return {
    async next({ holder, signal }, mayWaitMs = Infinity) {
      signal.throwIfAborted();
      if (waiting.size === 0 && !isScheduled && !isResting && isYoung()) return;
      const own = waiting.get(holder) ?? new Set<Slice>();
      if (own.size >= MAX_WAITING) throw tooMuchWaiting();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const slice: Slice = { grant: resolve, refuse: reject, since: nowMs(), mayWaitMs };
      const leave = (): void => {
        if (remove(holder, slice)) reject(signal.reason);
      };
      own.add(slice);
      waiting.set(holder, own);
      overload.update(waiting.size);
      schedule();
      signal.addEventListener("abort", leave, { once: true });
      try {
        await promise;
      } finally {
        signal.removeEventListener("abort", leave);
      }
    },
  };
}
