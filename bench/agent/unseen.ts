/**
 * The unseen exam, written by somebody who saw the sample and never the agent. Its share right is told apart, and nothing in the
 * agent is tuned to it.
 */
import type { Answerable } from "./question.ts";
import { certification, comparisons, definitions, meaning, owners } from "./questions/unseen/assets.ts";
import { impact, notices, paths, sources, uses } from "./questions/unseen/lineage.ts";
import { columns, counts, dataTypes, finding, syncs } from "./questions/unseen/lookups.ts";

export { unanswerable as unseenUnanswerable } from "./questions/unseen/unanswerable.ts";

export const unseen: Readonly<Record<string, readonly Answerable[]>> = {
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
  "data type": dataTypes,
  "how fresh": syncs,
  compare: comparisons,
};
