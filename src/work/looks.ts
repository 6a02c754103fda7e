/** Looks for work, again and again: one look after the other, and never more than one that waits. */

export interface Looks {
  /**
   * Looks once more. If a look waits for the running one already, that is the one: it has not seen anything yet.
   * @returns when that look has ended
   */
  again(): Promise<void>;
  /** Resolves when no look runs or waits. */
  idle(): Promise<void>;
}

/** @param look never rejects */
export function createLooks(look: () => Promise<void>): Looks {
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return {
    again() {
      if (waiting !== undefined) return waiting;
      last = last.then(() => {
        waiting = undefined;
        return look();
      });
      waiting = last;
      return last;
    },
    idle: () => last,
  };
}
