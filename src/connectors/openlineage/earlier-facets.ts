/**
 * What a job said about datasets in runs that do not decide any more. A run that says nothing about a facet takes nothing
 * away, so of each facet of a dataset the latest is remembered.
 */
import { compareCodePoints } from "../../catalog/text.ts";
import { latestOf, subjectOf } from "./bodies.ts";
import type { FindDatasetRef } from "./dataset-refs.ts";
import { asSeen, type DatasetFacts, describing, type PlacedNote } from "./kept.ts";
import { type DatasetName, nameKey } from "./naming.ts";
import type { TimedContent } from "./run-datasets.ts";

export interface EarlierFacet extends DatasetName {
  facet: string;
  /** The greatest counts. */
  rank: [completedAt: string, run: string, saidAt: string];
  value: unknown;
}

/** Characters of what is remembered of one job. The oldest is dropped first. */
const MAX_CHARACTERS = 512 * 1024;

export function facetsIn(events: readonly TimedContent[]): EarlierFacet[] {
  return events.flatMap(({ at: saidAt, run: { at, id }, content: { inputs, outputs } }) =>
    [...inputs.map((input) => Object.assign({}, input, { facts: asSeen(input.facts) })), ...outputs].flatMap(
      ({ namespace, name, facts }) =>
        Object.entries(describing(facts)).map(([facet, { value }]): EarlierFacet => {
          return { namespace, name, facet, rank: [at, id, saidAt], value };
        }),
    ),
  );
}

/**
 * The latest of each facet of each dataset, in the order of their ranks.
 * @param decided what the deciding runs say themselves. It is not remembered until another run decides.
 */
export function latestFacets(said: readonly EarlierFacet[], decided: readonly EarlierFacet[]): EarlierFacet[] {
  const latest = new Map(said.toSorted(compareRanks).map((each) => [keyOf(each), each]));
  for (const each of decided) {
    const other = latest.get(keyOf(each));
    if (other !== undefined && compareRanks(other, each) <= 0) latest.delete(keyOf(each));
  }
  const ordered = [...latest.values()].toSorted(compareRanks);
  let characters = 0;
  const dropped = ordered.findLastIndex((each) => (characters += JSON.stringify(each).length) > MAX_CHARACTERS);
  return ordered.slice(dropped + 1);
}

/**
 * What still counts of it, by the subject of the dataset, and is later than what the deciding runs say.
 * @param gone in the order of their times. What was said before does not describe what was made later.
 */
export function factsBySubject(
  { facets, decided }: { facets: readonly EarlierFacet[]; decided: readonly EarlierFacet[] },
  gone: readonly PlacedNote[],
  datasetRefOf: FindDatasetRef,
): Map<string, DatasetFacts> {
  const goneAt = new Map(gone.map((note) => [subjectOf(note.ref), note.goneAt]));
  const own = new Map(
    decided.toSorted(compareRanks).map((each) => [`${each.facet}\n${datasetRefOf(each).subject}`, each]),
  );
  const all = new Map<string, DatasetFacts>();
  for (const each of facets) {
    const { facet, rank, value } = each;
    const [completedAt, , saidAt] = rank;
    const { subject } = datasetRefOf(each);
    const other = own.get(`${facet}\n${subject}`);
    if (other !== undefined && compareRanks(each, other) <= 0) continue;
    if (saidAt <= (goneAt.get(subject) ?? "")) continue;
    Object.assign(
      all.getOrInsertComputed(subject, () => ({})),
      { [facet]: { at: latestOf([completedAt, saidAt]), value } },
    );
  }
  return all;
}

function keyOf(said: EarlierFacet): string {
  return `${said.facet}\n${nameKey(said)}`;
}

function compareRanks(a: EarlierFacet, b: EarlierFacet): number {
  return (
    compareCodePoints(a.rank.join("\n"), b.rank.join("\n")) ||
    compareCodePoints(keyOf(a), keyOf(b)) ||
    compareCodePoints(JSON.stringify(a.value), JSON.stringify(b.value))
  );
}
