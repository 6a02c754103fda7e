/**
 * Notices when a store on another machine stops answering, and when it answers again. The watch probes the store on a
 * connection of its own if callers have waited for a while without any answer, or if a question did not reach the store.
 * If the probe fails too, all waiting and later callers are refused until a probe succeeds. While the store answers
 * probes, a slow answer refuses nobody.
 */
import { type Countdown, systemCountdown } from "../clock.ts";
import { inTime } from "./in-time.ts";

/** After so long without any answer, the store is probed. Together with `PROBE_MS`, callers are refused within 3 s. */
export const QUIET_MS = 1_000;
/** How long a probe may take. */
const PROBE_MS = 1_500;
/** The pause between two probes of a store that is away. */
export const PAUSE_MS = 500;

/** A question on a connection of its own. */
export interface Probe {
  /** Rejects if the store does not answer. */
  answer: Promise<unknown>;
  /** Called when the answer is there, or is too late. Leaves the connection without waiting for the store. */
  end(): void;
}

export interface StoreWatchParts {
  probe: () => Probe;
  /** Whether the store itself answered a question with this error. */
  isAnswer?: (error: unknown) => boolean;
  /** Whether the error of a question says that it did not reach the store. */
  isAway?: (error: unknown) => boolean;
  /** Makes the error of a probe that is not answered in time. */
  late?: () => Error;
  /** Called when the first probe has failed. */
  onAway?: () => void;
  countdown?: Countdown;
  /** Milliseconds since an arbitrary moment. */
  nowMs?: () => number;
}

export interface StoreWatch {
  /**
   * Asks the store, and rejects as soon as the store is known to be away. The question itself may go on.
   * @throws the error of the last probe, at once, if the store is away
   */
  answerOf<T>(ask: () => Promise<T>): Promise<T>;
  /** Probes the store now, unless a probe is running. Resolves when the probe is over. */
  doubt(): Promise<void>;
  close(): void;
}

export function createStoreWatch(parts: StoreWatchParts): StoreWatch {
  const { isAnswer = () => false, isAway = () => false } = parts;
  const { countdown = systemCountdown, nowMs = () => performance.now() } = parts;
  let away: { error: unknown } | null = null;
  /** Refuses each waiting question. One promise for all of them would keep a reference to each, and leak memory. */
  const waiting = new Set<(error: unknown) => void>();
  let lastAnswerAt = -Infinity;
  /** The last time at which the store answered or nobody waited. */
  let quietSince = 0;
  let probing: Promise<void> | null = null;
  let isClosed = false;
  let cancelNext: (() => void) | null = null;

  function plan(ms: number, next: () => void): void {
    cancelNext?.();
    cancelNext = countdown(ms, () => {
      cancelNext = null;
      next();
    });
  }

  function look(): void {
    if (waiting.size === 0) return;
    const leftMs = quietSince + QUIET_MS - nowMs();
    if (leftMs > 0) plan(leftMs, look);
    else void doubt();
  }

  function doubt(): Promise<void> {
    if (isClosed) return Promise.resolve();
    probing ??= probe().finally(() => {
      probing = null;
      if (isClosed) return;
      if (away === null) look();
      else plan(PAUSE_MS, () => void doubt());
    });
    return probing;
  }

  async function probe(): Promise<void> {
    const begunAt = nowMs();
    const { answer, end } = parts.probe();
    try {
      await inTime(answer, PROBE_MS, parts.late);
      away = null;
      noteAnswer();
    } catch (error) {
      // What others were answered in the meantime shows that the store is there.
      if (lastAnswerAt < begunAt) noteAway(error);
    } finally {
      end();
    }
  }

  function noteAnswer(): void {
    lastAnswerAt = nowMs();
    quietSince = lastAnswerAt;
  }

  function noteAway(error: unknown): void {
    const isNew = away === null;
    away = { error };
    if (isNew) parts.onAway?.();
    for (const refuse of waiting) refuse(error);
  }

  return {
    async answerOf<T>(ask: () => Promise<T>) {
      if (away !== null) throw away.error;
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      if (waiting.size === 0) quietSince = nowMs();
      waiting.add(reject);
      if (cancelNext === null && probing === null) plan(QUIET_MS, look);
      Promise.try(ask).then(resolve, reject);
      try {
        const answer = await promise;
        noteAnswer();
        return answer;
      } catch (error) {
        // If the store is known to be away, this is a refusal.
        if (away === null && isAway(error)) void doubt();
        else if (isAnswer(error)) noteAnswer();
        throw error;
      } finally {
        waiting.delete(reject);
      }
    },
    doubt,
    close() {
      isClosed = true;
      cancelNext?.();
    },
  };
}
