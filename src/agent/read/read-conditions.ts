/** Reads what is said of a set by adjectives, values, amounts, texts and dates. */
import { anyOf, type Condition, not } from "../plan.ts";
import { as, type Cue, is } from "./cue.ts";
import { addDays } from "./dates.ts";
import { hasObject, isColumns, isFree, isTables, type SetState } from "./set-state.ts";

export function readAdjective(s: SetState, condition: Condition, index: number): number {
  const [by, owner] = [s.cues[index + 1], s.cues[index + 2]];
  const who = is(by, "in") ? as(owner, "value") : as(by, "value");
  if (condition.is === "certification" && who?.of === "owner" && "any" in who.where) {
    s.take(owner, by);
    s.put({ is: "certified by", who: String(who.where.any[0]) });
    return index + (is(by, "in") ? 2 : 1);
  }
  const date = readDate(s, index + 1);
  if (date !== null && condition.is === "certification") {
    s.put({ is: "date", of: "certified", ...date.span });
    return date.end;
  }
  s.put(condition);
  return index;
}

export function readValue(s: SetState, cue: Cue, previous: Cue | undefined, following: Cue | undefined): void {
  const values = cue.words.filter((word) => word.is === "value");
  const kind = new Set([previous, following].map((each) => as(each, "part")?.group));
  const isTag = is(previous, "tagged") || kind.has("tag");
  const isSchema = kind.has("schema");
  const isOwner = [previous, following].some((each) => is(each, "own")) || kind.has("owner");
  const isMade = is(previous, "made") || kind.has("materialization");
  const asked = (isTag && "tag") || (isSchema && "schema") || (isOwner && "owner") || (isMade && "made") || null;
  const fitting = values.filter(({ of }) => of === asked);
  const meant = fitting.length > 0 ? fitting : asked === "tag" || asked === "schema" ? [] : values;
  const [first, ...others] = meant.map((value) => value.where);
  if (first === undefined) return;
  s.take(
    cue,
    ...[previous, following].filter(
      (each) =>
        is(each, "tagged", "own", "made", "connector") ||
        [asked, asked === "made" ? "materialization" : ""].includes(as(each, "part")?.group ?? "none"),
    ),
  );
  const said = others.reduce(anyOf, first);
  const last = s.where.at(-1);
  // "in raw and staging": an asset is in one schema, and has one owner.
  const isListed = is(previous, "and", "comma") && (said.is === "schema" || said.is === "owner");
  const isOnce = said.is === "schema" || said.is === "owner" || said.is === "materialization";
  const other = last?.is === "not" ? last.of : last;
  if (isListed && other?.is === said.is && !s.isNegated) {
    const all = { ...other, any: [...other.any, ...said.any] } as Condition;
    s.where.splice(-1, 1, other === last ? all : not(all));
  } else if (isOnce && !s.isEither && !s.isNegated && s.where.some((each) => each.is === said.is)) {
    // It cannot be both, so this is not what is asked for.
    for (const each of [cue]) s.used.delete(each);
  } else s.put(said);
}

/** "with a customer_id", "with more than three columns". */
export function readWith(s: SetState, index: number): void {
  for (let i = index; i < s.to; i++) {
    const cue = s.cues[i];
    if (is(cue, "not")) continue;
    const name = as(cue, "name");
    if (is(s.cues[i + 1], "like")) return;
    if (is(cue, "and", "in", "both", "a") || cue === undefined) continue;
    if (name === undefined || !isColumns(name.set) || !isTables(s.subject)) return;
    s.take(cue);
    const negated = s.isNegated;
    s.put({ is: "along", along: { way: "parents", of: name.set } });
    s.isNegated = negated && is(s.cues[i + 1], "or");
  }
}

/** "more than three columns": of what the subject has. */
export function readAmount(s: SetState, index: number): number {
  const [compare, number] = is(s.cues[index], "compare")
    ? [s.cues[index], s.cues[index + 1]]
    : [undefined, s.cues[index]];
  const amount = as(number, "number")?.amount;
  const what = s.cues[index + (compare === undefined ? 1 : 2)];
  const measure = isColumns(as(what, "type")?.set) ? "columns" : as(what, "part")?.measure;
  const [relation, among] = [as(s.cues[index + 3], "relation"), as(what, "type")?.set];
  // "that more than two dashboards use"
  if (
    amount !== undefined &&
    compare !== undefined &&
    relation !== undefined &&
    among !== undefined &&
    !hasObject(s, index + 4)
  ) {
    s.take(compare, number, what, s.cues[index + 3]);
    s.put({ is: "measure", of: relation.way, among, ...as(compare, "compare")?.bound(amount) });
    return index + 3;
  }
  if (amount === undefined || measure === undefined) return index;
  s.take(compare, number, what);
  s.put({
    is: "measure",
    of: measure,
    ...(as(compare, "compare")?.bound ?? ((n) => ({ least: n, most: n })))(amount),
  });
  return index + (compare === undefined ? 1 : 2);
}

/** A text that names have, or that somebody wrote. */
export function readText(s: SetState, cue: Cue, index: number): number {
  const word = s.cues[index + 1];
  // "models with spam in their name"
  const isBehind = !isFree(s, word) || !is(word, "unknown", "name", "value");
  const text = isBehind && is(cue, "like") ? s.cues[index - 1] : word;
  if (text === undefined || !is(text, "unknown", "name", "value")) return index;
  s.take(cue, text);
  s.names = s.names.filter((each) => each !== text);
  const value = text.text.replaceAll(/^["'`]|["'`]$/g, "");
  if (is(cue, "mention")) s.put({ is: "text", words: value });
  else if (is(cue, "named")) s.put({ is: "name", any: [value] });
  else s.put({ is: "name part", any: [value], ...(is(cue, "begins") && { begins: true }) });
  return isBehind ? index : index + 1;
}

export function readDate(s: SetState, index: number): { span: { from?: string; to?: string }; end: number } | null {
  const [first, second] = [s.cues[index], s.cues[index + 1]];
  const [sign, date] = is(first, "date") ? [undefined, as(first, "date")] : [first, as(second, "date")];
  if (date === undefined) return null;
  const text = sign?.text.toLowerCase() ?? "in";
  const span = spanOf(text, date);
  if (span === null) return null;
  s.take(first, ...(sign === undefined ? [] : [second]));
  return { span, end: index + (sign === undefined ? 0 : 1) };
}

function spanOf(sign: string, { from, to }: { from: string; to: string }): { from?: string; to?: string } | null {
  if (/^(?:before|until|till|earlier than)$/.test(sign))
    return { to: sign === "before" || sign === "earlier than" ? addDays(from, -1) : to };
  if (/^(?:after|later than)$/.test(sign)) return { from: addDays(to, 1) };
  if (/^(?:since|from)$/.test(sign)) return { from };
  return /^(?:in|on|during|within|at|of)$/.test(sign) ? { from, to } : null;
}
