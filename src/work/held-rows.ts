/**
 * Counts the rows that running requests have in memory, so that many large requests at once cannot use up the memory.
 * Small requests are not counted, so they are answered even if large ones have taken all the room.
 */
import { overloaded } from "../errors.ts";

/** The first rows of each request, which are not counted. */
const SMALL = 10_000;

export interface HeldRowsLimits {
  /** The limit for all requests together. A row takes some hundred bytes. */
  all: number;
  /** The limit for all requests of one holder. */
  ofOne: number;
}

/** The counter of one request. */
export interface Held {
  /** @throws AppError `unavailable` if a limit is exceeded */
  hold: (rows: number) => void;
  /** Releases all rows of the request. */
  release: () => void;
}

export interface HeldRows {
  open(holder: string): Held;
}

export function createHeldRows({ all, ofOne }: HeldRowsLimits): HeldRows {
  const ofHolders = new Map<string, number>();
  let total = 0;

  function change(holder: string, rows: number): void {
    total += rows;
    const held = (ofHolders.get(holder) ?? 0) + rows;
    if (held === 0) ofHolders.delete(holder);
    else ofHolders.set(holder, held);
  }

  return {
    open(holder) {
      let seen = 0;
      let counted = 0;
      return {
        hold(rows) {
          seen += rows;
          const more = Math.max(0, seen - SMALL) - counted;
          if (more <= 0) return;
          if (total + more > all || (ofHolders.get(holder) ?? 0) + more > ofOne) {
            throw overloaded("Too many large requests are running; there is no memory for another one.");
          }
          counted += more;
          change(holder, more);
        },
        release() {
          if (counted > 0) change(holder, -counted);
          counted = 0;
        },
      };
    },
  };
}
