/**
 * Counts the rows that requests under way hold in memory, so that many large ones at once cannot use it up.
 * Small requests are not counted: they go on being answered whatever large ones hold.
 */
import { overloaded } from "../errors.ts";

/** Rows of one request that are not counted. */
const SMALL = 10_000;

export interface HeldRowsLimits {
  /** Of all requests together. A row takes some hundred bytes. */
  all: number;
  /** Of all requests of one holder. */
  ofOne: number;
}

/** What one request holds. */
export interface Held {
  /** @throws AppError `unavailable` where that is more than there is room for */
  hold: (rows: number) => void;
  /** Lets go of everything. */
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
            throw overloaded("Too many large requests are under way; this one would not fit beside them.");
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
