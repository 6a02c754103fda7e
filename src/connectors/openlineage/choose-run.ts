/** Which runs of a job decide what the job reads and writes, and which messages may still matter. */
import { compareCodePoints } from "../../catalog/text.ts";
import { compareMessages, type JobMessage } from "./bodies.ts";
import type { GoneName } from "./kept.ts";
import { type CompletedNote, latestOfNames, latestOfRuns, type Memory } from "./memory.ts";
import { type CompletedRun, latestBegun, outerOf, runsTogether } from "./runs-together.ts";

/** A run, or one static description of the job. */
export interface JobRun extends CompletedRun {
  /** The run's id; for a JobEvent one that begins with "#", which is less than every character of a run's id. */
  id: string;
  /** When it completed, or the time of its latest event. */
  at: string;
  /** 3: completed, with inputs or outputs. 2: completed. 1: not completed. */
  rank: 1 | 2 | 3;
  /** Whether Airflow says that it is no part. */
  isWhole: boolean;
  hasFailed: boolean;
  /** Those that are kept, in the order of their times. */
  messages: JobMessage[];
  /** Whether the run was too large to keep in full. */
  isCut: boolean;
}

const STATIC = "#";

/** Fewer messages are kept of runs that have not completed. The characters are those of all that is kept of one job. */
export const MAX_KEPT = 200;
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;
/**
 * The limits for one run, and for runs that decide together: messages, characters, and pairs of columns. The most important
 * message is kept in full. Airflow maps a task to at most 1,024 runs, if it is not told otherwise.
 */
const MAX_RUN_MESSAGES = 2_048;
const MAX_RUN_CHARACTERS = 4 * 1024 * 1024;
const MAX_RUN_PAIRS = 100_000;
/** A run whose latest event is this much older than the deciding run is not expected to complete. */
const LOST_AFTER_MS = 30 * 24 * 60 * 60 * 1_000;

export interface Choice {
  /** What decides: the run of the highest rank, then the latest by time and id, with those that decide together with it. */
  chosen: JobRun;
  /** The runs of its messages. Those that describe the job come last. */
  together: JobRun[];
  /** What decides if it turns out that the deciding runs failed: a failure may be told after a completion. */
  spare: JobRun[];
  /** Other runs that completed with inputs or outputs. */
  earlier: JobRun[];
  /** When a dataset last lost each name. */
  gone: GoneName[];
  needed: Set<string>;
  /** How many messages were dropped though they might still matter. */
  dropped: number;
  /** What to remember of these messages and of those before. */
  memory: Memory;
}

