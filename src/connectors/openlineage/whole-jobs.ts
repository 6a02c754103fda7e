/**
 * Jobs that are parts of others, such as the commands of a Spark application. A part tells the whole what it writes, and the
 * whole answers what the part cannot know: the jobs around the whole, and what other parts of a later run write in its place.
 */
import { READING_PARTS } from "../../catalog/coverage.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { Kept, NoteTo } from "../connector.ts";
import type { FindDatasetRef } from "./dataset-refs.ts";
import type { JobFacts } from "./kept.ts";
import { type DatasetName, nameKey } from "./naming.ts";
import { JOB } from "./read-event.ts";
import type { RunDataset, TimedContent } from "./run-datasets.ts";
import { type CompletedRun, outerOf } from "./runs-together.ts";

/** How many parts a pipeline names. */
const MAX_NAMED = 100;

/** When a part last wrote a dataset. */
interface Write {
  subject: string;
  /** The outermost run that is known. What is written within one counts together. */
  within: string;
  at: string;
}

/** What a part tells a job that it is a part of. */
interface PartNote {
  kind: "part";
  name: string;
  /** Whether the job is the nearest that it is a part of. Only that one answers. */
  isNearest: boolean;
  /** Whether it reads any dataset. */
  reads: boolean;
  /** Empty if others do not write in its place. */
  writes: Write[];
}

/** What the nearest of these answers. */
interface WholeNote {
  kind: "whole";
  /** The jobs that the whole is a part of. */
  wholes: DatasetName[];
  /** The subjects of the datasets that the part does not write any more. */
  replaced: string[];
}

/** What is known of other jobs. */
export interface OtherJobs {
  /** The notes of its parts, by their subjects. */
  parts: [subject: string, note: PartNote][];
  /** The answers of jobs that it is a part of, by their subjects. */
  answers: ReadonlyMap<string, WholeNote>;
}

/** A job that others name, and that sends no events itself. */
export function jobOfSubject(subject: string): DatasetName {
  const [namespace = "", ...name] = subject.slice(JOB.length).split("\n");
  return { namespace, name: name.join("\n") };
}

export function otherJobs(subject: string, kept: readonly Kept[]): OtherJobs {
  const notes = kept
    .filter(({ key }) => key.startsWith(JOB) && key !== subject)
    .map(({ key, body }) => [key, JSON.parse(body) as PartNote | WholeNote] as const);
  return {
    parts: notes.flatMap(([key, note]) => (note.kind === "part" ? [[key, note]] : [])),
    answers: new Map(notes.flatMap(([key, note]) => (note.kind === "whole" ? [[key, note] as const] : []))),
  };
}

/** What a pipeline's `meta` tells of the parts that read for it. */
export function metaOfParts({ parts }: OtherJobs): Record<string, unknown> {
  const names = parts.flatMap(([, { reads, name }]) => (reads ? [name] : [])).toSorted(compareCodePoints);
  return { [READING_PARTS]: names.slice(0, MAX_NAMED) };
}

/** Whether it is a command of a Spark application. Spark names it by its plan, which differs from run to run. */
export function isSparkCommand(facts: JobFacts): boolean {
  return isFrom("SPARK", facts) && !isOfType("APPLICATION", facts) && facts.parent?.value != null;
}

/** Spark's commands that replace a table run another one for its data. Only that one tells lineage. */
export function isWrapper({ name }: DatasetName, facts: JobFacts): boolean {
  return isFrom("SPARK", facts) && /\.atomic_\w+_as_select\b/.test(name);
}

/**
 * The jobs that the job is a part of, the nearest first. They write what the job writes, as a DAG of Airflow writes what its
 * tasks do. A DAG is a part of nothing: its run names as its parent what started it, which differs from run to run. The tasks
 * of such a run name the same DAG as the outermost job. What is a part of a DAG has a name that begins with the DAG's.
 */
export function wholesOf(facts: JobFacts, own: DatasetName): DatasetName[] {
  const isAirflow = isFrom("AIRFLOW", facts);
  if (!facts.parent?.value || (isAirflow && isOfType("DAG", facts))) return [];
  const { job, root } = facts.parent.value;
  const isWithin = root !== null && (!isAirflow || own.name.startsWith(`${root.name}.`));
  const wholes = isWithin && nameKey(root) !== nameKey(job) ? [job, root] : [job];
  // What a job tells its own subject is its memory.
  return wholes.filter((whole) => nameKey(whole) !== nameKey(own));
}

/**
 * The jobs around a job, the nearest first. It names the nearest one and the outermost one. The nearest one knows those
 * in between, unless it was last run by others.
 */
export function wholesAround(own: readonly DatasetName[], facts: JobFacts, others: OtherJobs): DatasetName[] {
  const [nearest] = own;
  if (nearest === undefined || isFrom("AIRFLOW", facts)) return [...own];
  const { answers, parts } = others;
  // Jobs may name each other in a circle.
  const within = new Set(parts.flatMap(([subject, { isNearest }]) => (isNearest ? [subject] : [])));
  const wholes = answers.get(subjectOfJob(nearest))?.wholes ?? [];
  const [root, outermost] = [facts.parent?.value?.root, wholes.at(-1)];
  const isSame = outermost !== undefined && (!root || nameKey(root) === nameKey(outermost));
  const inBetween = wholes.filter((whole) => !within.has(subjectOfJob(whole)));
  return [
    ...new Map(
      [...own.slice(0, 1), ...(isSame ? inBetween : []), ...own.slice(1)].map((w) => [nameKey(w), w]),
    ).values(),
  ];
}

