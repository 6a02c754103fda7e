/** The exam: questions over the sample in people's words, by what they ask. README.md says how to read an item. */
import { certification } from "./questions/certification.ts";
import { comparisons } from "./questions/comparisons.ts";
import { counts } from "./questions/counts.ts";
import { definitions } from "./questions/definitions.ts";
import { finding } from "./questions/finding.ts";
import { impact } from "./questions/impact.ts";
import { meaning } from "./questions/meaning.ts";
import { notices } from "./questions/notices.ts";
import { owners } from "./questions/owners.ts";
import { paths } from "./questions/paths.ts";
import { sources } from "./questions/sources.ts";
import { syncs } from "./questions/syncs.ts";
import { uses } from "./questions/uses.ts";
import type { Answerable } from "./question.ts";

export { unanswerable } from "./questions/unanswerable.ts";

export const answerable: Readonly<Record<string, readonly Answerable[]>> = {
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
  "how fresh": syncs,
  compare: comparisons,
};
