/** Lets other work run during a crawl, and reports the crawl's progress. */
import { setImmediate } from "node:timers/promises";

import type { CrawlEvent, NextTurn } from "./connector.ts";

/** After this much work, the event loop gets a turn. */
const MAX_WORK_MS = 4;

/** Work that nobody in particular waits for goes on in the next iteration of the event loop. */
export const nextIteration: NextTurn = () => setImmediate();

/** Stands between events where the event loop may get a turn. */
export type Pause = null;

/** Passes events on. Gives the event loop a turn every few milliseconds, even if the events come without waiting. */
export async function* withPauses<T extends object>(
  events: AsyncIterable<T | Pause>,
  nextTurn = nextIteration,
): AsyncGenerator<T> {
  let since = performance.now();
  for await (const event of events) {
    if (event !== null) yield event;
    if (performance.now() - since < MAX_WORK_MS) continue;
    await nextTurn();
    since = performance.now();
  }
}

/** Compares the bytes that were read with the total. */
export function createMeter(totalBytes: number) {
  let [read, reported] = [0, 0];
  return {
    add: (bytes: number) => void (read += bytes),
    /** Returns a progress event if another hundredth is done, else null. */
    due(label: string): CrawlEvent | null {
      const fraction = Math.min(1, read / totalBytes);
      if (fraction - reported < 0.01) return null;
      reported = fraction;
      return { kind: "progress", fraction, label };
    },
  };
}
