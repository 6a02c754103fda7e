/** Connectors, groups, orders, counts and lists. */
import type { DateOf, Measure, Things } from "../../plan.ts";
import { as, type Cue, hasCue, is } from "../cue.ts";
import { inverse, isColumns } from "../set-state.ts";
import { type Head, isName, left, readWhole, take, takeAll } from "./head.ts";

const CRAWLS = new Set(
  "crawl connector fault fine when how what updated if how many every most value number".split(" "),
);

/** "when did the last sync run", "is the connector x healthy" */
export const connectors: Head = (cues, used) => {
  if (!hasCue(cues, "crawl", "connector") || cues.some(isName)) return [];
  const named = cues.filter(
    (cue, at) =>
      as(cue, "value")?.of === "connector" ||
      (is(cue, "unknown") && [cues[at - 1], cues[at + 1]].some((each) => is(each, "connector"))),
  );
  takeAll(used, cues, CRAWLS);
  take(used, cues, "how many");
  for (const cue of named) used.add(cue);
  const asksFaults = is(cues[0], "whether") && hasCue(cues, "fault");
  const hasNone = hasCue(cues, "without", "not");
  take(used, cues, "without", "not");
  const names = named.map(({ text }) => text);
  return [
    {
      tell: "connectors",
      ...(names.length > 0 && { names }),
      ...(hasCue(cues, "how many") && { count: true }),
      ...(asksFaults && { faults: hasNone ? "none" : "any" }),
    },
  ];
};

/** "who owns the most models", "dashboards by owner", "how many models are in each schema", "which tags are there" */
export const groups: Head = (cues, used) => {
  const part = cues.find((cue) => as(cue, "part")?.group !== undefined);
  const group = as(part, "part")?.group;
  if (
    group !== undefined &&
    hasCue(cues, "exist") &&
    cues.every((cue) => cue === part || is(cue, "what", "exist", "every", "in"))
  ) {
    for (const cue of cues) used.add(cue);
    return [{ tell: "groups", find: {}, by: group }];
  }
  const most = cues.find((cue) => is(cue, "most"));
  const who = cues.find((cue) => is(cue, "who"));
  const per = cues.findIndex((cue) => is(cue, "per", "in", "every"));
  const at = cues.findIndex(
    (cue, i) =>
      as(cue, "part")?.group !== undefined &&
      (most !== undefined || is(cues[i - 1], "per", "every") || /^by$/i.test(cues[i - 1]?.text ?? "")),
  );
  const by = as(cues[at], "part")?.group ?? (most !== undefined && who !== undefined ? "owner" : undefined);
  if (by === undefined || (most === undefined && per < 0)) return [];
  take(used, cues, "per", "who", "own", "every", "how many", "with", "most");
  for (const cue of [cues[at]]) if (cue !== undefined) used.add(cue);
  const whole = readWhole(left(cues, used), used);
  if (whole === null) return [];
  const least = as(most, "most")?.least === true;
  return [{ tell: "groups", find: whole.find, by, ...(most !== undefined && { limit: 1 }), ...(least && { least }) }];
};

/** "the five models with the most columns", "the most used source", "the newest certified metrics" */
export const ordered: Head = (cues, used) => {
  const at = cues.findIndex((cue) => is(cue, "most"));
  const most = as(cues[at], "most");
  if (most === undefined || (cues.some(isName) && hasCue(cues, "who"))) return [];
  take(used, cues, "most");
  const number = [cues[at - 1], cues[at + 1], cues[at - 2], cues[0], cues[1]].find((cue) => is(cue, "number"));
  if (number !== undefined) used.add(number);
  // "the most used table, by number of models that read it"
  const by =
    most.of === "date"
      ? dateOf(cues, used)
      : (measureBehind(cues, at, used) ?? (most.by === undefined ? null : { by: most.by }));
  if (by === null) return [];
  const whole = readWhole(left(cues, used), used);
  if (whole === null) return [];
  const order = { ...by, ...(most.least && { least: true }) };
  return [{ tell: "list", find: whole.find, order, limit: as(number, "number")?.amount ?? 1 }];
};

