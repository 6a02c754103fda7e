/** The number of runs of model tests. The seed is always the same, unless the environment sets another one. */
import { atDepth } from "./depth.ts";

const SEED = Number(process.env["TEST_MODEL_SEED"] ?? 20_261_120);
const RUNS = process.env["TEST_MODEL_RUNS"];
/** Shrinking a failure may take a while; success does not. */
const TIMEOUT_MS = 600_000;

export const MODEL_TIMEOUT = { timeout: TIMEOUT_MS };

/** Settings of `fc.assert`: this number of runs in the full project, and a tenth of them in the fast one. */
export function modelRuns(all: number): { seed: number; numRuns: number; interruptAfterTimeLimit: number } {
  const numRuns = RUNS === undefined ? Math.ceil(atDepth(all / 10, all)) : Number(RUNS);
  return { seed: SEED, numRuns, interruptAfterTimeLimit: TIMEOUT_MS / 2 };
}
