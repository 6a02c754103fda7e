/** What is asked of named assets, and questions that are answered by yes or no. */
import type { Aspect, Condition, Plan, Things } from "../../plan.ts";
import { as, type Cue, hasCue, is, isColumnType, type Word } from "../cue.ts";
import { readSet } from "../read-set.ts";
import { isColumns, withConditions } from "../set-state.ts";
import { type Head, isName, namesOf, readWhole, take, takeAll, withSubject } from "./head.ts";

/** What a cue asks of a name beside it, where one of the other cues is in the sentence. */
const ASKED: readonly (readonly [cue: Word["is"], beside: readonly Word["is"][], Aspect])[] = [
  ["own", ["who"], "owner"],
  ["define", ["how", "what"], "definition"],
  ["made", ["how", "what"], "materialization"],
  ["certify", ["who", "when"], "certification"],
  ["updated", ["when", "how"], "freshness"],
  ["crawl", ["when", "how"], "freshness"],
  ["instead", [], "trail"],
  ["mean", [], "description"],
  ["about", [], "everything"],
  ["check", [], "checks"],
];

/** What a cue beside a name asks of it. */
function aspectOf(cue: Cue, cues: readonly Cue[], set: Things): Aspect | null {
  const part = as(cue, "part");
  if (part?.aspect !== undefined) return part.aspect;
  if (as(cue, "adjective")?.where.is === "certification")
    return hasCue(cues, "why") ? "trail" : hasCue(cues, "who", "when") ? "certification" : null;
  // "where is X used"
  if (as(cue, "adjective")?.where.is === "has" && hasCue(cues, "where")) return "sources and uses";
  if (is(cue, "own") && cues.some((each) => as(each, "part")?.group === "owner")) return "owner";
  const asked = ASKED.find(([kind]) => is(cue, kind));
  if (asked !== undefined) return asked[1].length === 0 || hasCue(cues, ...asked[1]) ? asked[2] : null;
  if (isColumnType(cue) && !isColumns(set) && cue.text.endsWith("s")) return "columns";
  return is(cue, "where") ? "place" : null;
}

/** Whether nothing stands between the names but "and", "or" and commas. */
function isOneList(cues: readonly Cue[]): boolean {
  const list = cues.slice(cues.findIndex(isName), cues.findLastIndex(isName));
  return list.every((cue) => isName(cue) || (is(cue, "and", "or", "comma", "a") && !/^also$/i.test(cue.text)));
}

/** "a view or a table" */
function asksHowMade(cues: readonly Cue[], used: Set<Cue>): boolean {
  const made = cues.filter((cue) => !is(cue, "name", "comma", "or", "a", "made"));
  const isMade = made.every((cue) => as(cue, "value")?.of === "made" || /^tables?$/i.test(cue.text));
  if (isMade && hasCue(cues, "or")) for (const cue of cues) used.add(cue);
  return isMade && hasCue(cues, "or");
}

const WITH: Cue = { text: "with", sureness: 1, words: [{ is: "with" }] };
const ASKED_WITH = new Set("who how when where what why with possessive every located tell in per".split(" "));

/** "who owns X", "how is X computed", "X's columns", "what is X" */
export const aspect: Head = (cues, used) => {
  if (is(cues[0], "whether") || cues.some((cue) => is(cue, "relation", "most", "more") && !isName(cue))) return [];
  const names = cues.filter(isName);
  const find = namesOf(names);
  if (find === null || names.length > 5) return [];
  // What several assets have in common, or one beside another, is no list of what each of them has.
  if (names.length > 1 && (hasCue(cues, "both", "common") || !isOneList(cues))) return [];
  const counts = hasCue(cues, "how many");
  const asked = cues.flatMap((cue) => {
    if (isName(cue)) return [];
    const said = aspectOf(cue, cues, find);
    if (said !== null && !(counts && said !== "checks")) used.add(cue);
    return said ?? [];
  });
  if (counts && !asked.includes("checks")) return [];
  // "the unique columns of X" are some of them.
  if (asked.includes("columns") && hasCue(cues, "check")) return [];
  take(used, names, "name");
  takeAll(used, cues, ASKED_WITH);
  if (counts) take(used, cues, "how many");
  if (asked.includes("checks")) take(used, cues, "fine");
  if (asksHowMade(cues, used)) return [{ tell: "aspect", find, aspect: "materialization" }];
  if (asked.includes("trail")) take(used, cues, "not", "adjective");
  const isWho = hasCue(cues, "who");
  if (asked.length === 0 && hasCue(cues, "how", "when", "why", "not", "with")) return [];
  const [only] = asked.length === 0 ? [isWho ? ("owner" as const) : ("everything" as const)] : asked;
  // "what kind of checks": the kind is said of the checks.
  const meant = new Set(
    asked.includes("checks") ? asked.filter((each) => each !== "kind" && each !== "data type") : asked,
  );
  if (meant.size > 1) meant.delete("everything");
  if (meant.has("place") && meant.size > 1) meant.delete("place");
  return (meant.size === 0 && only !== undefined ? [only] : [...meant]).map((each): Plan => ({
    tell: "aspect",
    find,
    aspect: each,
  }));
};

