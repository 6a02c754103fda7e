/** What a change affects, how data gets from one asset to another, and how two compare. */
import type { Condition, Measure, Things } from "../../plan.ts";
import { as, is } from "../cue.ts";
import { toColumn } from "../join-cues.ts";
import { inverse, isColumns, withConditions } from "../set-state.ts";
import { type Head, isName, nameOf, namesOf, readWhole, take } from "./head.ts";

/** "what breaks if X is dropped", "who must know before X is renamed", "is Y affected by dropping X" */
export const impact: Head = (cues, used) => {
  const at = cues.findIndex((cue) => is(cue, "change"));
  const asked = as(cues[at], "change");
  const isAsked = cues.some((cue, i) => i !== at && is(cue, "breaks", "safe", "tell", "if", "who"));
  if (asked === undefined || !(isAsked || is(cues[0], "change"))) return [];
  const start = cues.findIndex((cue) => is(cue, "if"));
  // What is changed stands behind "if", else behind the change, else before it.
  const places = [
    start < 0 ? [] : start < at ? cues.slice(start) : cues.slice(start, cues.length),
    cues.slice(at),
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
  const changed = joined;
  take(used, cues, "change", "breaks", "safe", "tell", "if", "who", "every", "how", "what", "whether");
  const rest = cues.filter((cue) => !used.has(cue) || is(cue, "type") || is(cue, "name"));
  const { set } = nameOf(changed);
  const isOfColumn = place?.some((cue) => isColumns(as(cue, "type")?.set)) === true && !isColumns(set);
  const change = asked.change === "column_drop" && !isColumns(set) && !isOfColumn ? "asset_drop" : asked.change;
  if (isOfColumn) take(used, place ?? [], "type");
  const affected: Condition = { is: "affected", by: set, change };
  const others = rest.filter((cue) => isName(cue) && cue !== one && cue !== two);
  if (others.length > 0) {
    const find = namesOf(others);
    for (const cue of others) used.add(cue);
    return find === null ? [] : [{ tell: "whether", find, where: affected }];
  }
  const type = cues.find((cue) => is(cue, "type") && !used.has(cue));
  const types = as(type, "type")?.set;
  const asksWho = cues.some((cue) => is(cue, "who", "tell")) && !cues.some((cue) => is(cue, "safe"));
  if (type !== undefined && types?.types !== undefined) {
    const whole = readWhole(
      cues.filter((cue) => !used.has(cue)),
      used,
    );
    if (whole === null) return [];
    const find = withConditions(whole.find, [affected]);
    if (asksWho) return [{ tell: "aspect", find, aspect: "owner" }];
    if (cues.some((cue) => is(cue, "how many"))) {
      take(used, cues, "how many");
      return [{ tell: "count", find }];
    }
    return [is(cues[0], "whether") ? { tell: "whether", find } : { tell: "list", find }];
  }
  if (type !== undefined) used.add(type);
  const isSafe = cues.some((cue) => is(cue, "safe"));
  return [{ tell: "impact", find: set, change, ...(asksWho && { owners: true }), ...(isSafe && { isSafe: true }) }];
};

/** "how does X get into Y", "path from X to Y" */
export const path: Head = (cues, used) => {
  const names = cues.filter(isName);
  const [a, b] = names;
  const isHow = cues.some((cue) => is(cue, "how")) && cues.some((cue) => is(cue, "path", "relation"));
  const isPath =
    isHow ||
    cues.some((cue) => is(cue, "path")) ||
    (cues.some((cue) => is(cue, "how many")) && cues.some((cue) => is(cue, "hops")));
  const isLineage = cues.some((cue) => as(cue, "part")?.way === "both") && cues.some((cue) => is(cue, "between"));
  if (!(isPath || isLineage) || a === undefined || b === undefined || names.length > 2) return [];
  take(used, names, "name");
  take(used, cues, "path", "how", "hops", "how many", "between", "relation", "every", "possessive", "far");
  for (const cue of cues)
    if (as(cue, "part")?.way === "both" || Object.keys(as(cue, "type")?.set ?? { x: 1 }).length === 0) used.add(cue);
  const isTurned = cues.some((cue) => as(cue, "relation")?.way === "downstream");
  const [from, to] = (isTurned ? [b, a] : [a, b]).map((cue) => nameOf(cue).set);
  return from === undefined || to === undefined ? [] : [{ tell: "path", from, to }];
};

/** "compare X and Y", "do X and Y have the same owner" */
export const comparison: Head = (cues, used) => {
  const names = cues.filter(isName);
  const find = namesOf(names);
  const isMissing =
    cues.some((cue) => isColumns(as(cue, "type")?.set)) &&
    cues.some((cue) => is(cue, "without", "not")) &&
    !cues.some((cue) => is(cue, "relation", "between"));
  const isAsked = isMissing || cues.some((cue) => is(cue, "differ", "same"));
  if (names.length !== 2 || find?.ids?.length !== 2 || !isAsked) return [];
  if (isMissing) take(used, cues, "without", "not", "with");
  take(used, names, "name");
  take(used, cues, "differ", "same", "what", "how", "whether", "between", "every");
  const field = cues.find((cue) => as(cue, "part")?.aspect !== undefined || isColumns(as(cue, "type")?.set));
  const aspect = as(field, "part")?.aspect ?? (field === undefined ? undefined : "columns");
  if (field !== undefined) used.add(field);
  return [{ tell: "comparison", find, ...(aspect !== undefined && { aspect }) }];
};

/** "do more models use X than Y", "has X more columns than Y", "which has more columns, X or Y" */
export const more: Head = (cues, used) => {
  const at = cues.findIndex((cue) => is(cue, "more"));
  const [a, b] = cues.filter(isName);
  const least = as(cues[at], "more")?.least === true;
  if (at < 0 || a === undefined || b === undefined) return [];
  take(used, cues, "more", "than", "name", "whether", "or", "comma");
  const what = cues[at + 1];
  const measure = isColumns(as(what, "type")?.set) ? "columns" : as(what, "part")?.measure;
  const relation = cues.find((cue) => is(cue, "relation"));
  const ids = namesOf([a, b]);
  if (measure !== undefined && relation === undefined && ids !== null && what !== undefined) {
    used.add(what);
    const sides = [a, b].map((cue) => amountOf(measure, nameOf(cue).set));
    const [one, two] = sides;
    if (is(cues[0], "whether") && one && two) return [{ tell: "more", find: one, than: two, ...(least && { least }) }];
    return [{ tell: "list", find: ids, order: { by: measure, ...(least && { least }) }, limit: 1 }];
  }
  const lies = as(relation, "relation");
  const type = as(what, "type");
  if (lies === undefined || type === undefined || relation === undefined || what === undefined) return [];
  used.add(relation);
  used.add(what);
  const isDirect = lies.depth !== undefined || lies.isLoose === true || cues.some((cue) => is(cue, "direct"));
  take(used, cues, "direct");
  // "does X feed more models than Y": what it feeds lies the other way.
  const way = cues.indexOf(relation) < at ? inverse(lies.way) : lies.way;
  const [find, than] = [a, b].map((cue) => {
    const of = nameOf(cue).set;
    return withConditions(type.set, [{ is: "along", along: { way, of, ...(isDirect && { depth: 1 }) } }]);
  });
  return find === undefined || than === undefined ? [] : [{ tell: "more", find, than, ...(least && { least }) }];
};

/** The set of what a measure counts; null if that is no set. */
function amountOf(measure: Measure, of: Things): Things | null {
  if (measure === "columns") return { types: ["column"], where: { is: "along", along: { way: "columns", of } } };
  const [, all, way] = /^(all )?(upstream|downstream)$/.exec(measure) ?? [];
  if (way !== "upstream" && way !== "downstream") return null;
  return { where: { is: "along", along: { way, of, ...(all === undefined && { depth: 1 }) } } };
}
