/** Which run of a job decides what the job reads and writes, and which messages may still matter. */
import { compareCodePoints } from "../../catalog/text.ts";
import type { JobMessage } from "./bodies.ts";
import { latestOfNames, latestOfRuns, type Memory } from "./memory.ts";

/** A run, or one static description of the job. */
export interface JobRun {
  /** The run's id; "" for a JobEvent. */
  id: string;
  /** When it completed, or the time of its latest event. */
  at: string;
  /** 3: completed, with inputs or outputs. 2: completed. 1: not completed. */
  rank: 1 | 2 | 3;
  hasFailed: boolean;
  /** Those that are kept, in the order of their times. */
  messages: JobMessage[];
  /** Whether the run was too large to keep in full. */
  isCut: boolean;
}

/** Messages of one job that are kept, and the characters of them. */
export const MAX_KEPT = 200;
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;
/** The limits for one run: characters, and pairs of columns. Its most important message is kept in full. */
const MAX_RUN_CHARACTERS = 4 * 1024 * 1024;
const MAX_RUN_PAIRS = 100_000;
/** A run whose latest event is this much older than the deciding run is not expected to complete. */
const LOST_AFTER_MS = 30 * 24 * 60 * 60 * 1_000;

export interface Choice {
  /** The run that decides: the highest rank, then the latest by time and id. */
  chosen: JobRun;
  /** Other runs that completed with inputs or outputs. Their messages are not needed any more. */
  earlier: JobRun[];
  needed: Set<string>;
  /** How many messages were dropped though they might still matter. */
  dropped: number;
  /** What to remember of these messages and of those before. */
  memory: Memory;
}

/** @param messages at least one, in the order of their times */
export function chooseRun(messages: readonly JobMessage[], before: Memory): Choice {
  const groups = Map.groupBy(messages, ({ key, head }) => (head.run === null ? `job ${key}` : `run ${head.run.id}`));
  const runs = [...groups.values()]
    .map((group) => toRun(group, before))
    .toSorted((a, b) => a.rank - b.rank || compareTimes(a, b));
  const chosen = runs.at(-1);
  if (chosen === undefined) throw new Error("a job without messages was stated");
  // A later message may still add inputs and outputs to a run that completed without any.
  const mayMatter = (run: JobRun): boolean => {
    if (run === chosen) return true;
    if (run.rank === 1) return !run.hasFailed && Date.parse(chosen.at) - Date.parse(run.at) < LOST_AFTER_MS;
    return run.rank === 2 && compareTimes(run, chosen) > 0;
  };
  const others = runs.filter((run) => run !== chosen && mayMatter(run)).toSorted(compareTimes);
  // The first of these are dropped first.
  const wanted = [...others.flatMap((run) => run.messages), ...toDropLast(chosen.messages)];
  let characters = wanted.reduce((sum, { size }) => sum + size, 0);
  let dropped = 0;
  while (wanted.length - dropped > MAX_KEPT || (characters > MAX_KEPT_CHARACTERS && dropped < wanted.length - 1)) {
    characters -= wanted[dropped]?.size ?? 0;
    dropped += 1;
  }
  const completed = runs.filter(({ id, rank }) => id !== "" && rank > 1);
  const counting = completed.concat(runs.filter(({ id }) => id === "")).flatMap((run) => run.messages);
  return {
    chosen,
    earlier: runs.filter((run) => run.rank === 3 && run !== chosen),
    needed: new Set(wanted.slice(dropped).map(({ key }) => key)),
    dropped,
    memory: {
      gone: latestOfNames([...before.gone, ...counting.flatMap(({ head }) => head.gone)]),
      tables: latestOfNames([...before.tables, ...messages.flatMap(({ head }) => head.tables)]),
      completed: latestOfRuns([...before.completed, ...completed.map(({ id, at }) => ({ id, at }))]),
      cut: [...others, chosen].filter(({ isCut }) => isCut).map(({ id }) => id),
    },
  };
}

function toRun(messages: JobMessage[], { completed, cut }: Memory): JobRun {
  const id = messages[0]?.head.run?.id ?? "";
  const completions = [
    ...messages.filter(isCompletion).map(({ head }) => head.at),
    ...completed.filter((run) => run.id === id).map(({ at }) => at),
  ].toSorted(compareCodePoints);
  const kept = keepWithinBounds(messages);
  return {
    id,
    at: completions.at(-1) ?? messages.at(-1)?.head.at ?? "",
    rank: completions.length === 0 ? 1 : messages.some(({ head }) => head.hasData) ? 3 : 2,
    hasFailed: messages.some(({ head: { run } }) => run?.state === "FAIL" || run?.state === "ABORT"),
    messages: kept,
    isCut: kept.length < messages.length || (id !== "" && cut.includes(id)),
  };
}

/** If there is too much, leaves out the first of `toDropLast`. */
function keepWithinBounds(messages: JobMessage[]): JobMessage[] {
  let [characters, pairs] = [0, 0];
  const inOrder = toDropLast(messages).toReversed();
  const end = inOrder.findIndex(({ size, head }, i) => {
    characters += size;
    pairs += head.pairs;
    return i > 0 && (characters > MAX_RUN_CHARACTERS || pairs > MAX_RUN_PAIRS);
  });
  if (end === -1) return messages;
  const kept = new Set(inOrder.slice(0, end));
  return messages.filter((message) => kept.has(message));
}

/** A JobEvent counts like a run that has completed. */
function isCompletion({ head: { run } }: JobMessage): boolean {
  return run === null || run.state === "COMPLETE";
}

function compareTimes(a: JobRun, b: JobRun): number {
  return (
    compareCodePoints(a.at, b.at) ||
    compareCodePoints(a.id, b.id) ||
    compareCodePoints(a.messages[0]?.key ?? "", b.messages[0]?.key ?? "")
  );
}

/** The message that completes a run is dropped last. */
function toDropLast(messages: readonly JobMessage[]): JobMessage[] {
  return [...messages.filter((each) => !isCompletion(each)), ...messages.filter(isCompletion)];
}
