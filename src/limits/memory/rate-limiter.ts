/** A rate limiter in the memory of one process. Its window is exact, because it keeps the time of each admission. */
import type { Clock } from "../../clock.ts";
import { type RateLimiter, type RateLimitState, WINDOW_MS } from "../limits.ts";
import { createRecentMap } from "../recent-map.ts";

/** It can also count what was admitted elsewhere, and tell what it counted. */
export interface MemoryRateLimiter extends RateLimiter {
  /** @param firstNumber of the first unit, for `listAdmissions` */
  admit(id: string, limit: number, units: number, firstNumber?: number): ReturnType<RateLimiter["admit"]>;
  /** Counts a request that was admitted elsewhere. */
  note(id: string, units: number, firstNumber: number): void;
  /** Everything that is in the window of an id, oldest first. */
  listAdmissions(id: string): Admission[];
}

export function createMemoryRateLimiter(clock: Clock): MemoryRateLimiter {
  // After a whole window without an admission, a log is empty and can be dropped.
  const logs = createRecentMap<AdmissionLog>({ keepMs: WINDOW_MS });

  function logOf(id: string, now: number): AdmissionLog {
    const log = logs.get(id, now) ?? new AdmissionLog();
    log.slideTo(now);
    return log;
  }

  function add(id: string, log: AdmissionLog, now: number, units: number, firstNumber: number): void {
    log.add(now, units, firstNumber);
    logs.set(id, log, now);
  }

  function stateOf(log: AdmissionLog, limit: number, now: number): RateLimitState {
    return {
      limit,
      remaining: Math.max(0, limit - log.size),
      resetAtSeconds: Math.ceil((clock.now().getTime() + log.msUntilGone(1, now)) / 1_000),
    };
  }

  return {
    async admit(id, limit, units, firstNumber = 0) {
      const now = clock.steadyMs();
      const log = logOf(id, now);
      const lacking = log.size + units - limit;
      const admitted = lacking <= 0;
      if (admitted) add(id, log, now, units, firstNumber);
      const retryAfterSeconds = admitted ? 0 : Math.max(1, Math.ceil(log.msUntilGone(lacking, now) / 1_000));
      return { admitted, retryAfterSeconds, ...stateOf(log, limit, now) };
    },
    async look(id, limit) {
      const now = clock.steadyMs();
      return stateOf(logOf(id, now), limit, now);
    },
    note(id, units, firstNumber) {
      const now = clock.steadyMs();
      add(id, logOf(id, now), now, units, firstNumber);
    },
    listAdmissions(id) {
      const now = clock.steadyMs();
      return logOf(id, now).toList(now);
    },
  };
}

/** An admission as it is told to others. */
interface Admission {
  /** A number that no other admission of this process has. */
  number: number;
  ageMs: number;
}

class AdmissionLog {
  /** Of each admission when it was, and its number, oldest first. */
  #times: number[] = [];
  #numbers: number[] = [];
  /** The index of the oldest admission in the window. */
  #first = 0;

  get size(): number {
    return this.#times.length - this.#first;
  }

  /** @param firstNumber of the first unit; the others follow */
  add(now: number, units: number, firstNumber: number): void {
    for (let unit = 0; unit < units; unit++) {
      this.#times.push(now);
      this.#numbers.push(firstNumber + unit);
    }
  }

  /**
   * Drops admissions before the window. The arrays are cut only when half of them is dropped, so each admission is
   * copied about once.
   */
  slideTo(now: number): void {
    while ((this.#times[this.#first] ?? Infinity) <= now - WINDOW_MS) this.#first++;
    if (this.#first * 2 < this.#times.length) return;
    this.#times = this.#times.slice(this.#first);
    this.#numbers = this.#numbers.slice(this.#first);
    this.#first = 0;
  }

  /** Milliseconds until this many of the oldest admissions have left the window; 0 if there are fewer. */
  msUntilGone(count: number, now: number): number {
    const last = this.#times[this.#first + count - 1];
    return last === undefined ? 0 : last + WINDOW_MS - now;
  }

  toList(now: number): Admission[] {
    const numbers = this.#numbers.slice(this.#first);
    return numbers.map((number, index) => ({ number, ageMs: now - (this.#times[this.#first + index] ?? now) }));
  }
}