/** "the newest certified metrics": what of a thing has a day. */
function dateOf(cues: readonly Cue[], used: Set<Cue>): { by: DateOf } | null {
  if (cues.some((cue) => as(cue, "adjective")?.where.is === "certification")) return { by: "certified" };
  take(used, cues, "added", "updated");
  return hasCue(cues, "added") ? { by: "added" } : hasCue(cues, "updated") ? { by: "updated" } : null;
}

/** What there is most of: "the most columns", "feeds the most models", "top three by number of users". */
function measureBehind(cues: readonly Cue[], at: number, used: Set<Cue>): { by: Measure; among?: Things } | null {
  const counted = cues.findIndex((cue, i) => i > at && is(cue, "how many"));
  const place = counted > at ? counted + 1 : at + 1;
  let i = place;
  while (is(cues[i], "number", "a", "in")) i++;
  const what = cues[i];
  const type = as(what, "type");
  if (what === undefined) return null;
  if (counted > at) used.add(cues[counted] as Cue);
  if (isColumns(type?.set)) {
    used.add(what);
    return { by: "columns" };
  }
  // "the most downstream models", "the fewest models downstream"
  const pair = cues.slice(i, i + 2);
  const near = pair.find((cue) => as(cue, "part")?.measure !== undefined && (cue === what || type !== undefined));
  const part = as(near, "part");
  const isAmong = part?.way !== undefined && !is(cues[i + 2], "name");
  const set = as(
    pair.find((cue) => cue !== near),
    "type",
  )?.set;
  if (near !== undefined && part?.measure !== undefined && (isAmong || near === what)) {
    used.add(near);
    if (!isAmong || set === undefined) return { by: part.measure };
    take(used, pair, "type");
    return { by: part.measure, ...(Object.keys(set).length > 0 && { among: set }) };
  }
  const relation = cues.findIndex((cue) => is(cue, "relation"));
  const lies = as(cues[relation], "relation");
  if (type === undefined || lies === undefined) return null;
  const among = Object.keys(type.set).length === 0 ? {} : { among: type.set };
  used.add(what);
  used.add(cues[relation] as Cue);
  // "feeds the most models": what it feeds. "that most models use": what uses it.
  const way = relation < at ? inverse(lies.way) : lies.way;
  return { by: lies.isFar ? `all ${way}` : way, ...among };
}

/** "how many models are certified" */
export const count: Head = (cues, used) => {
  // "how many are views and how many are tables" counts two sets.
  if (cues.filter((cue) => is(cue, "how many")).length !== 1) return [];
  take(used, cues, "how many", "exist", "every");
  const names = cues.filter(isName);
  if (names.length === 0) take(used, cues, "define");
  // "how many unique tests are there": checks are no assets.
  if (names.length === 0 && hasCue(cues, "check") && !hasCue(cues, "type")) return [];
  const whole = readWhole(cues, used);
  return whole === null ? [] : [{ tell: "count", find: whole.find }];
};

/** "which models are untested": everything that only names a set. */
export const list: Head = (cues, used) => {
  if (is(cues[0], "whether") && !hasCue(cues, "exist")) return [];
  take(used, cues, "exist", "every", "where", "located");
  if (!cues.some(isName)) take(used, cues, "define");
  const isWho = is(cues[0], "who") || is(cues.at(-1), "who");
  const isOwners = hasCue(cues, "own") && !cues.some((cue) => as(cue, "value")?.of === "owner");
  take(used, cues, "who");
  if (isWho && isOwners) take(used, cues, "own");
  const owner = cues.find((cue) => as(cue, "part")?.aspect === "owner" && !used.has(cue));
  const whole = readWhole(cues, used);
  if (whole === null) return [];
  if ((isWho && isOwners) || (owner !== undefined && !used.has(owner))) {
    if (owner !== undefined) used.add(owner);
    return [{ tell: "aspect", find: whole.find, aspect: "owner" }];
  }
  return [{ tell: "list", find: whole.find }];
};
