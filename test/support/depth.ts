/** The depth of tests: the fast project tries a few cases, and the full project tries all. */
export const isFull = process.env["TEST_DEPTH"] === "full";

/** A value for the fast project, and another one for the full project. */
export function atDepth<T>(fast: T, full: T): T {
  return isFull ? full : fast;
}

/** Options of `fc.assert`: this number of runs in the full project, and a tenth of them in the fast one. */
export function propertyRuns(all: number): { numRuns: number } {
  return { numRuns: atDepth(Math.ceil(all / 10), all) };
}
