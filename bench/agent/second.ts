/**
 * The second exam. Somebody who saw the sample and never the agent wrote it; the agent was first asked it unseen, and has
 * learned from its misses since.
 */
import type { Answerable } from "./question.ts";
import { certification, comparisons, definitions, meaning, owners } from "./questions/second/assets.ts";
import { impact, notices, paths, sources, uses } from "./questions/second/lineage.ts";
import { columns, counts, finding, syncs } from "./questions/second/lookups.ts";

export { unanswerable as secondUnanswerable } from "./questions/second/unanswerable.ts";

export const second: Readonly<Record<string, readonly Answerable[]>> = {
  "what is": meaning,
  "who owns": owners,
  "what feeds": sources,
  "what uses": uses,
  path: paths,
  "what breaks": impact,
  "whom to tell": notices,
  "how defined": definitions,
  "what is certified": certification,
  "where is": finding,
  "how many": counts,
  "columns of": columns,
  "how fresh": syncs,
  compare: comparisons,
};
