/** What a change affects, how data gets from one asset to another, and how two compare. */
import type { Condition, Measure, Plan, Things } from "../../plan.ts";
import { as, type Cue, is, hasCue, isColumnType } from "../cue.ts";
import { tableOf, toColumn } from "../join-cues.ts";
import { inverse, isColumns } from "../set-state.ts";
import { type Head, isName, left, nameOf, namesOf, readWhole, take } from "./head.ts";
import { whether } from "./named.ts";
import { count, list } from "./sets.ts";

const WHETHER: Cue = { text: "is", sureness: 1, words: [{ is: "whether" }] };

/** "what breaks if X is dropped", "who must know before X is renamed", "is Y affected by dropping X" */
export const impact: Head = (cues, used) => {
  // "what breaks if X is renamed": the break is no change of its own.
  const sure = cues.findIndex((cue) => as(cue, "change") !== undefined && as(cue, "change")?.isVague !== true);
  const at = sure < 0 ? cues.findIndex((cue) => is(cue, "change")) : sure;
  const asked = as(cues[at], "change");
  const isAsked = cues.some((cue, i) => i !== at && is(cue, "breaks", "safe", "tell", "if", "who"));
  if (asked === undefined || !(isAsked || is(cues[0], "change"))) return [];
  const start = cues.findIndex((cue) => is(cue, "if"));
  const end = cues.findIndex((cue, i) => i > Math.max(start, at) && is(cue, "comma", "what", "who"));
  // What is changed stands behind "if", else behind the change, else before it.
  const places = [
    start < 0 ? [] : cues.slice(start, end < 0 ? cues.length : end),
    cues.slice(at, end < 0 ? cues.length : end),
    cues.slice(0, at),
  ];
  const place = places.find((some) => some.some(isName));
  const [one, two, ...more] = (place ?? []).filter(isName);
  if (one === undefined || more.length > 0) return [];
  // "the column is removed from the table"
  const joined = two === undefined ? one : toColumn(one, two);
  if (joined === null) return [];
  used.add(one);
  if (two !== undefined) used.add(two);
  take(used, cues, "change", "breaks", "safe", "tell", "if", "who", "every", "how", "what", "whether");
  const { set } = nameOf(joined);
  const isOfColumn = place?.some(isColumnType) === true && !isColumns(set);
  const change = asked.change === "column_drop" && !isColumns(set) && !isOfColumn ? "asset_drop" : asked.change;
  if (isOfColumn) take(used, place ?? [], "type");
  const asksWho = hasCue(cues, "who", "tell") && !hasCue(cues, "safe");
  const others = left(cues, used);
  const isOfType = others.some((cue) => as(cue, "type")?.set.types !== undefined);
  if (isOfType || others.some(isName)) {
    // What else is asked is asked of what is affected.
    const affected: Condition = { is: "affected", by: set, change };
    const said: Cue = { text: "affected", sureness: 1, words: [{ is: "adjective", where: affected }] };
    const isWhether = is(cues[0], "whether") || !isOfType;
    const head = isWhether ? whether : hasCue(cues, "how many") ? count : list;
    const plans = head([...(isWhether ? [WHETHER] : []), ...others, said], used);
    const find = plans.map((plan) => ("find" in plan ? plan.find : {}));
    return asksWho ? find.map((each): Plan => ({ tell: "aspect", find: each, aspect: "owner" })) : plans;
  }
  take(used, cues, "how many", "type");
  const isSafe = hasCue(cues, "safe");
  return [{ tell: "impact", find: set, change, ...(asksWho && { owners: true }), ...(isSafe && { isSafe: true }) }];
};

/** "how does X get into Y", "path from X to Y" */
export const path: Head = (cues, used) => {
  const names = cues.filter(isName);
  const [a, b] = names;
  const isHow = hasCue(cues, "how") && hasCue(cues, "path", "relation");
  const isPath = isHow || hasCue(cues, "path") || (hasCue(cues, "how many") && hasCue(cues, "hops"));
  if (!isPath || a === undefined || b === undefined || names.length > 2) return [];
  take(used, names, "name");
  take(used, cues, "path", "how", "hops", "how many", "between", "relation", "every", "possessive", "far");
  for (const cue of cues)
    if (as(cue, "part")?.way === "both" || Object.keys(as(cue, "type")?.set ?? { x: 1 }).length === 0) used.add(cue);
  const isTurned = cues.some((cue) => as(cue, "relation")?.way === "downstream" && !is(cue, "path"));
  const [from, to] = (isTurned ? [b, a] : [a, b]).map((cue) => nameOf(cue).set);
  return from === undefined || to === undefined ? [] : [{ tell: "path", from, to }];
};

