/** How much memory is in use, once what nobody holds was collected. */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes by which two measurements in a row may differ. */
const STEADY = 10_000;

/**
 * Bytes, buffers outside of the heap included. What other tests of this process left is let go in several turns of the
 * event loop, so it is measured until it no longer changes.
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
