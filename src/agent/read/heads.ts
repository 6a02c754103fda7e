/**
 * What a sentence may ask, one head each. The first head that uses every cue that says something has read the sentence.
 */
import type { Thing } from "../catalog.ts";
import { as, type Cue } from "./cue.ts";
import { comparison, impact, more, path } from "./heads/changes-and-paths.ts";
import type { Head } from "./heads/head.ts";
import { aspect, whether } from "./heads/named.ts";
import { connectors, count, groups, list, ordered } from "./heads/sets.ts";

export const HEADS: readonly Head[] = [
  connectors,
  impact,
  comparison,
  more,
  path,
  groups,
  aspect,
  whether,
  ordered,
  count,
  list,
];

/** Names that would fit as well as those that were taken. */
export function rivalsOf(cues: readonly Cue[]): Thing[] {
  return cues.flatMap(
    (cue) =>
      as(cue, "name")
        ?.things.slice(1)
        .filter(({ type }) => type !== "column") ?? [],
  );
}
