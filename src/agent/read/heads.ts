/** What a clause may ask. A head makes plans of cues, and says which of them it used. */
import { allOf, type Aspect, only, type Plan, reachFar, type Things } from "../plan.ts";
import { as, type Cue, cueOf, hasCue, is, isColumnType, isName, isOf } from "./cue.ts";
import { measureOf, type Kind, nameOf, namesOf, says, take } from "./cue.ts";
import { readSet } from "./read-set.ts";

/** @param find what the names mean together; null if they are of several kinds */
type Head = (cues: readonly Cue[], used: Set<Cue>, names: readonly Cue[], find: Things | null) => Plan[];

/** The set that the cues which are left ask for; null if a name is left that is no part of it. */
function readWhole(cues: readonly Cue[], used: Set<Cue>) {
  const read = readSet(cues, used);
  const isOpen = read.find.types === undefined && read.find.where === undefined;
  return read.names.length > 0 || isOpen ? null : read;
}

/** "when did the last sync run", "is the connector x healthy" */
const connectors: Head = (cues, used) => {
  if (!hasCue(cues, "crawl", "connector") || hasCue(cues, "name")) return [];
  const isBeside = (at: number): boolean => is(cues[at - 1], "connector") || is(cues[at + 1], "connector");
  const names = cues.filter((cue, at) => says(cue, "connector") || (is(cue, "unknown") && isBeside(at)));
  take(used, names);
  take(used, cues, "crawl", "connector", "fine", "go", "when", "how", "every", "how many");
  const asked = names.length === 0 ? undefined : names.map(({ text }) => text);
  return [{ tell: "connectors", names: asked, count: hasCue(cues, "how many") || undefined }];
};

/** "why did X change since Friday", "why is X wrong", "X looks wrong today" */
const causes: Head = (cues, used, names, find) => {
  const hasChanged = cues.some((cue) => as(cue, "change")?.isVague ?? is(cue, "differ", "updated"));
  const isAsked = hasCue(cues, "odd") || (hasChanged && hasCue(cues, "why"));
  if (find === null || names.length > 1 || !isAsked) return [];
  take(used, cues, "name", "odd", "why", "change", "differ", "updated", "span");
  const span = cues.find((cue) => is(cue, "span"));
  return [{ tell: "causes", find, since: as(span, "span")?.since }];
};

/** "what breaks if X is renamed": the break is no change of its own. What is deprecated is one only if that is asked. */
function doubtOf(cue: Cue): number {
  return as(cue, "change")?.isVague ? 2 : Number(is(cue, "adjective"));
}

/** "what breaks if X is dropped", "who must know before X is renamed", "is Y affected by dropping X" */
const impact: Head = (cues, used, names) => {
  const [changed, ...others] = cues.filter((cue) => is(cue, "change")).toSorted((a, b) => doubtOf(a) - doubtOf(b));
  const [at, asked] = [cues.findIndex((cue) => cue === changed), as(changed, "change")?.change];
  const rest = cues.filter((cue) => cue !== changed);
  // "when was X deprecated" asks for the day.
  const isTold = !is(changed, "adjective") && (cues[0] === changed || hasCue(rest, "if", "who"));
  if (asked === undefined || !(isTold || hasCue(rest, "breaks", "safe", "tell"))) return [];
  const start = cues.findIndex((cue) => is(cue, "if"));
  const end = cues.findIndex((cue, i) => i > Math.max(start, at) && is(cue, "comma", "what", "who"));
  const behind = (from: number): readonly Cue[] => (from < 0 ? [] : cues.slice(from, end < 0 ? cues.length : end));
  // What is changed stands behind "if", else behind the change, else before it.
  const place = [behind(start), behind(at), cues.slice(0, at)].find((some) => some.some(isName)) ?? [];
  const [one, ...more] = place.filter(isName);
  if (one === undefined || more.length > 0) return [];
  take(used, [changed, ...others.filter((cue) => doubtOf(cue) === 2)]);
  take(used, cues, "name", "breaks", "safe", "tell", "if", "every", "how", "modal");
  const by = nameOf(one).set;
  const isOfColumn = isOf(by, "column") || place.some(isColumnType);
  const change = asked === "column_drop" && !isOfColumn ? "asset_drop" : asked;
  const find = namesOf(names.filter((cue) => cue !== one));
  if (names.length > 1) return find === null ? [] : [{ tell: "whether", find, where: { is: "affected", by, change } }];
  // All that is affected is told by its types.
  take(used, cues, "how many", "type");
  for (const cue of cues) if (as(cue, "part")?.way === "downstream") used.add(cue);
  const isSafe = hasCue(cues, "safe") || undefined;
  const owners = (!isSafe && hasCue(cues, "who", "tell")) || undefined;
  return [{ tell: "impact", find: by, change, owners, isSafe }];
};