/** "is X certified", "does X depend on Y", "are all metrics certified", "is there a model without an owner" */
export const whether: Head = (cues, used) => {
  const [lead, ...rest] = cues;
  if (!is(lead, "whether") || lead === undefined || is(rest[0], "not")) return [];
  take(used, cues, "whether", "exist");
  const at = rest.findIndex(isName);
  // "is there a check on X": has X one?
  const [what, ...besides] = rest.slice(1, Math.max(1, at)).filter((cue) => !is(cue, "in", "a"));
  if (is(rest[0], "exist") && is(what, "part", "check") && besides.every((cue) => is(cue, "part", "check")))
    return whether([lead, ...rest.slice(at), ...rest.slice(1, at).filter((cue) => !is(cue, "in"))], used);
  const typeAt = rest.findIndex((cue) => is(cue, "type"));
  const isOfNames =
    at >= 0 && (typeAt < 0 || at < typeAt) && !hasCue(rest.slice(0, at), "relation", "value", "adjective");
  if (!isOfNames || hasCue(cues, "common")) {
    // "does orders depend on X" where no asset is called so: its subject was not understood.
    if (is(rest[0], "relation") && !is(rest[0], "adjective")) return [];
    if (!rest.some(isName)) take(used, rest, "define");
    const whole = readWhole(rest, used);
    if (whole === null) return [];
    const { read } = whole;
    const last = read.where.at(-1);
    if (read.isEvery && last !== undefined)
      return [{ tell: "whether", find: withConditions(read.set, read.where.slice(0, -1)), where: last, all: true }];
    return read.isEvery ? [] : [{ tell: "whether", find: whole.find }];
  }
  const subject: Cue[] = [];
  let end = at;
  for (; end < rest.length && (isName(rest[end] as Cue) || is(rest[end], "and", "comma")); end++)
    if (isName(rest[end] as Cue)) subject.push(rest[end] as Cue);
  const find = namesOf(subject);
  if (find === null) return [];
  for (const cue of subject) used.add(cue);
  take(used, rest.slice(0, at), "in");
  const predicate = [...rest.slice(0, at), ...rest.slice(end)];
  if (is(rest[0], "exist") && predicate.every((cue) => is(cue, "exist", "far"))) {
    take(used, predicate, "far");
    return [{ tell: "whether", find }];
  }
  if (asksHowMade(predicate, used)) return [{ tell: "aspect", find, aspect: "materialization" }];
  const kinds = predicate.filter((cue) => is(cue, "type"));
  const [kind] = kinds;
  if (kind !== undefined && kinds.length === 1 && predicate.every((cue) => cue === kind || is(cue, "a", "adjective"))) {
    const { types, where } = as(kind, "type")?.set ?? {};
    used.add(kind);
    const told = readSet(predicate, used);
    const said = [...(where === undefined ? [] : [where]), ...told.where];
    if (types?.join() === "table,model" && said.length === 0)
      return [{ tell: "whether", find, where: { is: "materialization", any: ["table"] } }];
    return said.length === 0
      ? [{ tell: "aspect", find, aspect: "kind" }]
      : [{ tell: "whether", find, where: said.length === 1 ? (said[0] as Condition) : { is: "all", of: said } }];
  }
  // "has X a description"
  const isPart = predicate.every((cue) => is(cue, "part", "in", "a"));
  const { where, names } = readSet(withSubject(isPart ? [WITH, ...predicate] : predicate, find), used);
  const [condition, ...others] = where;
  if (condition === undefined || names.length > 0) return [];
  return [{ tell: "whether", find, where: others.length === 0 ? far(condition) : { is: "all", of: where.map(far) } }];
};

/** A yes or a no is about all that lineage reaches. */
function far(each: Condition): Condition {
  if (each.is !== "along" || !each.along.isLoose) return each;
  return { is: "along", along: { way: each.along.way, of: each.along.of } };
}
