/**
 * Lets few large requests go on at once, so that what they have in memory stays small. A request that becomes large waits
 * for a slot, and keeps it until its answer is complete. Small requests need none.
 */
import type { Caller } from "./caller.ts";
import { createFairQueue } from "./fair-queue.ts";

/** More slots would not use the processors better. One slot is kept for those who recently had none for long. */
const SLOTS = { atOnce: 2, kept: 1 };
/** Half a minute after it is sent, common HTTP clients and proxies give up. */
const WAITS = { maxWaiting: 1_000, maxWaitMs: 20_000, maxWaitInOverloadMs: 5_000 };

/** The slot of one request. */
export interface LargeSlot {
  /**
   * Resolves when the request has its slot.
   * @throws the errors of `FairQueue.run`
   */
  take: () => Promise<void>;
  /** Frees the slot, if the request has it. */
  release: () => void;
}

/** @param nowMs milliseconds since an arbitrary moment */
export function createLargeRequests(nowMs = (): number => performance.now()) {
  // How long a tenant has slots is another account than what it uses of processors.
  const queue = createFairQueue({ ...SLOTS, ...WAITS, nowMs });
  return {
    open(caller: Caller): LargeSlot {
      const released = Promise.withResolvers<void>();
      let taken: Promise<void> | null = null;
      return {
        take() {
          taken ??= new Promise((resolve, reject) => {
            const work = (): Promise<void> => {
              resolve();
              return released.promise;
            };
            queue.run(caller, work).catch(reject);
          });
          return taken;
        },
        release: () => released.resolve(),
      };
    },
  };
}
