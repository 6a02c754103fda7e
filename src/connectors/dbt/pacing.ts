/** Keeps a crawl from holding the event loop, and tells how far it is. */
import { setImmediate } from "node:timers/promises";

import type { CrawlEvent } from "../connector.ts";

/** Longest stretch of work without a turn of the event loop. */
const STRETCH_MS = 4;

/** Passes events on, letting others run every few milliseconds even where nothing is waited for. */
export async function* breathe<T>(events: AsyncIterable<T>): AsyncGenerator<T> {
  let since = performance.now();
  for await (const event of events) {
    yield event;
    if (performance.now() - since < STRETCH_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}

/** Counts bytes that were read against those that there are to read. */
export class Meter {
  readonly #total: number;
  #read = 0;
  #told = 0;

  constructor(totalBytes: number) {
    this.#total = totalBytes;
  }

  add(bytes: number): void {
    this.#read += bytes;
  }

  /** A progress event whenever another hundredth is done, else null. */
  due(label: string): CrawlEvent | null {
    const fraction = Math.min(1, this.#read / this.#total);
    if (fraction - this.#told < 0.01) return null;
    this.#told = fraction;
    return { kind: "progress", fraction, label };
  }
}
