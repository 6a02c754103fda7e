/** Keeps the lists of lineage that the threads share, and loads them when a long read would have needed them. */
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

/** @param load returns null if the lineage is too large */
export function createSharedLineageHolder(
  load: () => Promise<SharedLineage | null>,
  nowMs = (): number => performance.now(),
): SharedLineageHolder {
  let current: SharedLineage | null = null;
  let isLoading = false;
  let notBefore = 0;

  async function loadNow(): Promise<void> {
    const started = nowMs();
    let pauseMs = AFTER_FAULT_MS;
    try {
      current = await load();
      pauseMs = current === null ? IF_TOO_LARGE_MS : (nowMs() - started) / SHARE;
    } catch {
      // The store is closed or cannot be read. Whoever reads it for an answer says so.
      current = null;
    }
    isLoading = false;
    notBefore = nowMs() + pauseMs;
  }

  return {
    current: () => current,
    renew() {
      if (isLoading || nowMs() < notBefore) return;
      isLoading = true;
      void loadNow();
    },
  };
}
