/** What is asked of named assets, and questions that are answered by yes or no. */
import type { Aspect, Condition, Plan, Things } from "../../plan.ts";
import { as, type Cue, is } from "../cue.ts";
import { readSet } from "../read-set.ts";
import { isColumns, withConditions } from "../set-state.ts";
import { type Head, isName, namesOf, readWhole, take, withSubject } from "./head.ts";

/** What a cue beside a name asks of it. */
function aspectOf(cue: Cue, cues: readonly Cue[], set: Things): Aspect | null {
  const has = (...kinds: Parameters<typeof is>[1][]): boolean => cues.some((each) => is(each, ...kinds));
  const part = as(cue, "part");
  if (part?.aspect !== undefined) return part.aspect;
  if (is(cue, "own")) return has("who") || cues.some((each) => as(each, "part")?.group === "owner") ? "owner" : null;
  if (is(cue, "define")) return has("how", "what") ? "definition" : null;
  if (is(cue, "made")) return has("how", "what") ? "materialization" : null;
  if (is(cue, "certify")) return has("who", "when") ? "certification" : null;
  if (as(cue, "adjective")?.where.is === "certification") {
    if (has("why")) return "trail";
    return has("who", "when") ? "certification" : null;
  }
  if (is(cue, "updated")) return has("when", "how") ? "freshness" : null;
  if (is(cue, "instead")) return "trail";
  if (is(cue, "mean")) return "description";
  if (is(cue, "about")) return "everything";
  if (is(cue, "check")) return "checks";
  if (isColumns(as(cue, "type")?.set) && !isColumns(set) && cue.text.endsWith("s")) return "columns";
  if (is(cue, "where")) return "place";
  return null;
}

/** Whether nothing stands between the names but "and", "or" and commas. */
function isOneList(cues: readonly Cue[]): boolean {
  const list = cues.slice(cues.findIndex(isName), cues.findLastIndex(isName));
  return list.every((cue) => isName(cue) || (is(cue, "and", "or", "comma", "a") && !/^also$/i.test(cue.text)));
}

const ASKED_WITH = [
  "who",
  "how",
  "when",
  "where",
  "what",
  "why",
  "with",
  "possessive",
  "every",
  "located",
  "tell",
  "in",
  "per",
] as const;

/** "who owns X", "how is X computed", "X's columns", "what is X" */
export const aspect: Head = (cues, used) => {
  if (is(cues[0], "whether") || cues.some((cue) => is(cue, "relation", "most", "more") && !isName(cue))) return [];
  const names = cues.filter(isName);
  const find = namesOf(names);
  if (find === null || names.length > 5) return [];
  // What several assets have in common, or one beside another, is no list of what each of them has.
  if (names.length > 1 && (cues.some((cue) => is(cue, "both", "common")) || !isOneList(cues))) return [];
  const counts = cues.some((cue) => is(cue, "how many"));
  const asked = cues.flatMap((cue) => {
    if (isName(cue)) return [];
    const said = aspectOf(cue, cues, find);
    if (said !== null && !(counts && said !== "checks")) used.add(cue);
    return said ?? [];
  });
  if (counts && !asked.includes("checks")) return [];
  take(used, names, "name");
  take(used, cues, ...ASKED_WITH, ...(counts ? (["how many"] as const) : []));
  if (asked.includes("checks")) take(used, cues, "fine");
  const made = cues.filter((cue) => !isName(cue) && !is(cue, "comma"));
  if (
    made.some((cue) => is(cue, "or")) &&
    made.every((cue) => is(cue, "or", "made", "a") || as(cue, "value")?.of === "made" || /^table$/i.test(cue.text))
  ) {
    for (const cue of cues) used.add(cue);
    return [{ tell: "aspect", find, aspect: "materialization" }];
  }
  if (asked.includes("trail")) take(used, cues, "not", "adjective");
  const isWho = cues.some((cue) => is(cue, "who"));
  if (asked.length === 0 && cues.some((cue) => is(cue, "how", "when", "why", "not", "with"))) return [];
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
  const typeAt = rest.findIndex((cue) => is(cue, "type"));
  const isOfNames =
    at >= 0 &&
    (typeAt < 0 || at < typeAt) &&
    !rest.slice(0, at).some((cue) => is(cue, "relation", "value", "adjective"));
  if (!isOfNames || cues.some((cue) => is(cue, "common"))) {
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
  // "does anybody own X"
  if (rest.slice(0, at).some((cue) => is(cue, "own")) && end === rest.length) {
    take(used, rest, "own");
    return [{ tell: "whether", find, where: { is: "has", feature: "owner" } }];
  }
  const predicate = [...rest.slice(0, at), ...rest.slice(end)];
  if (is(rest[0], "exist") && predicate.every((cue) => is(cue, "exist", "far"))) {
    take(used, predicate, "far");
    return [{ tell: "whether", find }];
  }
  if (
    predicate.some((cue) => is(cue, "or")) &&
    predicate.every((cue) => as(cue, "value")?.of === "made" || is(cue, "type", "or", "a", "made"))
  ) {
    for (const cue of predicate) used.add(cue);
    return [{ tell: "aspect", find, aspect: "materialization" }];
  }
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
  const [part, ...behind] = predicate.filter((cue) => !is(cue, "in", "a"));
  const feature = as(part, "part")?.feature;
  if (part !== undefined && feature !== undefined && behind.length === 0) {
    used.add(part);
    return [{ tell: "whether", find, where: { is: "has", feature } }];
  }
  const { where, names } = readSet(withSubject(predicate, find), used);
  const [condition, ...others] = where;
  if (condition === undefined || names.length > 0) return [];
  return [{ tell: "whether", find, where: others.length === 0 ? far(condition) : { is: "all", of: where.map(far) } }];
};

/** A yes or a no is about all that lineage reaches. */
function far(each: Condition): Condition {
  if (each.is !== "along" || !each.along.isLoose) return each;
  return { is: "along", along: { way: each.along.way, of: each.along.of } };
}
