/** Reads values, amounts and texts that are said of a set. */
import { anyOf, type Condition, not } from "../plan.ts";
import { as, type Cue, is, isColumnType, type WordOf } from "./cue.ts";
import type { SetState } from "./set-state.ts";

export function readValue(s: SetState, cue: Cue): void {
  const { before, next } = s;
  const groups = new Set([before, next].map((each) => as(each, "part")?.group));
  const asked =
    ((is(before, "tagged") || groups.has("tag")) && "tag") ||
    (groups.has("schema") && "schema") ||
    ((is(before, "own") || is(next, "own") || groups.has("owner")) && "owner") ||
    ((is(before, "made") || groups.has("materialization")) && "made");
  const values = cue.words.filter((word) => word.is === "value");
  const fitting = values.filter(({ of }) => of === asked);
  const isOpen = fitting.length === 0 && (!asked || asked === "made");
  const [first, ...others] = (isOpen ? values : fitting).map((value) => value.where);
  if (first === undefined) return;
  const said = others.reduce(anyOf, first);
  const last = s.where.at(-1);
  const other = last?.is === "not" ? last.of : last;
  const isOnce = said.is === "schema" || said.is === "owner" || said.is === "materialization";
  // "what does the X team own"
  const beside = [before, next, groups.has("owner") ? s.cues[s.at + 2] : undefined];
  const group = asked === "made" ? "materialization" : asked || "none";
  s.take(
    ...beside.filter((each) => is(each, "tagged", "own", "made", "connector") || as(each, "part")?.group === group),
  );
  // "in raw and staging": an asset is in one schema, and has one owner.
  if (isOnce && is(before, "and", "comma") && other?.is === said.is && !s.isNegated) {
    const all = { ...other, any: [...other.any, ...said.any] } as Condition;
    s.where.splice(-1, 1, other === last ? all : not(all));
    s.take(cue);
  } else if (!isOnce || s.isEither || s.isNegated || !s.where.some((each) => each.is === said.is)) s.put(said, cue);
}

/** "more than three columns" of what the subject has, "that more than two dashboards use". */
export function readAmount(s: SetState, cue: Cue): void {
  const bound = as(cue, "compare")?.bound;
  const [number, what, verb, object] = s.cues.slice(s.at + (bound === undefined ? 0 : 1));
  const amount = as(number, "number")?.amount;
  const [relation, among] = [as(verb, "relation"), as(what, "type")?.set];
  const measure = isColumnType(what) ? "columns" : as(what, "part")?.measure;
  if (amount === undefined) return;
  const bounds = boundsOf(bound, amount);
  if (bound && relation && among && !is(object, "type", "name"))
    s.put({ is: "measure", of: relation.way, among, ...bounds }, cue, number, what, verb);
  else if (measure !== undefined) s.put({ is: "measure", of: measure, ...bounds }, cue, number, what);
  // "at least one unique test"
  else if (bounds.least === 1 && bounds.most === undefined && is(what, "check")) s.take(cue, number);
}

/** A text that names have, or that somebody wrote. */
export function readText(s: SetState, cue: Cue): void {
  const { before, next } = s;
  // "models with spam in their name"
  const text = isText(next) && !s.used.has(next) ? next : is(cue, "like") ? before : undefined;
  if (!isText(text) || !is(cue, "named", "like", "begins", "mention")) return;
  s.names = s.names.filter((each) => each !== text);
  const value = text.text.replaceAll(/^["'`]|["'`]$/g, "");
  if (is(cue, "mention")) s.put({ is: "text", words: value }, cue, text);
  else if (is(cue, "named")) s.put({ is: "name", any: [value] }, cue, text);
  else s.put({ is: "name part", any: [value], ...(is(cue, "begins") && { begins: true }) }, cue, text);
}

/** As many as a comparison says, or just so many. */
export function boundsOf(
  bound: WordOf<"compare">["bound"] | undefined,
  amount: number,
): { least?: number; most?: number } {
  return bound?.(amount) ?? { least: amount, most: amount };
}

function isText(cue: Cue | undefined): cue is Cue {
  return is(cue, "unknown", "name", "value");
}