/** "compare X and Y", "do X and Y have the same owner" */
const comparison: Head = (cues, used, names, find) => {
  if (find?.ids?.length !== 2 || names.length !== 2 || !hasCue(cues, "differ", "same")) return [];
  take(used, cues, "name", "differ", "same", "how", "between", "every");
  const field = cues.find((cue) => as(cue, "part")?.aspect !== undefined || isColumnType(cue));
  take(used, [field]);
  return [{ tell: "comparison", find, aspect: as(field, "part")?.aspect ?? (field && "columns") }];
};

/** "how does X get into Y", "path from X to Y" */
const path: Head = (cues, used, names) => {
  const isPath = hasCue(cues, "path") || (hasCue(cues, "how") && hasCue(cues, "relation"));
  if (!isPath || names.length !== 2) return [];
  take(used, cues, "name", "path", "how", "between", "relation", "every");
  return [{ tell: "path", from: nameOf(names[0]).set, to: nameOf(names[1]).set }];
};

/** What a cue asks of a name beside it, where one of the other cues is in the sentence. */
const ASKED: readonly (readonly [cue: Kind, beside: readonly Kind[], Aspect])[] = [
  ["own", ["who", "part"], "owner"],
  ["define", ["how", "what"], "definition"],
  ["made", ["how", "what"], "materialization"],
  ["certify", ["who", "when"], "certification"],
  ["updated", ["when", "how"], "freshness"],
  ["crawl", ["when", "how"], "freshness"],
  ["mean", ["mean"], "description"],
  ["about", ["about"], "everything"],
  ["check", ["check"], "checks"],
  // "where does X go"
  ["go", ["where"], "sources and uses"],
  ["where", ["where"], "place"],
  ["connector", ["connector"], "place"],
];

/** What a cue beside a name asks of it. */
function aspectOf(cue: Cue, cues: readonly Cue[], set: Things): Aspect | undefined {
  const [part, said] = [as(cue, "part"), as(cue, "adjective")?.where.is];
  if (isName(cue) || part?.aspect !== undefined) return part?.aspect;
  if (said === "certification") return hasCue(cues, "why") ? "trail" : hasCue(cues, "who", "when") ? said : undefined;
  // "where is X used"
  if (said === "has" && hasCue(cues, "where")) return "sources and uses";
  const asked = ASKED.find(([kind, beside]) => is(cue, kind) && hasCue(cues, ...beside));
  if (asked !== undefined) return asked[2];
  return isColumnType(cue) && !isOf(set, "column") && cue.text.endsWith("s") ? "columns" : undefined;
}

