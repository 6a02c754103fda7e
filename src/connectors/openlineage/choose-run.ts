/** Which run of a job decides what the job reads and writes, and which messages may still matter. */
import { compareCodePoints } from "../../catalog/text.ts";
import type { Keyed } from "./bodies.ts";
import type { KeptJobEvent } from "./kept.ts";

/** A run, or one static description of the job. */
export interface JobRun {
  /** The run's id; "" for a JobEvent. */
  id: string;
  /** When it completed; else when it was last heard of. */
  at: string;
  /** 3: completed, with inputs or outputs. 2: completed. 1: not completed. */
  rank: 1 | 2 | 3;
  hasFailed: boolean;
  /** In the order of their times. */
  messages: Keyed<KeptJobEvent>[];
}

/** Messages of one job that are kept, and the characters of them. */
export const MAX_KEPT = 200;
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;
/** A run that was last heard of so long before the deciding one is not expected to complete any more. */
const LOST_AFTER_MS = 30 * 24 * 60 * 60 * 1_000;

export interface Choice {
  /** The run that decides: the highest rank, then the latest by time and id. */
  chosen: JobRun;
  needed: Set<string>;
  /** How many messages were dropped though they might still matter. */
  dropped: number;
}

/** @param messages at least one, in the order of their times */
export function chooseRun(messages: readonly Keyed<KeptJobEvent>[]): Choice {
  const runs = toRuns(messages).toSorted(byRank);
  const chosen = runs.at(-1);
  if (chosen === undefined) throw new Error("a job without messages was settled");
  // A run that completed without inputs and outputs may get them by a message that is still to come.
  const mayMatter = (run: JobRun): boolean => {
    if (run === chosen) return true;
    if (run.rank === 1) return !run.hasFailed && Date.parse(chosen.at) - Date.parse(run.at) < LOST_AFTER_MS;
    return run.rank === 2 && compareTimes(run, chosen) > 0;
  };
  const others = runs.filter((run) => run !== chosen && mayMatter(run)).toSorted(compareTimes);
  // Those that are dropped first come first.
  const wanted = [...others.flatMap((run) => run.messages), ...toDropLast(chosen.messages)];
  let characters = wanted.reduce((sum, { size }) => sum + size, 0);
  let dropped = 0;
  while (wanted.length - dropped > MAX_KEPT || (characters > MAX_KEPT_CHARACTERS && dropped < wanted.length - 1)) {
    characters -= wanted[dropped]?.size ?? 0;
    dropped += 1;
  }
  return { chosen, needed: new Set(wanted.slice(dropped).map(({ key }) => key)), dropped };
}

function toRuns(messages: readonly Keyed<KeptJobEvent>[]): JobRun[] {
  const groups = Map.groupBy(messages, ({ key, body }) => (body.run === null ? `job ${key}` : `run ${body.run.id}`));
  return [...groups.values()].map(toRun);
}

function toRun(messages: Keyed<KeptJobEvent>[]): JobRun {
  const completions = messages.filter(isCompletion);
  const last = (completions.length > 0 ? completions : messages).at(-1);
  const hasData = messages.some(({ body }) => body.inputs.length + body.outputs.length > 0 || tellsLineage(body));
  return {
    id: last?.body.run?.id ?? "",
    at: last?.body.at ?? "",
    rank: completions.length === 0 ? 1 : hasData ? 3 : 2,
    hasFailed: messages.some(({ body }) => body.run?.state === "FAIL" || body.run?.state === "ABORT"),
    messages,
  };
}

/** A JobEvent counts like a run that has completed. */
function isCompletion({ body: { run } }: Keyed<KeptJobEvent>): boolean {
  return run === null || run.state === "COMPLETE";
}

function tellsLineage({ facts }: KeptJobEvent): boolean {
  return (facts.lineage?.value ?? []).length > 0;
}

function byRank(a: JobRun, b: JobRun): number {
  return a.rank - b.rank || compareTimes(a, b);
}

function compareTimes(a: JobRun, b: JobRun): number {
  return (
    compareCodePoints(a.at, b.at) ||
    compareCodePoints(a.id, b.id) ||
    compareCodePoints(a.messages[0]?.key ?? "", b.messages[0]?.key ?? "")
  );
}

/** The message that completes a run is dropped last. */
function toDropLast(messages: readonly Keyed<KeptJobEvent>[]): Keyed<KeptJobEvent>[] {
  return [...messages.filter((each) => !isCompletion(each)), ...messages.filter(isCompletion)];
}
