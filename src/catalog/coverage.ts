/** How much of the lineage in an answer the catalog knows. */
import type { ConnectorId, NodeId } from "../ids.ts";
import { compareCodePoints } from "./text.ts";

/** How many gaps an answer lists at most. It counts all of them. */
export const MAX_GAPS = 100;

/** An asset or metric whose lineage may be incomplete. */
export interface Gap {
  id: NodeId;
  reason: string;
}

/** Covers all nodes of an answer, including its root. */
export interface Coverage {
  /** Ids of all connectors that state one of the nodes, ordered by code point. */
  connectors: ConnectorId[];
  /** The first gaps, in the order of the answer. The root comes first. */
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

/**
 * The key of a pipeline's `meta` for the names of the pipelines that read for it, such as the commands of a Spark application.
 * It has no edges from what they read. That leaves a gap in what the pipeline itself is made from, and in nothing that it writes:
 * the parts write that too.
 */
export const READING_PARTS = "parts_that_read";

/** The reason for a node that is only referenced. Nothing is known of what it comes from. */
export const ONLY_REFERENCED = "it is only referenced: no connector states it";

/** The reason for a node that has no gap of its own, if the last sync of its connector ended early. */
export const INCOMPLETE_CRAWL = "the last sync of its connector ended before everything was read";
