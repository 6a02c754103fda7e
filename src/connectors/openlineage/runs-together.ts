/**
 * Which completed runs of a job decide together. As a rule that is the latest one. But a run may be a part of a larger one
 * that runs the job several times, as a DAG run of Airflow runs a mapped task once for each index.
 */
import { compareCodePoints } from "../../catalog/text.ts";
import type { PartOf } from "./kept.ts";

export interface CompletedRun {
  id: string;
  /** When it completed. */
  at: string;
  /** Undefined: it is the whole of what the job does. */
  partOf?: PartOf | undefined;
}

/** A part stays until so many later runs have begun: the one that is telling its parts, and the one after it. */
const MAX_LATER = 2;

/** The id of the larger run; that of the run itself if it is no part. */
export function outerOf({ id, partOf }: CompletedRun): string {
  return partOf?.run ?? id;
}

/**
 * @param ordered runs that completed with inputs or outputs, in the order of their times
 * @param begun those of `latestBegun`
 * @returns those that decide, the latest first, and those that may decide again when more is known of their larger run.
 *   A run that is in neither never will, whatever is told later. So its messages are not needed, in any order of arrival.
 */
export function runsTogether<Run extends CompletedRun>(
  ordered: readonly Run[],
  begun: readonly CompletedRun[],
): { deciding: Run[]; waiting: Run[] } {
  const live: Run[] = [];
  const indexes = new Set<number>();
  for (const run of ordered.toReversed()) {
    // Nothing that is older than a run of the whole job counts, and such a run is replaced by any later one.
    if (run.partOf === undefined && live.length > 0) break;
    const later = begun.filter((other) => outerOf(other) !== outerOf(run) && beganAt(other) > run.at);
    const index = run.partOf?.index ?? null;
    if (later.length < MAX_LATER && (index === null || !indexes.has(index))) live.push(run);
    if (index !== null) indexes.add(index);
    if (run.partOf === undefined) break;
  }
  // Parts without a number replace those of the larger run before together, as soon as they are as many.
  const counts = new Map<string, number>();
  for (const run of live) if (run.partOf?.index === null) counts.set(outerOf(run), (counts.get(outerOf(run)) ?? 0) + 1);
  const newest = live[0] && outerOf(live[0]);
  const mostly = counts.get(newest ?? "") ?? 0;
  const isReplaced = (run: Run): boolean =>
    run.partOf?.index === null && outerOf(run) !== newest && (counts.get(outerOf(run)) ?? 0) <= mostly;
  return { deciding: live.filter((run) => !isReplaced(run)), waiting: live.filter(isReplaced) };
}

/** For each of the larger runs that began last, one more than are needed, the run that tells when. */
export function latestBegun<Run extends CompletedRun>(runs: readonly Run[]): Run[] {
  const latest = new Map<string, Run>();
  for (const run of runs) {
    const other = latest.get(outerOf(run));
    if (other === undefined || beganAt(other) < beganAt(run)) latest.set(outerOf(run), run);
  }
  return [...latest.values()]
    .toSorted((a, b) => compareCodePoints(beganAt(b), beganAt(a)) || compareCodePoints(outerOf(b), outerOf(a)))
    .slice(0, MAX_LATER + 1);
}

/** When the larger run began, as far as the run tells it. It cannot be later than the run itself. */
function beganAt({ at, partOf }: CompletedRun): string {
  return partOf?.began != null && partOf.began < at ? partOf.began : at;
}
