/**
 * Counts the rows that running requests have in memory, so that many large requests at once cannot use up the memory.
 * Small requests are not counted, so they are answered even if large ones have taken all the room.
 */
import { overloaded } from "../errors.ts";

/** The first rows of each request, which are not counted. */
const SMALL = 10_000;

export interface RowMemoryLimits {
  /** The limit for all requests together. A row takes some hundred bytes. */
  all: number;
  /** The limit for all requests of one tenant. */
  ofOne: number;
}

/** The counter of one request. */
export interface RequestRows {
  /** @throws AppError `unavailable` if a limit is exceeded */
  hold: (rows: number) => void;
  /** Releases all rows of the request. */
  release: () => void;
}

export type RowMemoryLimit = ReturnType<typeof createRowMemoryLimit>;

export function createRowMemoryLimit({ all, ofOne }: RowMemoryLimits) {
  const ofTenants = new Map<string, number>();
  let total = 0;

  function change(tenant: string, rows: number): void {
    total += rows;
    const held = (ofTenants.get(tenant) ?? 0) + rows;
    if (held === 0) ofTenants.delete(tenant);
    else ofTenants.set(tenant, held);
  }

  return {
    open(tenant: string): RequestRows {
      let seen = 0;
      let counted = 0;
      return {
        hold(rows) {
          seen += rows;
          const more = Math.max(0, seen - SMALL) - counted;
          if (more <= 0) return;
          if (total + more > all || (ofTenants.get(tenant) ?? 0) + more > ofOne) {
            throw overloaded("Too many large requests are running; there is no memory for another one.");
          }
          counted += more;
          change(tenant, more);
        },
        release() {
          if (counted > 0) change(tenant, -counted);
          counted = 0;
        },
      };
    },
  };
}