/** "who owns X", "how is X computed", "X's columns", "what is X" */
const aspect: Head = (cues, used, names, find) => {
  const isRelated = hasCue(cues, "relation") && !hasCue(cues, "connector");
  if (is(cues[0], "whether") || isRelated || hasCue(cues, "most")) return [];
  const between = cues.slice(cues.findIndex(isName), cues.findLastIndex(isName));
  const isOneList = between.every((cue) => is(cue, "name", "and", "or", "comma", "a") && !/^also$/i.test(cue.text));
  // What several assets have in common, or one beside another, is no list of what each of them has.
  if (find === null || (names.length > 1 && (hasCue(cues, "both") || !isOneList))) return [];
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
  // These say nothing beside what is asked of a name.
  take(used, cues, "name", "how", "where", "every", "tell", "connector");
  if (asked.has("certification") || asked.has("trail") || asked.has("freshness")) take(used, cues, "when", "why");
  if (asked.has("place")) take(used, cues, "relation");
  if (counts) take(used, cues, "how many");
  if (asked.has("trail")) take(used, cues, "not", "adjective");
  if (asked.has("data type") && asked.size > 1 && !isOf(find, "column") && !asked.has("checks")) return [];
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
  if (!is(lead, "whether") || is(rest[0], "not")) return [];
  const at = rest.findIndex(isName);
  const isOfNames = at >= 0 && !hasCue(rest.slice(0, at), "relation", "value", "adjective", "type");
  if (!isOfNames) {
    // "does orders depend on X" where no asset is called so: its subject was not understood.
    if (is(rest[0], "relation")) return [];
    const read = readWhole(rest, used);
    if (!read?.isEvery) return read === null ? [] : [{ tell: "whether", find: read.find }];
    const [subject, where] = [only(read.subject ?? {}, ...read.where.slice(0, -1)), read.where.at(-1)];
    return where === undefined ? [] : [{ tell: "whether", find: subject, where, all: true }];
  }
  const end = rest.findIndex((cue, i) => i > at && !is(cue, "name", "and", "comma"));
  const subject = rest.slice(at, end < 0 ? rest.length : end).filter(isName);
  const predicate = rest.filter((cue, i) => i < at || (end > 0 && i >= end));
  const find = namesOf(subject);
  // "is X in marts and tested": where a name lies may be what is asked.
  if (find === null || subject.some(({ text }) => / (?:in|from) /i.test(text))) return [];
  take(used, subject);
  // "is there a column X"
  if (hasCue(predicate, "exist") && predicate.every((cue) => is(cue, "exist", "a", "far")))
    return [{ tell: "whether", find }];
  // "is X a source"
  const kind = predicate.find((cue) => is(cue, "type"));
  if (kind !== undefined && predicate.every((cue) => cue === kind || is(cue, "a", "adjective"))) {
    const said = readSet(predicate, used).find.where;
    return [said === undefined ? { tell: "aspect", find, aspect: "kind" } : { tell: "whether", find, where: said }];
  }
  // "has X a description"
  const isPart = predicate.every((cue) => is(cue, "part", "in", "a", "exist"));
  const of = cueOf("", { is: "type", set: find.types === undefined ? {} : { types: find.types } });
  const said = isPart ? [cueOf("with", { is: "with" }), ...predicate.filter((cue) => !is(cue, "exist"))] : predicate;
  const { where, names } = readSet([of, ...said], used);
  // A yes or a no is about all that lineage reaches.
  const all = allOf(...where.map(reachFar));
  return all === undefined || names.length > 0 ? [] : [{ tell: "whether", find, where: all }];
};

/** "the five models with the most columns", "the most used source" */
const ordered: Head = (cues, used) => {
  const at = cues.findIndex((cue) => is(cue, "most"));
  const most = as(cues[at], "most");
  const counted = cues.find((cue, i) => i > at && measureOf(cue) !== undefined);
  const by = measureOf(counted) ?? most?.by;
  // "that most models read" counts the neighbours of one type.
  if (!most || !by || hasCue(cues, "who") || hasCue(cues.slice(at), "relation")) return [];
  const number = cues.find((cue) => is(cue, "number"));
  take(used, [cues[at], counted, number]);
  take(used, cues.slice(at), "how many");
  const left = cues.filter((cue) => !used.has(cue));
  const find = readWhole(left, used)?.find;
  const asked = { order: { by, least: most.least }, limit: as(number, "number")?.amount ?? 1 };
  return find === undefined ? [] : [{ tell: "list", find, ...asked }];
};

/** "which models are untested", "how many models are certified": everything that only names a set. */
const list: Head = (cues, used) => {
  // "how many are views and how many are tables" counts two sets; "how many unique tests": checks are no assets.
  const isOfSets = hasCue(cues, "name", "type") || !hasCue(cues, "check");
  const counts = isOfSets && cues.filter((cue) => is(cue, "how many")).length === 1;
  if (!counts && is(cues[0], "whether") && !hasCue(cues, "exist")) return [];
  const isOwners = !counts && hasCue(cues, "own") && !cues.some((cue) => says(cue, "owner"));
  const asksWho = isOwners && (is(cues[0], "who") || is(cues.at(-1), "who"));
  take(used, cues, counts ? "how many" : "where", ...(asksWho ? (["own"] as const) : []));
  const find = readWhole(cues, used)?.find;
  if (find === undefined) return [];
  if (counts) return [{ tell: "count", find }];
  const owner = cues.find((cue) => as(cue, "part")?.aspect === "owner" && !used.has(cue));
  take(used, [owner]);
  return [asksWho || owner ? { tell: "aspect", find, aspect: "owner" } : { tell: "list", find }];
};

/** The first head that uses every cue that says something has read the clause. */
export const HEADS = [connectors, causes, impact, comparison, path, aspect, whether, ordered, list];
