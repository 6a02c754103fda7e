/** Counts the answers to clients, in total and by second. */
import type { Answer, Outcome } from "./client.ts";

export interface Second {
  counts: Partial<Record<Outcome, number>>;
  slowestMs: number;
}

export interface Tally {
  note(answer: Answer, what: string): void;
  counts: Record<Outcome, number>;
  /** Each fault once, with its number. */
  faults: Map<string, number>;
  /** The times of successful answers in milliseconds, by request. */
  times: Map<string, number[]>;
  /** The answers since the last call. */
  takeSecond(): Second;
}

export function createTally(): Tally {
  const counts: Tally["counts"] = { ok: 0, denied: 0, limited: 0, unavailable: 0, cut: 0, fault: 0 };
  const faults: Tally["faults"] = new Map();
  const times: Tally["times"] = new Map();
  let second: Second = { counts: {}, slowestMs: 0 };
  return {
    counts,
    faults,
    times,
    note({ outcome, ms, fault }, what) {
      counts[outcome] += 1;
      second.counts[outcome] = (second.counts[outcome] ?? 0) + 1;
      second.slowestMs = Math.max(second.slowestMs, ms);
      if (outcome === "ok") times.set(what, [...(times.get(what) ?? []), ms]);
      if (outcome === "fault") faults.set(`${what}: ${fault}`, (faults.get(`${what}: ${fault}`) ?? 0) + 1);
    },
    takeSecond() {
      const taken = second;
      second = { counts: {}, slowestMs: 0 };
      return taken;
    },
  };
}

/** @param share from 0 to 1 */
export function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? 0;
}
