/**
 * A rate limiter that servers share. While Valkey is away, each server limits by itself.
 *
 * Each server keeps a log of everything that it admitted itself. It goes by this log while Valkey is away. After each
 * new connection, the first question about an id tells Valkey what is in the log, because Valkey may have been
 * restarted and does not know what was admitted in the meantime. So no server ever admits more than the limit in any
 * window, whatever happens to Valkey.
 */
import { z } from "zod";

import type { MemoryRateLimiter } from "../memory/rate-limiter.ts";
import { type RateLimiter, type RateLimitState, WINDOW_MS } from "../limits.ts";
import { createRecentMap } from "../recent-map.ts";
import type { Connection, Link } from "./link.ts";
import type { Script } from "./script.ts";

const replySchema = z.tuple([z.int(), z.int(), z.int(), z.int(), z.int()]);

interface Decision extends RateLimitState {
  admitted: boolean;
  retryAfterSeconds: number;
}

export interface ValkeyRateLimiterParts {
  link: Link;
  script: Script;
  /** What this server admitted. */
  own: MemoryRateLimiter;
  /** Returns the key of an id. */
  keyOf: (id: string) => string;
  /** Names this server in the shared logs. No other server has this name. */
  server: string;
  /** Milliseconds that never go back. */
  nowMs: () => number;
}

export function createValkeyRateLimiter(parts: ValkeyRateLimiterParts): RateLimiter {
  const { link, script, own, keyOf, server, nowMs } = parts;
  let nextNumber = 0;
  /** The number of the connection on which Valkey was last told of an id's admissions here. */
  const toldOn = createRecentMap<number>({ keepMs: WINDOW_MS });

  /** Returns null if Valkey is away. */
  async function ask(id: string, limit: number, units: number, firstNumber: number): Promise<Decision | null> {
    const connection = link.connection();
    if (connection === null) return null;
    const args = [limit, units, WINDOW_MS, server, firstNumber, ...untold(id, connection)];
    const reply = await connection.run(script, [keyOf(id)], args);
    if (reply === null) return null;
    const [admitted, used, msUntilOldestIsGone, waitMs, timeMs] = replySchema.parse(reply);
    toldOn.set(id, connection.number, nowMs());
    return {
      admitted: admitted === 1,
      retryAfterSeconds: waitMs === 0 ? 0 : Math.max(1, Math.ceil(waitMs / 1_000)),
      limit,
      remaining: Math.max(0, limit - used),
      resetAtSeconds: Math.ceil((timeMs + msUntilOldestIsGone) / 1_000),
    };
  }

  function untold(id: string, { number }: Connection): number[] {
    if (toldOn.get(id, nowMs()) === number) return [];
    return own.listAdmissions(id).flatMap((admission) => [admission.number, admission.ageMs]);
  }

  return {
    async admit(id, limit, units) {
      const firstNumber = nextNumber;
      nextNumber += units;
      const decision = await ask(id, limit, units, firstNumber);
      if (decision === null) {
        toldOn.delete(id);
        return own.admit(id, limit, units, firstNumber);
      }
      if (decision.admitted) own.note(id, units, firstNumber);
      return decision;
    },
    async look(id, limit) {
      const decision = await ask(id, limit, 0, 0);
      if (decision === null) return own.look(id, limit);
      const { remaining, resetAtSeconds } = decision;
      return { limit, remaining, resetAtSeconds };
    },
  };
}
