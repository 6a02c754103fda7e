/** Connectors, groups, orders, counts and lists. */
import type { Measure, Things } from "../plan.ts";
import { as, type Cue, hasCue, inverse, is, isName, isValueOf, nameOf } from "./cue.ts";
import { type Head, left, readWhole, take } from "./head.ts";
import { tableOf } from "./join-cues.ts";
import { isColumns } from "./set-reader.ts";

/** "when did the last sync run", "is the connector x healthy" */
export const connectors: Head = (cues, used) => {
  if (!hasCue(cues, "crawl", "connector") || cues.some(isName)) return [];
  const isNamed = (cue: Cue, at: number): boolean =>
    isValueOf(cue, "connector") ||
    (is(cue, "unknown") && [cues[at - 1], cues[at + 1]].some((each) => is(each, "connector")));
  const names = cues.filter(isNamed);
  const faults = hasCue(cues, "without", "not") ? "none" : "any";
  take(used, names);
  take(used, cues, "crawl", "connector", "fault", "fine", "when", "how", "what", "updated", "if", "every", "most");
  take(used, cues, "how many", "without", "not", "number", "value");
  return [
    {
      tell: "connectors",
      ...(names.length > 0 && { names: names.map(({ text }) => text) }),
      ...(hasCue(cues, "how many") && { count: true }),
      ...(is(cues[0], "whether") && hasCue(cues, "fault") && { faults }),
    },
  ];
};

/** "who owns the most models", "dashboards by owner", "how many models are in each schema", "which tags are there" */
export const groups: Head = (cues, used) => {
  const most = cues.find((cue) => is(cue, "most"));
  const isAll =
    hasCue(cues, "exist") && cues.every((cue) => as(cue, "part")?.group || is(cue, "what", "exist", "every", "in"));
  const at = cues.findIndex((cue, i) => {
    const isBeside = is(cues[i - 1], "per", "every") || /^by$/i.test(cues[i - 1]?.text ?? "");
    return as(cue, "part")?.group !== undefined && (most !== undefined || isAll || isBeside);
  });
  const by = as(cues[at], "part")?.group ?? (most !== undefined && hasCue(cues, "who") ? "owner" : undefined);
  if (by === undefined) return [];
  take(used, [cues[at]]);
  take(used, cues, "per", "who", "own", "every", "how many", "with", "most");
  if (isAll) take(used, cues);
  const find = isAll ? {} : readWhole(left(cues, used), used)?.find;
  const least = as(most, "most")?.least === true;
  return find === undefined ? [] : [{ tell: "groups", find, by, ...(most && { limit: 1 }), ...(least && { least }) }];
};

/** "the five models with the most columns", "the most used source", "which has more columns, X or Y" */
export const ordered: Head = (cues, used) => {
  const at = cues.findIndex((cue) => is(cue, "most", "more"));
  const most = as(cues[at], "most");
  const least = most?.least ?? as(cues[at], "more")?.least;
  if (least === undefined || (cues.some(isName) && hasCue(cues, "who"))) return [];
  take(used, [cues[at]]);
  const number = [cues[at - 1], cues[at + 1], cues[at - 2], cues[0], cues[1]].find((cue) => is(cue, "number"));
  take(used, [number]);
  const by = measureBehind(cues, at, used) ?? (most?.by === undefined ? null : { by: most.by });
  if (by === null) return [];
  const order = { ...by, ...(least && { least }) };
  if (most !== undefined) {
    const find = readWhole(left(cues, used), used)?.find;
    return find === undefined ? [] : [{ tell: "list", find, order, limit: as(number, "number")?.amount ?? 1 }];
  }
  // Only tables have columns.
  const names = cues.filter(isName);
  const ids = names.flatMap((cue) => ((by.by === "columns" && tableOf(cue)) || nameOf(cue).set).ids ?? []);
  take(used, cues, "name", "or", "comma", "differ", "than", "relation", "type");
  return ids.length === 2 && names.length === 2 ? [{ tell: "list", find: { ids }, order }] : [];
};

/** What there is most of: "the most columns", "feeds the most models", "top three by number of users". */
function measureBehind(cues: readonly Cue[], at: number, used: Set<Cue>): { by: Measure; among?: Things } | null {
  const counted = cues.findIndex((cue, i) => i > at && is(cue, "how many"));
  const i = cues.findIndex((cue, k) => k > Math.max(at, counted) && !is(cue, "number", "a", "in"));
  const [what, next] = cues.slice(i < 0 ? cues.length : i);
  const type = as(what, "type")?.set;
  take(used, [cues[counted]]);
  if (isColumns(type)) {
    take(used, [what]);
    return { by: "columns" };
  }
  // "the most downstream models", "the fewest models downstream"
  const near = [what, type && next].find((cue) => as(cue, "part")?.measure !== undefined);
  const part = as(near, "part");
  const isAmong = part?.way !== undefined && !is(cues[i + 2], "name");
  if (part?.measure !== undefined && (isAmong || near === what)) {
    const other = near === what ? next : what;
    const among = isAmong ? as(other, "type")?.set : undefined;
    take(used, [near, among && other]);
    return { by: part.measure, ...(among && Object.keys(among).length > 0 && { among }) };
  }
  const relation = cues.findIndex((cue) => is(cue, "relation"));
  const lies = as(cues[relation], "relation");
  if (type === undefined || lies === undefined) return null;
  take(used, [what, cues[relation]]);
  // "feeds the most models": what it feeds. "that most models use": what uses it.
  const way = relation < at ? inverse(lies.way) : lies.way;
  return { by: lies.isFar ? `all ${way}` : way, ...(Object.keys(type).length > 0 && { among: type }) };
}

/** "how many models are certified" */
export const count: Head = (cues, used) => {
  const isOfNames = cues.some(isName);
  // "how many are views and how many are tables" counts two sets; "how many unique tests": checks are no assets.
  if (cues.filter((cue) => is(cue, "how many")).length !== 1) return [];
  if (!isOfNames && hasCue(cues, "check") && !hasCue(cues, "type")) return [];
  take(used, cues, "how many", "exist", "every", ...(isOfNames ? [] : (["define"] as const)));
  const find = readWhole(cues, used)?.find;
  return find === undefined ? [] : [{ tell: "count", find }];
};

/** "which models are untested": everything that only names a set. */
export const list: Head = (cues, used) => {
  if (is(cues[0], "whether") && !hasCue(cues, "exist")) return [];
  take(used, cues, "exist", "every", "where", "located", ...(cues.some(isName) ? [] : (["define"] as const)));
  const isOwners = hasCue(cues, "own") && !cues.some((cue) => isValueOf(cue, "owner"));
  const asksWho = isOwners && (is(cues[0], "who") || is(cues.at(-1), "who"));
  take(used, cues, "who", ...(asksWho ? (["own"] as const) : []));
  const find = readWhole(cues, used)?.find;
  const owner = cues.find((cue) => as(cue, "part")?.aspect === "owner" && !used.has(cue));
  take(used, [owner]);
  if (find === undefined) return [];
  return [asksWho || owner ? { tell: "aspect", find, aspect: "owner" } : { tell: "list", find }];
};
