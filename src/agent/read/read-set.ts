/** Reads a set of assets: one pass from left to right makes each cue a condition. What it cannot place stays unused. */
import type { Condition, Things } from "../plan.ts";
import { LAYER_BEGINNINGS } from "../names/words.ts";
import { as, type Cue, hasCue, is, isColumnType, type WordOf } from "./cue.ts";
import { tableOf } from "./join-cues.ts";
import { readAdjective, readAmount, readText, readValue } from "./read-conditions.ts";
import { readBetween, readRelation } from "./read-relation.ts";
import {
  along,
  hasObject,
  inverse,
  isColumns,
  isTables,
  SetState,
  withConditions,
  type SetRead,
  isFree,
} from "./set-state.ts";

const LAYERS = new Set([...LAYER_BEGINNINGS.values()].flat());

/** @param used takes every cue that a condition was made of */
export function readSet(cues: readonly Cue[], used: Set<Cue>, from = 0): SetRead {
  const readInner = (at: number): SetRead => readSet(cues, used, at);
  const s = new SetState(cues, used, from, readInner);
  for (; s.at < cues.length; s.at++) {
    const cue = s.cues[s.at];
    const next = s.cues[s.at + 1];
    const before = s.cues[s.at - 1];
    if (!isFree(s, cue)) continue;
    if (s.isInner && is(cue, "and", "comma") && (s.subject !== undefined || s.where.length > 0)) break;
    const relation = as(cue, "relation");
    const part = as(cue, "part");
    const typed = as(cue, "type");
    const adjective = as(cue, "adjective");
    if (is(cue, "every")) {
      s.isEvery = true;
      s.take(cue);
    } else if (is(cue, "without", "not", "except", "outside")) {
      s.isNegated = !s.isNegated;
      s.take(cue);
    } else if (is(cue, "or")) {
      // The other end of it is the next condition.
      const isOfTypes = s.type !== undefined && before === s.type && is(next, "type");
      if (s.where.length > 0 && !s.isNegated && !isOfTypes) {
        // "without A or B", "neither A nor B": none of them.
        if (s.wasNegated && isNoun(next)) s.isNegated = true;
        else s.isEither = true;
        s.take(cue);
      }
    } else if (is(cue, "and") && s.wasNegated && isNoun(next) && isWithoutBefore(s)) {
      s.isNegated = true;
      s.take(cue);
    } else if (is(cue, "name") && !(typed !== undefined && s.subject === undefined)) {
      s.at = readName(s, cue, s.at);
    } else if (is(cue, "tagged") && is(next, "unknown")) {
      // Nobody has this tag.
      s.take(cue, next);
      s.put({ is: "tag", any: [next?.text ?? ""] });
    } else if (is(cue, "value")) {
      readValue(s, cue, before, next);
    } else if (
      is(cue, "own") &&
      s.subject !== undefined &&
      !hasCue(s.isNegated ? s.cues.slice(s.at + 1, s.at + 2) : s.cues, "who", "value")
    ) {
      // "that nobody owns", "does anybody own it"
      s.take(cue);
      s.put({ is: "has", feature: "owner" });
    } else if (is(cue, "compare") || (is(cue, "number") && is(next, "type", "part") && is(before, "with"))) {
      s.at = readAmount(s, s.at);
    } else if (relation !== undefined && adjective === undefined) {
      s.at = readRelation(s, relation, s.at);
    } else if (typed !== undefined) {
      s.at = readType(s, cue, typed.set, s.at);
    } else if (adjective !== undefined) {
      s.take(cue);
      s.at = readAdjective(s, adjective.where, s.at);
    } else if (is(cue, "check")) {
      const { any } = as(cue, "check") as WordOf<"check">;
      s.take(
        cue,
        ...s.cues.filter((each) => as(each, "part")?.aspect === "checks" || as(each, "adjective")?.where.is === "has"),
      );
      s.put({ is: "checked by", any });
    } else if (part?.aspect === "certification" && as(next, "adjective")?.where.is === "certification") {
      s.take(cue);
    } else if (part?.aspect === "data type" && is(next, "unknown", "adjective", "value")) {
      s.take(cue, next);
      s.put({ is: "data type", any: [next?.text ?? ""] });
    } else if (is(cue, "unknown") && cue.text.includes("_") && as(next, "part")?.aspect === "checks") {
      s.take(cue, next);
      s.put({ is: "checked by", any: [cue.text] });
    } else if (part?.way !== undefined && part.way !== "both") {
      if (s.isNegated || is(before, "with", "without")) s.put({ is: "has", feature: part.way });
      else
        s.reach = {
          way: part.way,
          ...(part.depth && { depth: part.depth }),
          ...(part.isLoose && { isLoose: true }),
          cue,
        };
      s.take(cue);
    } else if (part?.feature !== undefined && (s.isNegated || is(before, "with", "without"))) {
      s.take(cue);
      s.put({ is: "has", feature: part.feature });
    } else if (is(cue, "between")) {
      s.at = readBetween(s, s.at);
    } else if (is(cue, "named", "like", "begins", "mention")) {
      s.at = readText(s, cue, s.at);
    }
  }
  if (s.isNegated)
    for (const cue of s.cues.slice(s.from, s.at)) if (is(cue, "not", "without", "except")) s.used.delete(cue);
  settleNames(s);
  return { set: s.subject ?? {}, where: ofColumns(s), names: s.names, isEvery: s.isEvery, end: s.at };
}

