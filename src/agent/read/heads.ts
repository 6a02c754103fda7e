/** What a clause may ask. A head makes plans of cues, and says which of them it used. */
import { allOf, type Aspect, type Condition, only, type Things } from "../plan.ts";
import { as, type Cue, cueOf, hasCue, is, isColumnType, isName, isOneOf, isValueOf, type Kind, nameOf } from "./cue.ts";
import { type Head, left, namesOf, readWhole, take } from "./head.ts";
import { toColumn } from "./join-cues.ts";
import { connectors, count, groups, list, ordered } from "./set-heads.ts";
import { isColumns, SetReader } from "./set-reader.ts";

const WHETHER = cueOf("is", { is: "whether" });
const WITH = cueOf("with", { is: "with" });

/** "what breaks if X is dropped", "who must know before X is renamed", "is Y affected by dropping X" */
const impact: Head = (cues, used) => {
  // "what breaks if X is renamed": the break is no change of its own.
  const sure = cues.findIndex((cue) => as(cue, "change") !== undefined && !as(cue, "change")?.isVague);
  const at = sure < 0 ? cues.findIndex((cue) => is(cue, "change")) : sure;
  const asked = as(cues[at], "change")?.change;
  const isAsked = cues.some((cue, i) => i !== at && is(cue, "breaks", "safe", "tell", "if", "who"));
  if (asked === undefined || !(isAsked || is(cues[0], "change"))) return [];
  const start = cues.findIndex((cue) => is(cue, "if"));
  const end = cues.findIndex((cue, i) => i > Math.max(start, at) && is(cue, "comma", "what", "who"));
  const behind = (from: number): readonly Cue[] => (from < 0 ? [] : cues.slice(from, end < 0 ? cues.length : end));
  // What is changed stands behind "if", else behind the change, else before it.
  const place = [behind(start), behind(at), cues.slice(0, at)].find((some) => some.some(isName)) ?? [];
  const [one, two, ...more] = place.filter(isName);
  // "the column is removed from the table"
  const joined = two === undefined ? one : toColumn(one, two);
  if (!joined || more.length > 0) return [];
  take(used, [one, two]);
  take(used, cues, "change", "breaks", "safe", "tell", "if", "who", "every", "how", "what", "whether");
  const by = nameOf(joined).set;
  const isOfColumn = isColumns(by) || place.some(isColumnType);
  if (isOfColumn) take(used, place, "type");
  const change = asked === "column_drop" && !isOfColumn ? "asset_drop" : asked;
  const isSafe = hasCue(cues, "safe");
  const asksWho = hasCue(cues, "who", "tell") && !isSafe;
  const others = left(cues, used);
  const isOfType = others.some((cue) => as(cue, "type")?.set.types !== undefined);
  if (isOfType || others.some(isName)) {
    // What else is asked is asked of what is affected.
    const said = cueOf("affected", { is: "adjective", where: { is: "affected", by, change } });
    const isWhether = is(cues[0], "whether") || !isOfType;
    const head = isWhether ? whether : hasCue(cues, "how many") ? count : list;
    const plans = head([...(isWhether ? [WHETHER] : []), ...others, said], used);
    return plans.map((plan) =>
      asksWho && "find" in plan ? { tell: "aspect", find: plan.find, aspect: "owner" } : plan,
    );
  }
  take(used, cues, "how many", "type");
  return [{ tell: "impact", find: by, change, ...(asksWho && { owners: true }), ...(isSafe && { isSafe }) }];
};

/** "why did X change since Friday", "why is X wrong" */
const causes: Head = (cues, used) => {
  const names = cues.filter(isName);
  const find = namesOf(names);
  const hasChanged = cues.some((cue) => as(cue, "change")?.isVague ?? is(cue, "differ", "more", "updated"));
  if (find === null || names.length > 1 || !hasChanged || !hasCue(cues, "why")) return [];
  take(used, cues, "name", "why", "change", "differ", "more", "updated", "span", "than", "whether");
  const since = cues.map((cue) => as(cue, "span")?.since).find((span) => span !== undefined);
  return [{ tell: "causes", find, ...(since !== undefined && { since }) }];
};

/** "compare X and Y", "do X and Y have the same owner", "which columns of X are missing in Y" */
const comparison: Head = (cues, used) => {
  const names = cues.filter(isName);
  const find = namesOf(names);
  const isMissing = cues.some(isColumnType) && hasCue(cues, "without", "not") && !hasCue(cues, "relation", "between");
  if (find?.ids?.length !== 2 || names.length !== 2 || !(isMissing || hasCue(cues, "differ", "same"))) return [];
  take(used, cues, "name", "differ", "same", "what", "how", "whether", "between", "every");
  if (isMissing) take(used, cues, "without", "not", "with");
  const field = cues.find((cue) => as(cue, "part")?.aspect !== undefined || isColumnType(cue));
  const aspect = as(field, "part")?.aspect ?? (field && "columns");
  take(used, [field]);
  return [{ tell: "comparison", find, ...(aspect !== undefined && { aspect }) }];
};

