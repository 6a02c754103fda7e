/** The memory in use after garbage collection. */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
export const collectGarbage = runInNewContext("gc") as () => void;

/** Two measurements in a row may differ by this number of bytes. */
const STEADY = 10_000;

/**
 * The bytes in use, including buffers outside of the heap. Memory of earlier tests is freed over several iterations of
 * the event loop, so it is measured until the number no longer changes.
 */
export async function heapInUse(): Promise<number> {
  for (let last = Infinity; ;) {
    collectGarbage();
    await setImmediate();
    const { heapUsed, external } = process.memoryUsage();
    const now = heapUsed + external;
    if (Math.abs(now - last) < STEADY) return now;
    last = now;
  }
}
