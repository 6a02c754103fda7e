/** The rate limiter of one process: a log of admission times for each id, so that its window is exact. */
import type { Clock } from "../clock.ts";
import { type RateLimiter, type RateLimitState, WINDOW_MS } from "./rate-limiter.ts";
import { createRecentMap } from "./recent-map.ts";
import { createSteadyTime } from "./steady-time.ts";

/** The times of one id's admissions in the window, oldest first. */
class AdmissionLog {
  #times: number[] = [];
  /** Where the window begins; what stands before has left it. */
  #first = 0;

  get size(): number {
    return this.#times.length - this.#first;
  }

  add(now: number, places: number): void {
    for (let place = 0; place < places; place++) this.#times.push(now);
  }

  /** Lets go of what has left the window; the array is cut when half of it has, so that each time is moved once or so. */
  slideTo(now: number): void {
    while ((this.#times[this.#first] ?? Infinity) <= now - WINDOW_MS) this.#first++;
    if (this.#first * 2 < this.#times.length) return;
    this.#times = this.#times.slice(this.#first);
    this.#first = 0;
  }

  /** Milliseconds until so many of the oldest have left the window; 0 where there are not so many. */
  msUntilGone(count: number, now: number): number {
    const last = this.#times[this.#first + count - 1];
    return last === undefined ? 0 : last + WINDOW_MS - now;
  }
}

export function createMemoryRateLimiter(clock: Clock): RateLimiter {
  const steadyNow = createSteadyTime(clock);
  // What was not admitted for a window has nothing left to count.
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