/** A name where no relation is said beside it. */
function readName(s: SetState, cue: Cue, index: number): number {
  const name = as(cue, "name") as WordOf<"name">;
  // Which columns one table has and another has not is told by their names: a comparison does that.
  const table = isColumns(s.subject) ? tableOf(cue) : null;
  if (s.isNegated && table !== null) s.names.push(cue);
  else if (s.isNegated && is(s.cues[index - 1], "except")) {
    s.take(cue);
    s.put({ is: "among", things: name.set });
  } else if (table !== null && (is(s.cues[index - 1], "in") || !is(s.cues[index + 1], "relation"))) {
    // No column is one of two tables: what both have is not asked in this form.
    if (s.where.some((each) => each.is === "along" && each.along.way === "columns") && !s.isEither) return index;
    s.take(cue);
    s.put({ is: "along", along: { way: "columns", of: table } });
  } else if (isTables(s.subject) && isColumns(name.set) && isColumnOfSubject(s, cue, index)) {
    s.take(cue);
    s.put({ is: "along", along: { way: "parents", of: name.set } });
  } else s.names.push(cue);
  return index;
}

/** "tables with a customer_id", "tables that have both an order_id and a product_id" */
function isColumnOfSubject({ cues }: SetState, cue: Cue, index: number): boolean {
  if (is(cues[index - 1], "relation") || is(cues[index + 1], "relation", "like")) return false;
  const isBeside = [cues[index - 1], cues[index - 2], cues[index + 1]].some((each) =>
    is(each, "with", "without", "named"),
  );
  return cue.isTyped === true || cue.text.includes("_") || isBeside;
}

function readType(s: SetState, cue: Cue, set: Things, index: number): number {
  const isSome = s.isNegated || cue.text.endsWith("s");
  const isObject = isSome && s.subject !== undefined && is(s.cues[index + 1], "relation") && !hasObject(s, index + 2);
  const isAgain =
    is(s.cues[index - 1], "or", "and", "comma") && s.type !== undefined && s.cues[index - 2] === s.lastType;
  const relation = as(s.cues[index + 1], "relation");
  // "models that no dashboard uses"
  if (isObject && relation !== undefined) {
    s.take(cue, s.cues[index + 1]);
    s.put(along({ way: inverse(relation.way), depth: relation.depth }, set));
    return index + 1;
  }
  // "source columns": columns of sources.
  const isAdjunct = s.lastType !== undefined && s.lastType === s.cues[index - 1] && !s.lastType.text.endsWith("s");
  if (isColumns(set) && isAdjunct && isTables(s.subject)) {
    s.where.unshift({ is: "along", along: { way: "columns", of: s.subject ?? {} } });
    [s.subject, s.lastType] = [set, cue];
    s.take(cue);
    return index;
  }
  // "what feeds X except seeds"
  if (s.isNegated && is(s.cues[index - 1], "except")) {
    s.take(cue);
    s.put({ is: "among", things: set });
    return index;
  }
  // "tables in the crm source"
  if (s.subject !== undefined && is(s.cues[index - 1], "value") && /^source$/i.test(cue.text) && set.where) {
    s.take(cue);
    s.put(set.where);
    return index;
  }
  const isAnything = Object.keys(set).length === 0 && as(s.cues[index + 1], "part")?.way !== undefined;
  if (s.subject === undefined) [s.subject, s.type] = [set, cue];
  else if (isAnything) s.take(cue);
  // "models that are tables"
  else if (
    (s.subject.types?.join() ?? "model") === "model" &&
    /^tables?$/i.test(cue.text) &&
    !is(s.cues[index - 1], "relation", "in", "or") &&
    !is(s.cues[index + 1], "relation")
  )
    s.put({ is: "materialization", any: ["table"] });
  else if (isAgain && !isJoinable(s.subject, set)) return index;
  else if (isAgain)
    s.subject = { ...s.subject, types: [...new Set([...(s.subject.types ?? []), ...(set.types ?? [])])] };
  else if (isColumns(s.subject) && (is(s.cues[index - 1], "in") || is(s.cues[index + 1], "with"))) {
    const inner = s.readInner(index);
    s.put({ is: "along", along: { way: "columns", of: withConditions(inner.set, inner.where) } });
    return inner.end - 1;
  } else if (isColumns(set) && is(s.cues[index + 1], "named") && is(s.cues[index + 2], "name"))
    s.take(s.cues[index + 1]);
  else if (
    isColumns(set) &&
    (s.isNegated || is(s.cues[index - 1], "with", "without")) &&
    !is(s.cues[index + 1], "with", "like", "in", "adjective", "name", "value", "unknown")
  )
    s.put({ is: "has", feature: "columns" });
  else return index;
  s.lastType = cue;
  s.take(cue);
  if (is(s.cues[index - 1], "or")) s.take(s.cues[index - 1]);
  return index;
}

