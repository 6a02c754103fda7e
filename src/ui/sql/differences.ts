/** Compares two texts line by line. */
import { structuredPatch } from "diff";

/** To compare texts with more differences takes too long: one is shown after the other. */
const MAX_EDITS = 400;

/**
 * @returns the parts of the texts that differ, with three equal lines around each change; every line begins with its
 * sign: a blank, `+` or `-`
 */
export function listDifferences(before: string, after: string): string[][] {
  const options = { context: 3, maxEditLength: MAX_EDITS };
  // The last line ends like all others.
  const patch = structuredPatch("", "", `${before}\n`, `${after}\n`, "", "", options);
  if (patch !== undefined) return patch.hunks.map(({ lines }) => lines);
  return [[...before.split("\n").map((line) => `-${line}`), ...after.split("\n").map((line) => `+${line}`)]];
}

interface Pair {
  /** Without their signs, like those after. Both are the same lines if they are equal. */
  before: string[];
  after: string[];
  isSame: boolean;
}

/**
 * @param lines a part of `listDifferences`
 * @returns runs of equal lines, and runs of lines before with those that take their place
 */
export function toPairs(lines: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  for (const line of lines) {
    const [sign, text] = [line.slice(0, 1), line.slice(1)];
    const isSame = sign === " ";
    const last = pairs.at(-1);
    const pair = last?.isSame === isSame ? last : { before: [], after: [], isSame };
    if (pair !== last) pairs.push(pair);
    if (sign !== "+") pair.before.push(text);
    if (sign !== "-") pair.after.push(text);
  }
  return pairs;
}
