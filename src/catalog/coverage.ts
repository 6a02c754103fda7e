/** How much the catalog knows of what an answer is about. */
import { compareCodePoints } from "./text.ts";

/** Gaps that an answer lists; it counts them all. */
export const MAX_GAPS = 100;

/** An asset or metric of which lineage may be missing. */
export interface Gap {
  id: string;
  reason: string;
}

/** Of all nodes of an answer, its root included. */
export interface Coverage {
  /** Ids of the connectors that state any of them, in the order of code points. */
  connectors: string[];
  /** The first, in the order of the answer; the root before all. */
  gaps: Gap[];
  gapsTotal: number;
}

/**
 * What several answers together could not know. Gaps that they share count once; where one of them lists only a part of
 * its gaps, the total is the least that there can be.
 */
export function joinCoverage(answers: readonly Coverage[]): Coverage {
  const gaps = new Map(answers.flatMap((answer) => answer.gaps.map((gap) => [gap.id, gap])));
  return {
    connectors: [...new Set(answers.flatMap(({ connectors }) => connectors))].toSorted(compareCodePoints),
    gaps: [...gaps.values()].slice(0, MAX_GAPS),
    gapsTotal: Math.max(gaps.size, ...answers.map(({ gapsTotal }) => gapsTotal)),
  };
}

/**
 * When the oldest of some connectors last completed a crawl; null if one never did, or if there is none.
 * @param times of each connector its last, in ISO 8601
 */
export function oldestCrawl(times: readonly (string | null)[]): string | null {
  const known = times.filter((time) => time !== null).toSorted();
  return known.length === times.length ? (known[0] ?? null) : null;
}

/** The reason of a node that has no gap of its own, and whose connector has not told all that it should. */
export const INCOMPLETE_CRAWL = "the last crawl of its connector ended before everything was read";