/** "compare X and Y", "do X and Y have the same owner" */
export const comparison: Head = (cues, used) => {
  const names = cues.filter(isName);
  const find = namesOf(names);
  const isMissing = cues.some(isColumnType) && hasCue(cues, "without", "not") && !hasCue(cues, "relation", "between");
  const isAsked = isMissing || hasCue(cues, "differ", "same");
  if (names.length !== 2 || find?.ids?.length !== 2 || !isAsked) return [];
  if (isMissing) take(used, cues, "without", "not", "with");
  take(used, names, "name");
  take(used, cues, "differ", "same", "what", "how", "whether", "between", "every");
  const field = cues.find((cue) => as(cue, "part")?.aspect !== undefined || isColumnType(cue));
  const aspect = as(field, "part")?.aspect ?? (field === undefined ? undefined : "columns");
  if (field !== undefined) used.add(field);
  return [{ tell: "comparison", find, ...(aspect !== undefined && { aspect }) }];
};

/** "do more models use X than Y", "has X more columns than Y", "which has more columns, X or Y" */
export const more: Head = (cues, used) => {
  const at = cues.findIndex((cue) => is(cue, "more"));
  const [a, b] = cues.filter(isName);
  const least = as(cues[at], "more")?.least === true;
  if (at < 0) return [];
  const by = as(cues[at], "more")?.by;
  const what = by === undefined ? cues.slice(at + 1).find((cue) => !is(cue, "in", "how many")) : cues[at];
  const measure = by ?? (isColumnType(what) ? "columns" : as(what, "part")?.measure);
  const relation = cues.find((cue) => is(cue, "relation"));
  if (measure !== undefined && relation === undefined && what !== undefined && a !== undefined && b !== undefined) {
    take(used, [...cues, what], "more", "than", "name", "whether", "or", "comma", "differ");
    used.add(what);
    // Only tables have columns.
    const meant = [a, b].map((cue) => (measure === "columns" ? tableOf(cue) : null) ?? nameOf(cue).set);
    const ids = meant.flatMap((set) => (set.where === undefined ? (set.ids ?? []) : []));
    if (ids.length !== 2) return [];
    const sides = meant.map((set) => amountOf(measure, set));
    const [one, two] = sides;
    if (is(cues[0], "whether") && one && two) return [{ tell: "more", find: one, than: two, ...(least && { least }) }];
    return [{ tell: "list", find: { ids }, order: { by: measure, ...(least && { least }) } }];
  }
  const lies = as(relation, "relation");
  const among = as(what, "type")?.set;
  // "which of X and Y feeds more models": what it feeds lies the other way.
  if (lies !== undefined && among !== undefined && relation !== undefined && !is(cues[0], "whether")) {
    const find = namesOf(cues.filter(isName));
    take(used, [relation, ...cues], "relation", "name", "more", "or", "type");
    const way = cues.indexOf(relation) < at ? inverse(lies.way) : lies.way;
    return find === null ? [] : [{ tell: "list", find, order: { by: way, among, ...(least && { least }) } }];
  }
  return moreThan(cues, at, used);
};

/** "do more models use X than Y": both sides are sets, of which the second says only what differs. */
function moreThan(cues: readonly Cue[], at: number, used: Set<Cue>): Plan[] {
  const least = as(cues[at], "more")?.least === true;
  const middle = cues.findIndex((cue) => is(cue, "than", "differ"));
  // "does X feed more models": the models that X feeds.
  const type = cues.slice(at + 1, at + 2).filter((cue) => is(cue, "type"));
  const before = cues.slice(0, middle).filter((cue) => !type.includes(cue));
  const [first = [], second = []] = [[...type, ...before], cues.slice(middle + 1)].map((some) =>
    some.filter((cue) => !is(cue, "more", "whether", "exist", "how many", "comma")),
  );
  if (middle < 0 || !is(cues[0], "whether") || second.length === 0) return [];
  const typed = hasCue(first, "type") ? first : [...first, ...second.filter((cue) => is(cue, "type"))];
  let other: Cue[] = [...typed];
  for (const cue of second) {
    const place = other.findLastIndex((each) => each.words[0]?.is === cue.words[0]?.is);
    if (place >= 0) other = other.with(place, cue);
    else if (!is(cue, "in", "made", "own", "tagged")) return [];
  }
  const [usedOne, usedTwo] = [new Set<Cue>(), new Set<Cue>()];
  const [one, two] = [readWhole(typed, usedOne), readWhole(other, usedTwo)];
  take(used, cues, "more", "than", "whether", "exist", "differ");
  for (const cue of [...usedOne, ...usedTwo]) used.add(cue);
  return one === null || two === null
    ? []
    : [{ tell: "more", find: one.find, than: two.find, ...(least && { least }) }];
}

/** The set of what a measure counts; null if that is no set. */
function amountOf(measure: Measure, of: Things): Things | null {
  if (measure === "columns") return { types: ["column"], where: { is: "along", along: { way: "columns", of } } };
  const [, all, way] = /^(all )?(upstream|downstream)$/.exec(measure) ?? [];
  if (way !== "upstream" && way !== "downstream") return null;
  return { where: { is: "along", along: { way, of, ...(all === undefined && { depth: 1 }) } } };
}