/** "do more models use X than Y", "has X more columns than Y": both sides are sets, of which the second says only what differs. */
const more: Head = (cues, used) => {
  const at = cues.findIndex((cue) => is(cue, "more"));
  const [than, least] = [cues.findIndex((cue) => is(cue, "than", "differ")), as(cues[at], "more")?.least === true];
  if (at < 0 || than < at || !is(cues[0], "whether")) return [];
  take(used, cues, "more", "than", "whether", "exist", "differ", "how many");
  // "does X feed more models": the models that X feeds.
  const amount = cues.slice(at + 1, at + 2).filter((cue) => is(cue, "type", "part"));
  const first = [...amount, ...cues.slice(0, than).filter((cue) => !amount.includes(cue) && !used.has(cue))];
  let second = first;
  for (const cue of cues.slice(than + 1)) {
    const place = second.findLastIndex((each) => each.words[0]?.is === cue.words[0]?.is);
    if (place >= 0) second = second.with(place, cue);
    else if (!is(cue, "in", "made", "own", "tagged")) return [];
  }
  const [one, two] = [first, second].map((some) => {
    const own = new Set<Cue>();
    const whole = readWhole(some, own);
    take(used, [...own]);
    return whole?.find;
  });
  return one === undefined || two === undefined
    ? []
    : [{ tell: "more", find: one, than: two, ...(least && { least }) }];
};

/** "how does X get into Y", "path from X to Y" */
const path: Head = (cues, used) => {
  const [a, b, ...others] = cues.filter(isName);
  const isHow = hasCue(cues, "how") && hasCue(cues, "relation");
  const isPath = isHow || hasCue(cues, "path") || (hasCue(cues, "how many") && hasCue(cues, "hops"));
  if (!isPath || a === undefined || b === undefined || others.length > 0) return [];
  take(used, cues, "name", "path", "how", "hops", "how many", "between", "relation", "every", "possessive", "far");
  take(
    used,
    cues.filter((cue) => as(cue, "part")?.way === "both" || Object.keys(as(cue, "type")?.set ?? { x: 1 }).length === 0),
  );
  const isTurned = cues.some((cue) => as(cue, "relation")?.way === "downstream" && !is(cue, "path"));
  const [from, to] = [nameOf(isTurned ? b : a).set, nameOf(isTurned ? a : b).set];
  return [{ tell: "path", from, to }];
};

/** What a cue asks of a name beside it, where one of the other cues is in the sentence. */
const ASKED: readonly (readonly [cue: Kind, beside: readonly Kind[], Aspect])[] = [
  ["own", ["who", "part"], "owner"],
  ["define", ["how", "what"], "definition"],
  ["made", ["how", "what"], "materialization"],
  ["certify", ["who", "when"], "certification"],
  ["updated", ["when", "how"], "freshness"],
  ["crawl", ["when", "how"], "freshness"],
  ["instead", ["instead"], "trail"],
  ["mean", ["mean"], "description"],
  ["about", ["about"], "everything"],
  ["check", ["check"], "checks"],
  ["where", ["where"], "place"],
];

/** Cues that say nothing beside what is asked of a name. */
const ASKED_WITH = new Set("name who how when where what why with possessive every located tell in per".split(" "));

/** What a cue beside a name asks of it. */
function aspectOf(cue: Cue, cues: readonly Cue[], set: Things): Aspect | undefined {
  const [part, said] = [as(cue, "part"), as(cue, "adjective")?.where.is];
  if (isName(cue) || part?.aspect !== undefined) return part?.aspect;
  if (said === "certification") return hasCue(cues, "why") ? "trail" : hasCue(cues, "who", "when") ? said : undefined;
  // "where is X used"
  if (said === "has" && hasCue(cues, "where")) return "sources and uses";
  const asked = ASKED.find(([kind, beside]) => is(cue, kind) && hasCue(cues, ...beside));
  if (asked !== undefined) return asked[2];
  return isColumnType(cue) && !isColumns(set) && cue.text.endsWith("s") ? "columns" : undefined;
}

/** "is X a view or a table" */
const howMade: Head = (cues, used) => {
  const find = namesOf(cues.filter(isName));
  const isAll = cues.every(
    (cue) =>
      is(cue, "name", "whether", "comma", "or", "a", "made", "it") ||
      isValueOf(cue, "made") ||
      /^tables?$/i.test(cue.text),
  );
  if (find === null || !isAll || !hasCue(cues, "or")) return [];
  take(used, cues);
  return [{ tell: "aspect", find, aspect: "materialization" }];
};

