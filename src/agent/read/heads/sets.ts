/** Connectors, groups, orders, counts and lists. */
import type { Measure, Things } from "../../plan.ts";
import { as, type Cue, is } from "../cue.ts";
import { tableOf } from "../join-cues.ts";
import { readSet } from "../read-set.ts";
import { inverse, isColumns, withConditions } from "../set-state.ts";
import { type Head, isName, readWhole, take, withSubject } from "./head.ts";

const CRAWLS = new Set<string>(
  "crawl connector fault fine when how what updated if how many every most value number".split(" "),
);

/** "when did the last sync run", "is the connector x healthy" */
export const connectors: Head = (cues, used) => {
  if (!cues.some((cue) => is(cue, "crawl", "connector")) || cues.some(isName)) return [];
  const named = cues.filter(
    (cue, at) =>
      as(cue, "value")?.of === "connector" ||
      (is(cue, "unknown") && [cues[at - 1], cues[at + 1]].some((each) => is(each, "connector"))),
  );
  for (const cue of cues)
    if (named.includes(cue) || cue.words.some((word) => CRAWLS.has(word.is)) || is(cue, "how many")) used.add(cue);
  const asksFaults = is(cues[0], "whether") && cues.some((cue) => is(cue, "fault"));
  const hasNone = cues.some((cue) => is(cue, "without", "not"));
  take(used, cues, "without", "not");
  const names = named.map(({ text }) => text);
  return [
    {
      tell: "connectors",
      ...(names.length > 0 && { names }),
      ...(cues.some((cue) => is(cue, "how many")) && { count: true }),
      ...(asksFaults && { faults: hasNone ? "none" : "any" }),
    },
  ];
};

/** "who owns the most models", "dashboards by owner", "how many models are in each schema" */
export const groups: Head = (cues, used) => {
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
  const whole = readWhole(
    cues.filter((cue) => !used.has(cue)),
    used,
  );
  if (whole === null) return [];
  const least = as(most, "most")?.least === true;
  return [{ tell: "groups", find: whole.find, by, ...(most !== undefined && { limit: 1 }), ...(least && { least }) }];
};

/** "the five models with the most columns", "the most used source", "the newest certified metrics" */
export const ordered: Head = (cues, used) => {
  const at = cues.findIndex((cue) => is(cue, "most"));
  const most = as(cues[at], "most");
  if (most === undefined || (cues.some(isName) && cues.some((cue) => is(cue, "who")))) return [];
  take(used, cues, "most");
  const number = [cues[at - 1], cues[at + 1], cues[at - 2], cues[0], cues[1]].find((cue) => is(cue, "number"));
  if (number !== undefined) used.add(number);
  const dated =
    most.of === "date"
      ? cues.find((cue) => is(cue, "added", "updated") || as(cue, "adjective")?.where.is === "certification")
      : undefined;
  const rest = cues.filter((cue) => !used.has(cue) && cue !== dated);
  if (most.of === "date") {
    if (dated === undefined) return [];
    used.add(dated);
    const adjective = as(dated, "adjective");
    const whole = readWhole(adjective === undefined ? rest : cues.filter((cue) => !is(cue, "most", "number")), used);
    const by = adjective !== undefined ? "certified" : is(dated, "added") ? "added" : "updated";
    return whole === null
      ? []
      : [
          {
            tell: "list",
            find: whole.find,
            order: { by, ...(most.least && { least: true }) },
            limit: as(number, "number")?.amount ?? 1,
          },
        ];
  }
  const by = most.by === undefined ? measureBehind(cues, at, used) : { measure: most.by };
  if (by === null) return [];
  const left = cues.filter((cue) => !used.has(cue));
  const whole = readWhole(left, used);
  if (whole === null) return [];
  const order = { by: by.measure, ...(by.among && { among: by.among }), ...(most.least && { least: true }) };
  return [{ tell: "list", find: whole.find, order, limit: as(number, "number")?.amount ?? 1 }];
};

