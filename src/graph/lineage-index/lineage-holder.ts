/** Keeps lineage in memory: from the first read that needs it until none does for a while. */
import { totalmem } from "node:os";

export interface LineageHolder<T> {
  /** The lineage that was loaded last; null if there is none. Lineage that nobody asks for is dropped after a while. */
  current: () => T | null;
  /** The same, but does not count as asking for it. */
  peek: () => T | null;
  /** Keeps a newer state of it, unless another one is there by now. */
  replace: (before: T, now: T) => void;
  /** Loads it in the background, unless that happens already or happened a short time ago. */
  renew: () => void;
}

/** Loading may take this share of the time, if everything changes all the time. */
const SHARE = 1 / 10;
/** If loading failed, it is not tried again for at least this long. */
const AFTER_FAULT_MS = 60_000;
/** The same if the lineage is too large. To find that out takes as long as to load what is permitted. */
const IF_TOO_LARGE_MS = 3_600_000;
/** Lineage that no read has asked for in this time is dropped. */
const IDLE_MS = 600_000;
const LOOK_MS = 60_000;
/** If the process takes more of the memory that it may have, the lineage is dropped, too. */
const SHARE_OF_MEMORY = 0.8;

/** Memory that is mapped counts as well. If a container limits the process, that limit counts. */
function takesMuchMemory(): boolean {
  const limit = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return process.memoryUsage.rss() > SHARE_OF_MEMORY * limit;
}

/** @param load returns null if the lineage will be too large for a long time; rejects if it cannot be loaded now */
export function createLineageHolder<T>(
  load: () => Promise<T | null>,
  nowMs = (): number => performance.now(),
  isMemoryShort = takesMuchMemory,
): LineageHolder<T> {
  let current: T | null = null;
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
    let pauseMs = 0;
    try {
      const loaded = await load();
      if (loaded === null) pauseMs = IF_TOO_LARGE_MS;
      else if (current === null) dropInTime();
      current = loaded;
    } catch {
      // Earlier lineage stays: each read brings it to the state of the store, and says if the store cannot be read.
      pauseMs = AFTER_FAULT_MS;
    }
    isLoading = false;
    const ended = nowMs();
    notBefore = ended + Math.max(pauseMs, (ended - started) / SHARE);
  }

  return {
    current() {
      askedMs = nowMs();
      return current;
    },
    peek: () => current,
    replace(before, now) {
      if (current === before) current = now;
    },
    renew() {
      if (isLoading || nowMs() < notBefore) return;
      isLoading = true;
      void loadNow();
    },
  };
}