/** "who owns X", "how is X computed", "X's columns", "what is X" */
const aspect: Head = (cues, used) => {
  if (is(cues[0], "whether") || cues.some((cue) => is(cue, "relation", "most", "more") && !isName(cue))) return [];
  const names = cues.filter(isName);
  const find = namesOf(names);
  const between = cues.slice(cues.findIndex(isName), cues.findLastIndex(isName));
  const isOneList = between.every((cue) => is(cue, "name", "and", "or", "comma", "a") && !/^also$/i.test(cue.text));
  // What several assets have in common, or one beside another, is no list of what each of them has.
  if (find === null || (names.length > 1 && (hasCue(cues, "both", "common") || !isOneList))) return [];
  const counts = hasCue(cues, "how many");
  const asked = new Set<Aspect>();
  for (const cue of cues) {
    const said = aspectOf(cue, cues, find);
    if (said === undefined) continue;
    asked.add(said);
    if (!counts || said === "checks") used.add(cue);
  }
  // "the unique columns of X" are some of them.
  if ((counts && !asked.has("checks")) || (asked.has("columns") && hasCue(cues, "check"))) return [];
  take(
    used,
    cues.filter((cue) => isOneOf(cue, ASKED_WITH)),
  );
  if (counts) take(used, cues, "how many");
  if (asked.has("trail")) take(used, cues, "not", "adjective");
  if (asked.has("checks")) take(used, cues, "fine");
  if (asked.size === 0 && hasCue(cues, "how", "when", "why", "not", "with")) return [];
  if (asked.size === 0) asked.add(hasCue(cues, "who") ? "owner" : "everything");
  // "what kind of checks": the kind is said of the checks.
  for (const each of asked.has("checks") ? (["kind", "data type"] as const) : []) asked.delete(each);
  for (const each of ["everything", "place"] as const) if (asked.size > 1) asked.delete(each);
  return [...asked].map((each) => ({ tell: "aspect", find, aspect: each }));
};

/** "is X certified", "does X depend on Y", "are all metrics certified", "is there a model without an owner" */
const whether: Head = (cues, used) => {
  const [lead, ...rest] = cues;
  if (lead === undefined || !is(lead, "whether") || is(rest[0], "not")) return [];
  take(used, cues, "whether", "exist");
  const at = rest.findIndex(isName);
  // "is there a check on X": has X one?
  const [what, ...besides] = rest.slice(1, Math.max(1, at)).filter((cue) => !is(cue, "in", "a"));
  if (is(rest[0], "exist") && is(what, "part", "check") && besides.every((cue) => is(cue, "part", "check")))
    return whether([lead, ...rest.slice(at), ...rest.slice(1, at).filter((cue) => !is(cue, "in"))], used);
  const isOfNames = at >= 0 && !hasCue(rest.slice(0, at), "relation", "value", "adjective", "type");
  if (!isOfNames || hasCue(cues, "common")) {
    // "does orders depend on X" where no asset is called so: its subject was not understood.
    if (is(rest[0], "relation") && !is(rest[0], "adjective")) return [];
    if (at < 0) take(used, rest, "define");
    const whole = readWhole(rest, used);
    if (whole === null) return [];
    const { find, read } = whole;
    const where = read.where.at(-1);
    if (!read.isEvery) return [{ tell: "whether", find }];
    const all = only(read.set, ...read.where.slice(0, -1));
    return where === undefined ? [] : [{ tell: "whether", find: all, where, all: true }];
  }
  const end = rest.findIndex((cue, i) => i > at && !is(cue, "name", "and", "comma"));
  const subject = rest.slice(at, end < 0 ? rest.length : end).filter(isName);
  const predicate = rest.filter((cue, i) => i < at || (end > 0 && i >= end));
  const find = namesOf(subject);
  if (find === null) return [];
  take(used, subject);
  take(used, rest.slice(0, at), "in");
  if (is(rest[0], "exist") && predicate.every((cue) => is(cue, "exist", "far"))) {
    take(used, predicate);
    return [{ tell: "whether", find }];
  }
  // "is X a source", "is X a table"
  const [kind, ...kinds] = predicate.filter((cue) => is(cue, "type"));
  if (kind !== undefined && kinds.length === 0 && predicate.every((cue) => cue === kind || is(cue, "a", "adjective"))) {
    const { set, where } = new SetReader(predicate, used).read();
    const said = allOf(set.where, ...where);
    if (set.types?.join() === "table,model" && said === undefined)
      return [{ tell: "whether", find, where: { is: "materialization", any: ["table"] } }];
    return [said === undefined ? { tell: "aspect", find, aspect: "kind" } : { tell: "whether", find, where: said }];
  }
  // "has X a description"
  const isPart = predicate.every((cue) => is(cue, "part", "in", "a"));
  const of = cueOf("", { is: "type", set: find.types === undefined ? {} : { types: find.types } });
  const { where, names } = new SetReader([of, ...(isPart ? [WITH] : []), ...predicate], used).read();
  const all = allOf(...where.map(far));
  return all === undefined || names.length > 0 ? [] : [{ tell: "whether", find, where: all }];
};

/** A yes or a no is about all that lineage reaches. */
function far(each: Condition): Condition {
  if (each.is !== "along" || !each.along.isLoose) return each;
  return { is: "along", along: { way: each.along.way, of: each.along.of } };
}

/** The first head that uses every cue that says something has read the clause. */
export const HEADS: readonly Head[] = [
  connectors,
  causes,
  impact,
  comparison,
  more,
  path,
  groups,
  howMade,
  aspect,
  whether,
  ordered,
  count,
  list,
];
