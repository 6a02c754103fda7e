/** The limits store in the memory of one process. */
import type { Clock } from "../../clock.ts";
import type { Limits } from "../limits.ts";
import { createMemoryLockout } from "./lockout.ts";
import { createMemoryRateLimiter } from "./rate-limiter.ts";

/** @param options.blockMs how long a lockout lasts */
export function createMemoryLimits(options: { clock: Clock; blockMs: number }): Limits {
  return {
    rateLimiter: createMemoryRateLimiter(options.clock),
    lockouts: {
      authentication: createMemoryLockout(options),
      "login-email": createMemoryLockout(options),
      "login-client": createMemoryLockout(options),
    },
    async check() {},
    async close() {},
  };
}