/** @param messages at least one, in the order of their times */
export function chooseRun(messages: readonly JobMessage[], before: Memory): Choice {
  const groups = Map.groupBy(messages, ({ key, head }) => head.run?.id ?? `${STATIC}${key}`);
  const known = new Map(before.completed.map((run) => [run.id, run]));
  const cut = new Set(before.cut);
  const failures = messages.filter(isFailure).map(({ head: { run, at } }) => ({ id: run?.id ?? "", at }));
  const failed = latestOfRuns([...(before.failed ?? []), ...failures], new Set());
  const hasFailed = new Set(failed.map(({ id }) => id));
  const runs = [...groups]
    .map(([id, group]) => toRun(id, group, { note: known.get(id), cut, hasFailed: hasFailed.has(id) }))
    .toSorted((a, b) => a.rank - b.rank || compareTimes(a, b));
  const last = runs.at(-1);
  if (last === undefined) throw new Error("a job without messages was stated");
  const completed = runs.filter(({ rank }) => rank > 1);
  const notes = [...before.completed, ...completed.map(noteOf)].filter(({ id }) => !hasFailed.has(id));
  const { deciding, waiting } = chooseTogether(runs, notes);
  const together = deciding.length > 0 ? deciding : [last];
  const ids = new Set(together.map(({ id }) => id));
  const chosen = join(together);
  const isOther = ({ id }: CompletedRun): boolean => !ids.has(id);
  const isLost = (run: JobRun): boolean => Date.parse(chosen.at) - Date.parse(run.at) >= LOST_AFTER_MS;
  const { deciding: decidedBefore } = chooseTogether(runs.filter(isOther), notes.filter(isOther));
  const spare =
    decidedBefore.length > 0
      ? decidedBefore
      : runs.filter((run) => isOther(run) && (run.rank > 1 || !isLost(run))).slice(-1);
  // A later message may still add inputs and outputs to a run that completed without any. Of a part, only such messages count.
  const mayMatter = (run: JobRun): boolean => {
    if (run.rank === 1) return !run.hasFailed && !isLost(run);
    return run.rank === 2 && run.partOf === undefined && compareTimes(run, chosen) > 0;
  };
  const others = runs.filter((run) => run !== last && mayMatter(run)).toSorted(compareTimes);
  // The first of these are dropped first.
  const wanted = [...others.flatMap((run) => run.messages), ...toDropLast(chosen.messages)];
  let characters = wanted.reduce((sum, { size }) => sum + size, 0);
  let dropped = 0;
  while (
    wanted.length - dropped >= MAX_KEPT + chosen.messages.length ||
    (characters > MAX_KEPT_CHARACTERS && dropped < wanted.length - 1)
  ) {
    characters -= wanted[dropped]?.size ?? 0;
    dropped += 1;
  }
  const waitingParts = [waiting, spare]
    .filter((parts) => parts.length > 0)
    .map((parts) => ({ parts, run: join(parts) }));
  const needed = wanted.slice(dropped).concat(waitingParts.flatMap(({ run }) => run.messages));
  const keys = new Set(needed.map(({ key }) => key));
  const counting = completed.flatMap((run) => run.messages);
  const goneIn = (those: readonly JobMessage[]) =>
    latestOfNames([...before.gone, ...those.flatMap(({ head }) => head.gone)]);
  return {
    chosen,
    together: together.toSorted(compareParts),
    spare,
    earlier: runs.filter((run) => run.rank === 3 && isOther(run)),
    gone: goneIn(counting),
    needed: keys,
    dropped,
    memory: {
      // What is still kept may turn out to be of a run that failed.
      gone: goneIn(counting.filter(({ key }) => !keys.has(key))),
      tables: latestOfNames([...before.tables, ...messages.flatMap(({ head }) => head.tables)]),
      completed: latestOfRuns(notes, new Set(needed.flatMap(({ head }) => head.run?.id ?? []))),
      cut: [
        ...others.filter(({ isCut }) => isCut).map(({ id }) => id),
        ...new Set(
          [{ parts: together, run: chosen }, ...waitingParts].flatMap(({ parts, run }) =>
            run.isCut ? parts.map(outerOf) : [],
          ),
        ),
      ],
      failed,
    },
  };
}

/** The runs that decide, the latest first, and those of which the messages are kept because they may decide again. */
function chooseTogether(runs: readonly JobRun[], notes: readonly CompletedNote[]) {
  const told = withoutRepeated(runs.filter(({ rank }) => rank === 3));
  const ids = new Set(runs.map(({ id }) => id));
  // Runs whose messages are deleted still replace others. Of parts without numbers, only their larger run counts.
  const gone = notes.filter(({ id, hasData }) => hasData && !ids.has(id));
  const replacing = gone.filter(({ partOf }) => partOf?.index !== null).map((run) => Object.assign({ run: null }, run));
  const ordered = [...told.map((run) => Object.assign({}, run, { run })), ...replacing].toSorted(compareTimes);
  const begun = latestBegun(notes.filter(({ hasData }) => hasData));
  const { deciding, waiting } = runsTogether(ordered, begun);
  return { deciding: deciding.flatMap(({ run }) => run ?? []), waiting: waiting.flatMap(({ run }) => run ?? []) };
}

/** Leaves out what a later message of the same run says too, and parts without numbers that later ones repeat. */
function withoutRepeated(ordered: readonly JobRun[]): JobRun[] {
  const said = new Map<string, Set<string>>();
  const told: JobRun[] = [];
  for (const run of ordered.toReversed()) {
    const { partOf } = run;
    if (partOf === undefined) {
      told.push(run);
      continue;
    }
    // Which of the others are kept depends on the order of arrival.
    const own = run.messages.filter(({ head }) => head.hasData);
    const later = partOf.index === null ? said.getOrInsertComputed(outerOf(run), () => new Set()) : new Set();
    if (partOf.index === null && own.every((message) => later.has(saidBy(message)))) continue;
    const messages = own.filter(
      (message, i) =>
        !own
          .slice(i + 1)
          .some((other) => saidBy(other) === saidBy(message) && (isCompletion(other) || !isCompletion(message))),
    );
    for (const message of own) later.add(saidBy(message));
    told.push({ ...run, messages });
  }
  return told;
}

