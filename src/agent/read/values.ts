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

/** An owner, a tag, a schema or a way to build: the words beside it say which. */
export function readValues(cues: readonly Cue[], at: number): Said | null {
  const [cue, before, next] = [cues[at], cues[at - 1], cues[at + 1]];
  const groups = new Set([before, next].map((each) => as(each, "part")?.group));
  const asked =
    ((is(before, "tagged") || groups.has("tag")) && "tag") ||
    (groups.has("schema") && "schema") ||
    ((is(before, "own") || is(next, "own") || groups.has("owner")) && "owner") ||
    ((is(before, "made") || groups.has("materialization")) && "made");
  const values = cue?.words.filter((word) => word.is === "value") ?? [];
  const fitting = values.filter(({ of }) => of === asked);
  const isOpen = fitting.length === 0 && (!asked || asked === "made");
  const [first, ...others] = (isOpen ? values : fitting).map((value) => value.where);
  if (first === undefined) return null;
  const group = asked === "made" ? "materialization" : asked || "none";
  // "what does the X team own"
  const beside = present(before, next, groups.has("owner") ? cues[at + 2] : undefined);
  const isBeside = (it: Cue): boolean =>
    is(it, "tagged", "own", "made", "connector") || as(it, "part")?.group === group;
  return { where: others.reduce(anyOf, first), taken: beside.filter(isBeside) };
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