/** Leaves out what the job does not write any more. Once it writes nothing any more, what it read does not count either. */
export function withoutReplaced(
  datasets: readonly RunDataset[],
  [nearest]: readonly DatasetName[],
  { answers }: OtherJobs,
): RunDataset[] {
  const replaced = new Set(nearest && answers.get(subjectOfJob(nearest))?.replaced);
  const filled = datasets.filter(({ isFilled }) => isFilled);
  const isReplaced = ({ subject }: RunDataset): boolean => replaced.has(subject);
  if (filled.length > 0 && filled.every(isReplaced)) return [];
  return datasets.map((dataset) =>
    isReplaced(dataset) ? Object.assign({}, dataset, { isFilled: false, isWritten: false }) : dataset,
  );
}

/**
 * The notes to all jobs that the job is a part of. Airflow's tasks send none: each states what it reads and writes.
 * @param told as the deciding run says it, with what others write in its place
 */
export function notesToWholes(
  name: string,
  { wholes, facts }: { wholes: readonly DatasetName[]; facts: JobFacts },
  { told, datasets }: { told: readonly RunDataset[]; datasets: readonly RunDataset[] },
  lastWrites: ReadonlyMap<string, Write>,
): NoteTo[] {
  if (isFrom("AIRFLOW", facts)) return [];
  const reads = datasets.some(({ isRead }) => isRead);
  const writes = isSparkCommand(facts)
    ? told.flatMap(({ subject, isWritten }) => (isWritten ? (lastWrites.get(subject) ?? []) : []))
    : [];
  return wholes.flatMap((whole, i) => {
    const note: PartNote = { kind: "part", name, isNearest: i === 0, reads, writes: i === 0 ? writes : [] };
    const counts = (i === 0 ? told : datasets).some(({ isRead, isFilled }) => isRead || isFilled);
    return counts ? [{ subject: subjectOfJob(whole), body: JSON.stringify(note) }] : [];
  });
}

/** For each dataset, by its subject, the last run that has it as an output. */
export function lastWritesOf(events: readonly TimedContent[], datasetRefOf: FindDatasetRef): Map<string, Write> {
  const last = new Map<string, Write>();
  for (const { run, content } of events) {
    for (const { subject } of content.outputs.map(datasetRefOf)) {
      if (run.at >= (last.get(subject)?.at ?? "")) last.set(subject, { subject, within: outerOf(run), at: run.at });
    }
  }
  return last;
}

/**
 * What a part wrote is replaced once a later run of the whole has completed, and another part has written the dataset later. The
 * part would have written it in that run itself. The answers say so to the parts.
 * @param completed the last runs of the whole that completed
 */
export function answersToParts(
  { parts }: OtherJobs,
  own: readonly DatasetName[],
  completed: readonly CompletedRun[],
): NoteTo[] {
  const runs = latestOfTwo(completed.map((run) => ({ at: run.at, within: outerOf(run) })));
  const writes = Map.groupBy(
    parts.flatMap(([, note]) => note.writes),
    ({ subject }) => subject,
  );
  const latest = new Map([...writes].map(([subject, all]) => [subject, latestOfTwo(all)]));
  const isReplaced = (write: Write): boolean =>
    [runs, latest.get(write.subject) ?? []].every((all) => all.some((other) => isLater(other, write)));
  // Two jobs that name each other as their whole get no answer. What is answered depends on no answer, so this ends.
  const around = new Set(own.map(subjectOfJob));
  return parts
    .filter(([subject, { isNearest }]) => isNearest && !around.has(subject))
    .map(([subject, note]) => {
      const replaced = note.writes.filter(isReplaced).map((write) => write.subject);
      return { subject, body: JSON.stringify({ kind: "whole", wholes: [...own], replaced } satisfies WholeNote) };
    });
}

type Timed = Omit<Write, "subject">;

function isLater(other: Timed, { at, within }: Timed): boolean {
  return other.at > at && other.within !== within;
}

/** The latest, and the latest within another run: if any is later than a write, one of these is. */
function latestOfTwo(all: readonly Timed[]): Timed[] {
  const [latest, ...others] = all.toSorted((a, b) => compareCodePoints(b.at, a.at));
  const other = others.find(({ within }) => within !== latest?.within);
  return [latest ?? [], other ?? []].flat();
}

function isFrom(integration: "AIRFLOW" | "SPARK", { type }: JobFacts): boolean {
  return type?.value?.integration.toUpperCase() === integration;
}

function isOfType(jobType: "APPLICATION" | "DAG", { type }: JobFacts): boolean {
  return type?.value?.jobType.toUpperCase() === jobType;
}

function subjectOfJob({ namespace, name }: DatasetName): string {
  return `${JOB}${namespace}\n${name}`;
}
