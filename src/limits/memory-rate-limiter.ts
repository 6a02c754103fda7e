/** A rate limiter in the memory of one process. Its window is exact, because it keeps the time of each admission. */
import type { Clock } from "../clock.ts";
import { type RateLimiter, type RateLimitState, WINDOW_MS } from "./rate-limiter.ts";
import { createRecentMap } from "./recent-map.ts";
import { createSteadyTime } from "./steady-time.ts";

/** The times of one id's admissions in the window, oldest first. */
class AdmissionLog {
  #times: number[] = [];
  /** The index of the oldest time in the window. */
  #first = 0;

  get size(): number {
    return this.#times.length - this.#first;
  }

  add(now: number, places: number): void {
    for (let place = 0; place < places; place++) this.#times.push(now);
  }

  /**
   * Drops times before the window. The array is cut only when half of it is dropped, so each time is copied about once.
   */
  slideTo(now: number): void {
    while ((this.#times[this.#first] ?? Infinity) <= now - WINDOW_MS) this.#first++;
    if (this.#first * 2 < this.#times.length) return;
    this.#times = this.#times.slice(this.#first);
    this.#first = 0;
  }

  /** Milliseconds until this many of the oldest times have left the window; 0 if there are fewer. */
  msUntilGone(count: number, now: number): number {
    const last = this.#times[this.#first + count - 1];
    return last === undefined ? 0 : last + WINDOW_MS - now;
  }
}

export function createMemoryRateLimiter(clock: Clock): RateLimiter {
  const steadyNow = createSteadyTime(clock);
  // After a whole window without an admission, a log is empty and can be dropped.
  const logs = createRecentMap<AdmissionLog>({ keepMs: WINDOW_MS });

  function logOf(id: string, now: number): AdmissionLog {
    const log = logs.get(id, now) ?? new AdmissionLog();
    log.slideTo(now);
    return log;
  }

  function stateOf(log: AdmissionLog, limit: number, now: number): RateLimitState {
    return {
      limit,
      remaining: Math.max(0, limit - log.size),
      resetAtSeconds: Math.ceil((clock.now().getTime() + log.msUntilGone(1, now)) / 1_000),
    };
  }

  return {
    async admit(id, limit, places) {
      const now = steadyNow();
      const log = logOf(id, now);
      const lacking = log.size + places - limit;
      const admitted = lacking <= 0;
      if (admitted) {
        log.add(now, places);
        logs.set(id, log, now);
      }
      const retryAfterSeconds = admitted ? 0 : Math.max(1, Math.ceil(log.msUntilGone(lacking, now) / 1_000));
      return { admitted, retryAfterSeconds, ...stateOf(log, limit, now) };
    },
    async look(id, limit) {
      const now = steadyNow();
      return stateOf(logOf(id, now), limit, now);
    },
  };
}
