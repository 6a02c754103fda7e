/** Reads what is said of a set by adjectives, values, amounts and texts. */
import { anyOf, type Condition, not } from "../plan.ts";
import { as, type Cue, is, isColumnType } from "./cue.ts";
import { hasObject, isFree, type SetState } from "./set-state.ts";

/** The person whom a value names; null if it names none. */
function personOf(cue: Cue | undefined): string | null {
  const value = cue?.words.find((word) => word.is === "value" && word.of === "owner");
  return value?.is === "value" && "any" in value.where ? String(value.where.any[0]) : null;
}

export function readAdjective(s: SetState, condition: Condition, index: number): number {
  const [by, owner] = [s.cues[index + 1], s.cues[index + 2]];
  const who = personOf(is(by, "in") ? owner : by);
  if (condition.is === "certification" && who !== null) {
    s.take(owner, by);
    s.put({ is: "certified by", who });
    return index + (is(by, "in") ? 2 : 1);
  }
  s.put(condition);
  return index;
}

export function readValue(s: SetState, cue: Cue, previous: Cue | undefined, following: Cue | undefined): void {
  const values = cue.words.filter((word) => word.is === "value");
  const who = personOf(cue);
  const isCertifier = is(following, "certify") || as(following, "adjective")?.where.is === "certification";
  // "what has Jonas certified", "metrics that Jonas certified"
  if (who !== null && isCertifier && !is(previous, "own", "in") && !is(s.cues[s.at + 2], "type")) {
    s.take(cue, following);
    s.put({ is: "certified by", who });
    return;
  }
  const kind = new Set([previous, following].map((each) => as(each, "part")?.group));
  const isTag = is(previous, "tagged") || kind.has("tag");
  const isSchema = kind.has("schema");
  const isOwner = [previous, following].some((each) => is(each, "own")) || kind.has("owner");
  const isMade = is(previous, "made") || kind.has("materialization");
  const asked = (isTag && "tag") || (isSchema && "schema") || (isOwner && "owner") || (isMade && "made") || null;
  const fitting = values.filter(({ of }) => of === asked);
  const meant = fitting.length > 0 || (asked !== null && asked !== "made") ? fitting : values;
  const [first, ...others] = meant.map((value) => value.where);
  if (first === undefined) return;
  s.take(
    cue,
    // "what does the X team own"
    ...[previous, following, ...(kind.has("owner") ? [s.cues[s.at + 2]] : [])].filter(
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

/** "more than three columns": of what the subject has. */
export function readAmount(s: SetState, index: number): number {
  const [compare, number] = is(s.cues[index], "compare")
    ? [s.cues[index], s.cues[index + 1]]
    : [undefined, s.cues[index]];
  const amount = as(number, "number")?.amount;
  const what = s.cues[index + (compare === undefined ? 1 : 2)];
  const measure = isColumnType(what) ? "columns" : as(what, "part")?.measure;
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
  // "at least one unique test"
  if (compare !== undefined && as(compare, "compare")?.bound(1).least === amount && is(what, "check")) {
    s.take(compare, number);
    return index + 1;
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
