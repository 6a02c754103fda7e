/** How often the model tests run: few times and always the same in every test run, more and others when asked. */
const SEED = Number(process.env["TEST_MODEL_SEED"] ?? 20_261_120);
const RUNS = process.env["TEST_MODEL_RUNS"];
/** Shrinking a failure may take a while; success does not. */
const TIMEOUT_MS = 600_000;

export const MODEL_TIMEOUT = { timeout: TIMEOUT_MS };

/** Settings of `fc.assert`. */
export function modelRuns(few: number): { seed: number; numRuns: number; interruptAfterTimeLimit: number } {
  const numRuns = RUNS === undefined ? Math.ceil(few) : Number(RUNS);
  return { seed: SEED, numRuns, interruptAfterTimeLimit: TIMEOUT_MS / 2 };
}
