/** Keeps the lists of lineage that the threads share: from the first long read that needs them until none does for a while. */
import { totalmem } from "node:os";

import type { SharedLineage } from "../lineage-index/shared-lineage.ts";

export interface SharedLineageHolder {
  /** The lists that were loaded last; null if there are none yet. */
  current: () => SharedLineage | null;
  /** Loads the lists in the background, unless that happens already or happened a short time ago. */
  renew: () => void;
}

/** Loading may take this share of the time, if everything changes all the time. */
const SHARE = 1 / 10;
/** If loading failed, it is not tried again for this long. */
const AFTER_FAULT_MS = 60_000;
/** The same if the lineage is too large. To find that out takes as long as to load what is permitted. */
const IF_TOO_LARGE_MS = 3_600_000;
/** Lists that no long read has asked for in this time are dropped. */
const IDLE_MS = 600_000;
const LOOK_MS = 60_000;
/** If the process takes more of the memory that it may have, the lists are dropped, too. */
const SHARE_OF_MEMORY = 0.8;

/** Memory that is mapped counts as well. If a container limits the process, that limit counts. */
function takesMuchMemory(): boolean {
  const limit = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return process.memoryUsage.rss() > SHARE_OF_MEMORY * limit;
}

/** @param load returns null if the lineage is too large */
export function createSharedLineageHolder(
  load: () => Promise<SharedLineage | null>,
  nowMs = (): number => performance.now(),
  isMemoryShort = takesMuchMemory,
): SharedLineageHolder {
  let current: SharedLineage | null = null;
  let isLoading = false;
  let notBefore = 0;
  let askedMs = 0;

  /** Until there is nothing to drop. */
  function dropInTime(): void {
    const look = setInterval(() => {
      const isShort = isMemoryShort();
      if (isShort) notBefore = Math.max(notBefore, nowMs() + AFTER_FAULT_MS);
      if (isShort || nowMs() - askedMs >= IDLE_MS) current = null;
      if (current === null) clearInterval(look);
    }, LOOK_MS);
    look.unref();
  }

  async function loadNow(): Promise<void> {
    const started = nowMs();
    let pauseMs = AFTER_FAULT_MS;
    try {
      const before = current;
      current = await load();
      if (before === null && current !== null) dropInTime();
      pauseMs = current === null ? IF_TOO_LARGE_MS : (nowMs() - started) / SHARE;
    } catch {
      // The store is closed or cannot be read. Whoever reads it for an answer says so.
      current = null;
    }
    isLoading = false;
    notBefore = nowMs() + pauseMs;
  }

  return {
    current() {
      askedMs = nowMs();
      return current;
    },
    renew() {
      if (isLoading || nowMs() < notBefore) return;
      isLoading = true;
      void loadNow();
    },
  };
}
