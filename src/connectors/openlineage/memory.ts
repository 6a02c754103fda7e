/**
 * What a subject remembers of its messages after they are deleted. It is a note of the subject about itself, so what is
 * stated does not depend on the order in which messages arrive.
 */
import { compareCodePoints } from "../../catalog/text.ts";
import type { Kept, NoteTo } from "../connector.ts";
import { parsingJson } from "../../work/json-values.ts";
import { writingJson } from "../../work/json-slices.ts";
import type { EarlierFacet } from "./earlier-facets.ts";
import type { GoneName, NamedTable } from "./kept.ts";
import { nameKey } from "./naming.ts";
import { JOB } from "./read-event.ts";
import { PATH } from "./paths.ts";
import { type CompletedRun, latestBegun } from "./runs-together.ts";

export interface Memory {
  /** When a dataset last lost each name. */
  gone: GoneName[];
  /** The table of each path, by its latest event. */
  tables: NamedTable[];
  /** The last completed runs of a job. An event of them may still come. */
  completed: CompletedNote[];
  /** Runs that were too large to keep in full, or the larger runs that they are parts of. */
  cut: string[];
  /** The last runs that failed. They may be said to have completed later. */
  failed?: CompletedNote[];
  /** What earlier runs of a job said about datasets. */
  facets?: EarlierFacet[];
}

export interface CompletedNote extends CompletedRun {
  /** Whether it named any dataset. */
  hasData?: boolean;
  /** Whether Airflow says that it is no part. */
  isWhole?: true;
}

/** The longest lists. The oldest entries are dropped first. */
const MAX_NAMES = 1_000;
const MAX_RUNS = 100;

/** Separates the memory of a subject from its own messages. The notes of paths and of other jobs are neither. */
export function* recall(subject: string, kept: readonly Kept[]): Generator<void, { before: Memory; own: Kept[] }> {
  const note = kept.find(({ key }) => key === subject);
  const before: Memory =
    note === undefined
      ? { gone: [], tables: [], completed: [], cut: [] }
      : // Only `remember` writes it.
        ((yield* parsingJson(note.body)) as Memory);
  return { before, own: kept.filter(({ key }) => key !== subject && !key.startsWith(PATH) && !key.startsWith(JOB)) };
}

/** @returns the note, or none if there is nothing to remember */
export function* remember(subject: string, memory: Memory): Generator<void, NoteTo[]> {
  const isEmpty = Object.values(memory).every((list) => list.length === 0);
  return isEmpty ? [] : [{ subject, body: yield* writingJson(memory) }];
}

/** The latest of each name, in the order of their times. */
export function latestOfNames<Said extends GoneName | NamedTable>(said: readonly Said[]): Said[] {
  const ordered = said.toSorted(compareTimes);
  return [...new Map(ordered.map((each) => [nameKey(each), each])).values()].toSorted(compareTimes).slice(-MAX_NAMES);
}

/**
 * The last of each run, in the order of their times.
 * @param kept runs of which messages are kept. They are remembered, however many there are.
 */
export function latestOfRuns(runs: readonly CompletedNote[], kept: ReadonlySet<string>): CompletedNote[] {
  const latest = [...new Map(runs.map((each) => [each.id, each])).values()].toSorted(compareTimes);
  const begun = new Set(latestBegun(latest.filter(({ hasData }) => hasData)));
  return latest.filter((run, i) => i >= latest.length - MAX_RUNS || kept.has(run.id) || begun.has(run));
}

function compareTimes(a: { at: string }, b: { at: string }): number {
  return compareCodePoints(a.at, b.at) || compareCodePoints(JSON.stringify(a), JSON.stringify(b));
}
