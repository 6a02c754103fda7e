/** Reads values and amounts that are said of a set. */
import { anyOf, type Condition } from "../plan.ts";
import { as, type Cue, is, isColumnType } from "./cue.ts";

/** A condition, and the cues beside the first that it was made of. */
export interface Said {
  where: Condition;
  taken: Cue[];
}

function present(...some: readonly (Cue | undefined)[]): Cue[] {
  return some.filter((cue) => cue !== undefined);
}

const VALUED = ["tag", "schema", "owner", "materialization"] as const;

/** What a cue says that a value beside it is. */
function saidBy(cue: Cue | undefined): string | undefined {
  const verb = is(cue, "own") ? "owner" : is(cue, "made") ? "materialization" : is(cue, "tagged") ? "tag" : undefined;
  return verb ?? as(cue, "part")?.group;
}

/** An owner, a tag, a schema or a way to build: the words beside it say which. */
export function readValues(cues: readonly Cue[], at: number): Said | null {
  const [cue, before, next] = [cues[at], cues[at - 1], cues[at + 1]];
  // "in finance tagged pii": what stands behind may be said of the next value.
  const said = new Set([saidBy(before), is(next, "tagged", "made") ? undefined : saidBy(next)]);
  const asked = VALUED.find((each) => said.has(each));
  const values = cue?.words.filter((word) => word.is === "value").map(({ where }) => where) ?? [];
  const fitting = values.filter((where) => where.is === asked);
  const isOpen = fitting.length === 0 && (asked === undefined || asked === "materialization");
  const [first, ...others] = isOpen ? values : fitting;
  if (first === undefined) return null;
  // "what does the X team own"
  const behind = [before, next].some((each) => as(each, "part")?.group === "owner") ? cues[at + 2] : undefined;
  const isBeside = (it: Cue): boolean =>
    is(it, "tagged", "own", "made", "connector") || (asked !== undefined && as(it, "part")?.group === asked);
  return { where: others.reduce(anyOf, first), taken: present(before, next, behind).filter(isBeside) };
}

/** "more than three columns" of what the subject has. */
export function readAmount(cues: readonly Cue[], at: number): Said | null {
  const bound = as(cues[at], "compare")?.bound;
  const [number, what] = cues.slice(at + (bound === undefined ? 0 : 1));
  const amount = as(number, "number")?.amount;
  const of = isColumnType(what) ? "columns" : as(what, "part")?.measure;
  if (amount === undefined || of === undefined) return null;
  // As many as a comparison says, or just so many.
  const bounds = bound?.(amount) ?? { least: amount, most: amount };
  return { where: { is: "measure", of, ...bounds }, taken: present(number, what) };
}