/** An event that does not itself name the larger run is compared with none. */
function saidBy({ key, head }: JobMessage): string {
  return head.says ?? key;
}

/** @param runs at least one, the latest first */
function join(runs: readonly JobRun[]): JobRun {
  const [latest, ...others] = runs;
  if (latest === undefined) throw new Error("no run was joined");
  if (others.length === 0) return latest;
  const all = runs.flatMap((run) => run.messages).toSorted(compareMessages);
  const messages = keepWithinBounds(all);
  return { ...latest, messages, isCut: messages.length < all.length || runs.some(({ isCut }) => isCut) };
}

/** The first part comes last: it describes the job, so that the description does not depend on which part ends last. */
function compareParts(a: JobRun, b: JobRun): number {
  const [one, other] = [a, b].map(
    ({ partOf, messages }) => [partOf?.index ?? 0, messages[0]?.head.says ?? ""] as const,
  );
  if (one === undefined || other === undefined) return 0;
  return other[0] - one[0] || compareCodePoints(other[1], one[1]);
}

function noteOf({ id, at, rank, partOf, isWhole }: JobRun): CompletedNote {
  return { id, at, ...(rank === 3 && { hasData: true }), ...(partOf && { partOf }), ...(isWhole && { isWhole }) };
}

/** A run that failed has not completed, whatever else it says: Spark says both of some runs. */
function toRun(
  id: string,
  messages: JobMessage[],
  { note, cut, hasFailed }: { note: CompletedNote | undefined; cut: ReadonlySet<string>; hasFailed: boolean },
): JobRun {
  const ended = [...messages.filter(isCompletion).map(({ head }) => head.at), ...(note ? [note.at] : [])];
  const completions = hasFailed ? [] : ended;
  const kept = keepWithinBounds(messages);
  const hasData = note?.hasData === true || messages.some(({ head }) => head.hasData);
  // Any event of the run may have the facet of Airflow. A number counts most.
  const told = [...messages.map(({ head }) => head), ...(note ? [note] : [])];
  const numbered = told.findLast(({ partOf }) => partOf != null && partOf.index !== null);
  const isWhole = told.some((each) => each.isWhole);
  const partOf = (numbered ?? (isWhole ? undefined : told.findLast((each) => each.partOf)))?.partOf;
  return {
    id,
    at: completions.toSorted(compareCodePoints).at(-1) ?? messages.at(-1)?.head.at ?? "",
    rank: completions.length === 0 ? 1 : hasData ? 3 : 2,
    ...(partOf && { partOf }),
    isWhole,
    hasFailed,
    messages: kept,
    isCut: kept.length < messages.length || cut.has(id) || (partOf !== undefined && cut.has(partOf.run)),
  };
}

/** If there is too much, leaves out the first of `toDropLast`. */
function keepWithinBounds(messages: JobMessage[]): JobMessage[] {
  let [characters, pairs] = [0, 0];
  const inOrder = toDropLast(messages).toReversed();
  const end = inOrder.findIndex(({ size, head }, i) => {
    characters += size;
    pairs += head.pairs;
    return i > 0 && (i >= MAX_RUN_MESSAGES || characters > MAX_RUN_CHARACTERS || pairs > MAX_RUN_PAIRS);
  });
  if (end === -1) return messages;
  const kept = new Set(inOrder.slice(0, end));
  return messages.filter((message) => kept.has(message));
}

/** A JobEvent counts like a run that has completed. */
function isCompletion({ head: { run } }: JobMessage): boolean {
  return run === null || run.state === "COMPLETE";
}

function isFailure({ head: { run } }: JobMessage): boolean {
  return run?.state === "FAIL" || run?.state === "ABORT";
}

function compareTimes(a: CompletedRun, b: CompletedRun): number {
  return compareCodePoints(a.at, b.at) || compareCodePoints(a.id, b.id);
}

/** The message that completes a run is dropped last. */
function toDropLast(messages: readonly JobMessage[]): JobMessage[] {
  return [...messages.filter((each) => !isCompletion(each)), ...messages.filter(isCompletion)];
}

export function isStatic({ id }: JobRun): boolean {
  return id.startsWith(STATIC);
}