/** What there is most of: "the most columns", "feeds the most models", "top three by number of users". */
function measureBehind(cues: readonly Cue[], at: number, used: Set<Cue>): { measure: Measure; among?: Things } | null {
  const counted = cues.findIndex((cue, i) => i > at && is(cue, "how many"));
  const place = counted > at ? counted + 1 : at + 1;
  let i = place;
  while (is(cues[i], "number", "a", "in")) i++;
  const what = cues[i];
  const part = as(what, "part");
  const type = as(what, "type");
  if (what === undefined) return null;
  if (counted > at) used.add(cues[counted] as Cue);
  if (part?.measure !== undefined) {
    used.add(what);
    const behind = as(cues[i + 1], "type");
    // "the most downstream models"
    take(used, cues, "direct");
    if (behind === undefined || part.way === undefined || is(cues[i + 2], "name")) return { measure: part.measure };
    used.add(cues[i + 1] as Cue);
    return { measure: part.measure, among: behind.set };
  }
  if (isColumns(type?.set)) {
    used.add(what);
    return { measure: "columns" };
  }
  const around = as(cues[i + 1], "part");
  // "the fewest models downstream"
  if (type !== undefined && around?.way !== undefined && around.measure !== undefined && !is(cues[i + 2], "name")) {
    used.add(what).add(cues[i + 1] as Cue);
    return { measure: around.measure, ...(Object.keys(type.set).length > 0 && { among: type.set }) };
  }
  const relation = cues.findIndex((cue) => is(cue, "relation"));
  const lies = as(cues[relation], "relation");
  if (type === undefined || lies === undefined) return null;
  const among = Object.keys(type.set).length === 0 ? {} : { among: type.set };
  used.add(what);
  used.add(cues[relation] as Cue);
  // "feeds the most models": what it feeds. "that most models use": what uses it.
  const way = relation < at ? inverse(lies.way) : lies.way;
  const isFar = cues.some((cue) => is(cue, "far"));
  take(used, cues, "far", "direct");
  return { measure: isFar ? `all ${way}` : way, ...among };
}

/** "how many models are certified" */
export const count: Head = (cues, used) => {
  // "how many are views and how many are tables" counts two sets.
  if (cues.filter((cue) => is(cue, "how many")).length !== 1) return [];
  take(used, cues, "how many", "exist", "every");
  const names = cues.filter(isName);
  if (names.length === 0) take(used, cues, "define");
  const type = cues.find((cue) => is(cue, "type"));
  const [name] = names;
  const table = tableOf(name);
  // "how many columns does X have"
  if (
    name !== undefined &&
    names.length === 1 &&
    isColumns(as(type, "type")?.set) &&
    table !== null &&
    type !== undefined &&
    !cues.some((cue) => is(cue, "relation"))
  ) {
    const others = cues.filter((cue) => cue !== name && cue !== type);
    const read = readSet(withSubject(others, { types: ["column"] }), used);
    used.add(name).add(type);
    take(used, cues, "with", "possessive");
    return [
      {
        tell: "count",
        find: withConditions({ types: ["column"] }, [
          ...read.where,
          { is: "along", along: { way: "columns", of: table } },
        ]),
      },
    ];
  }
  const whole = readWhole(cues, used);
  return whole === null ? [] : [{ tell: "count", find: whole.find }];
};

/** "which models are untested": everything that only names a set. */
export const list: Head = (cues, used) => {
  if (is(cues[0], "whether") && !cues.some((cue) => is(cue, "exist"))) return [];
  take(used, cues, "exist", "every", "where", "located");
  if (!cues.some(isName)) take(used, cues, "define");
  const isWho = is(cues[0], "who") || is(cues.at(-1), "who");
  const isOwners = cues.some((cue) => is(cue, "own")) && !cues.some((cue) => as(cue, "value")?.of === "owner");
  take(used, cues, "who");
  if (isWho && isOwners) take(used, cues, "own");
  const columns = readColumnsOf(cues, used);
  if (columns !== null) return [{ tell: "list", find: columns }];
  const owner = cues.find((cue) => as(cue, "part")?.aspect === "owner" && !used.has(cue));
  const whole = readWhole(cues, used);
  if (whole === null) return [];
  if ((isWho && isOwners) || (owner !== undefined && !used.has(owner))) {
    if (owner !== undefined) used.add(owner);
    return [{ tell: "aspect", find: whole.find, aspect: "owner" }];
  }
  return [{ tell: "list", find: whole.find }];
};

/** "which columns does X have that are tested for nulls" */
function readColumnsOf(cues: readonly Cue[], used: Set<Cue>): Things | null {
  const type = cues.find((cue) => isColumns(as(cue, "type")?.set));
  const names = cues.filter(isName);
  const [name] = names;
  const table = tableOf(name);
  if (type === undefined || name === undefined || names.length > 1 || table === null) return null;
  if (cues.some((cue) => is(cue, "relation") && !is(cue, "adjective"))) return null;
  const others = cues.filter((cue) => cue !== name && cue !== type);
  const read = readSet(withSubject(others, { types: ["column"] }), used);
  used.add(name).add(type);
  take(used, cues, "with", "possessive");
  return withConditions({ types: ["column"] }, [...read.where, { is: "along", along: { way: "columns", of: table } }]);
}