/** Names and nouns for neighbours that are left: "the users of X", "X's inputs". */
function settleNames(s: SetState): void {
  const shared = s.cues.slice(s.from, s.at).filter((cue) => is(cue, "common"));
  // "do X and Y share a source", "what have X and Y in common"
  const [sharing] = shared;
  if (sharing !== undefined && s.names.length > 1 && isTables(s.subject ?? { types: [] }))
    s.reach ??= { way: "upstream", cue: sharing };
  if (s.reach !== undefined && s.names.length > 0) {
    const { cue: _, ...way } = s.reach;
    s.take(...s.names, ...s.cues.slice(s.from, s.at).filter((cue) => is(cue, "possessive")), ...shared);
    const all = s.names.map((cue) => along(way, (as(cue, "name") as WordOf<"name">).set));
    s.names = [];
    s.put(all.length === 1 ? (all[0] as Condition) : { is: "all", of: all });
  } else if (s.reach !== undefined) s.used.delete(s.reach.cue);
  // "customer_id: which tables have it": a name may stand before its type.
  for (const cue of s.names.splice(0)) readName(s, cue, s.cues.indexOf(cue));
}

/** How the names of a layer's tables begin says nothing of a column's name. */
function isLayer(condition: Condition): boolean {
  return condition.is === "name part" && condition.any.every((each) => LAYERS.has(each));
}

/** Columns have neither a kind nor a materialization nor a layer: those of their tables are meant. */
function ofColumns({ subject, where }: SetState): Condition[] {
  if (!isColumns(subject)) return where;
  return where.map((condition) =>
    condition.is === "kind" || condition.is === "materialization" || isLayer(condition)
      ? { is: "along", along: { way: "columns", of: { types: ["table", "model"], where: condition } } }
      : condition,
  );
}

/** Whether two types make one set: "seeds and models" do not, since seeds are some of the tables. */
function isJoinable(subject: Things, { types, where }: Things): boolean {
  const isWithin = types?.every((type) => subject.types?.includes(type)) ?? false;
  return subject.where === undefined && (where === undefined || isWithin);
}

/** Whether a condition is said without a verb of its own. */
function isNoun(cue: Cue | undefined): boolean {
  const part = as(cue, "part");
  return (
    (part !== undefined && part.feature !== undefined) ||
    isColumnType(cue) ||
    is(cue, "value") ||
    (is(cue, "adjective") && !is(cue, "relation"))
  );
}

/** "without an owner and description": the word reaches over "and", as "no" does not surely. */
function isWithoutBefore({ cues, at }: SetState): boolean {
  return (
    is(cues[at - 2], "without") && !/\bno\b/i.test(cues[at - 2]?.text ?? "") && as(cues[at + 1], "value") === undefined
  );
}
