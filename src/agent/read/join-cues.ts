/** Joins cues that together name one thing: a name with its type, a column with its table, "it" with what it means. */
import { fold } from "../../catalog/text.ts";
import type { Thing } from "../catalog.ts";
import type { Things } from "../plan.ts";
import { as, type Cue, cueOf, hasCue, is, isName, nameOf, type Word } from "./cue.ts";

const MAX_MEANT = 3;

export function joinCues(cues: readonly Cue[], previous: Things | null): Cue[] {
  return joinFar(joinColumns(joinTypes(resolve(joinReach(cues), previous))));
}

/** "directly", "within two hops": how far the relation beside it reaches. */
function joinReach(cues: readonly Cue[]): Cue[] {
  let joined = [...cues];
  for (let at = 0; at < joined.length; at++) {
    const reach = reachAt(joined, at);
    if (reach === null) continue;
    const rest = joined.toSpliced(at, reach.length);
    const behind = rest.findIndex((cue, i) => i >= at && isLying(cue));
    const before = rest.findLastIndex((cue, i) => i < at && isLying(cue));
    const isNext = behind >= 0 && rest.slice(at, behind).every((cue) => is(cue, "in", "a"));
    const place = isNext || before < 0 ? behind : before;
    const lying = rest[place];
    if (lying === undefined) continue;
    joined = rest.with(place, { ...lying, words: lying.words.map((word) => reaching(word, reach.depth)) });
    at -= 1;
  }
  return joined;
}

function isLying(cue: Cue): boolean {
  return is(cue, "relation") || as(cue, "part")?.way !== undefined;
}

/** How many cues say how far, and how many hops that are; all hops without a depth. */
function reachAt(cues: readonly Cue[], at: number): { length: number; depth?: number } | null {
  if (is(cues[at], "direct")) return { length: 1, depth: 1 };
  if (is(cues[at], "far")) return { length: 1 };
  if (is(cues[at], "only") && is(cues[at + 1], "direct")) return { length: 2, depth: 1 };
  const lead = cues.slice(at, at + 2).findIndex((cue) => !is(cue, "in", "compare"));
  const depth = as(cues[at + lead], "number")?.amount;
  return lead < 0 || depth === undefined || !is(cues[at + lead + 1], "hops") ? null : { length: lead + 2, depth };
}

function reaching(word: Word, depth: number | undefined): Word {
  const reach = { isLoose: false, isFar: depth === undefined, depth };
  if (word.is === "relation") return { ...word, ...reach };
  if (word.is !== "part" || word.way === undefined || word.way === "both") return word;
  const isCounted = word.measure !== undefined && (depth ?? 1) === 1;
  return { ...word, ...reach, ...(isCounted && { measure: depth === 1 ? word.way : (`all ${word.way}` as const) }) };
}

/** "it" is what stands before it in its own sentence, or what was spoken of before. */
function resolve(cues: readonly Cue[], previous: Things | null): Cue[] {
  return cues.flatMap((cue, at) => {
    if (!is(cue, "it")) return [cue];
    const before = cues.slice(0, at);
    if (hasCue(before, "name")) return is(before.at(-1), "relation") ? [cue] : [];
    if (previous === null) return hasCue(before, "type") ? [] : [cue];
    return [{ ...cue, words: [{ is: "name", things: [], set: previous }] }];
  });
}

/** The likeliest set of what a text may name. */
export function setOf(things: readonly Thing[], text: string): Things {
  const [first] = things;
  if (first === undefined) return {};
  if (first.type !== "column") return { types: [first.type], ids: [first.id] };
  const table = text.includes(".") ? text.split(".").at(-2) : undefined;
  const own = things.filter(({ fqn }) => table !== undefined && fold(fqn.split(".").at(-2) ?? "") === table);
  const meant = own.length > 0 ? own : things.length === 1 ? things : [];
  if (meant.length > 0) return { types: ["column"], ids: meant.slice(0, MAX_MEANT).map(({ id }) => id) };
  return { types: ["column"], where: { is: "name", any: namesOf(things) } };
}

function namesOf(things: readonly Thing[]): string[] {
  return [...new Set(things.map(({ name }) => name))].slice(0, MAX_MEANT);
}

/** "the orders model", "metric net revenue": the type says which is meant. */
function joinTypes(cues: readonly Cue[]): Cue[] {
  const joined: Cue[] = [];
  for (const [at, cue] of cues.entries()) {
    const before = joined.at(-1);
    const isOfTable = as(cues[at + 1], "name")?.things.some(({ type }) => type === "table") ?? false;
    // "the raw orders table"
    if (/^raw$/i.test(cue.text) && isOfTable && !is(cues[at - 1], "what")) continue;
    const [name, type] = is(before, "name") ? [before, cue] : [cue, before];
    const narrowed = cue.isApart ? null : narrow(name, type);
    if (narrowed === null) joined.push(cue);
    else joined.splice(-1, 1, narrowed);
  }
  return joined;
}

/** The name as that of the things that fit; null if none does. */
function only(name: Cue | undefined, fits: (thing: Thing) => boolean): Cue | null {
  const named = as(name, "name");
  const things = named?.things.filter(fits) ?? [];
  if (name === undefined || named === undefined || things.length === 0) return null;
  const others = name.words.filter((word) => word !== named);
  return { ...name, words: [{ ...named, things, set: setOf(things, fold(name.text)) }, ...others] };
}

function narrow(name: Cue | undefined, type: Cue | undefined): Cue | null {
  const typed = as(type, "type");
  if (typed === undefined || type?.text.endsWith("s") || is(type, "name")) return null;
  // "the orders table" may be a model, and "the orders source" what the warehouse calls a table.
  const narrowed = only(name, (thing) => typed.set.types?.includes(thing.type) ?? true);
  return narrowed && { ...narrowed, isTyped: true };
}

/** "amount in orders", "the orders amount": one column of one table. */
function joinColumns(cues: readonly Cue[]): Cue[] {
  const joined: Cue[] = [];
  for (let at = 0; at < cues.length; at++) {
    const [first, second, third] = cues.slice(at, at + 3) as [Cue, Cue | undefined, Cue | undefined];
    const isLinked = is(second, "in", "possessive");
    const other = isLinked ? third : second?.isApart ? undefined : second;
    const isTurned = is(second, "possessive") || !isLinked;
    const one = (isLinked ? toColumn(first, third) : null) ?? (isTurned ? toColumn(other, first) : null);
    if (one !== null) at += isLinked ? 2 : 1;
    joined.push(one ?? first);
  }
  return joined;
}

/** "payment_id is unique in stg_payments": where a sentence has one column and one table, it is a column of the table. */
function joinFar(cues: readonly Cue[]): Cue[] {
  const [column, table, ...others] = cues.filter(isName);
  const at = table === undefined ? -1 : cues.indexOf(table);
  const isIn = is(cues[at - 1], "in") || is(cues[at + 1], "possessive");
  const isRelated = cues.some((cue) => is(cue, "relation") && !is(cue, "adjective"));
  const one = others.length > 0 || !isIn || isRelated ? null : toColumn(column, table);
  return one === null ? [...cues] : cues.flatMap((cue) => (cue === column ? [one] : cue === table ? [] : [cue]));
}

/** The table or model that a name may mean; null if it means none. */
export function tableOf(cue: Cue | undefined): Things | null {
  const named = as(cue, "name");
  if (named?.set.types?.every((type) => type === "table" || type === "model")) return named.set;
  const table = named?.things.find(({ type }) => type === "table" || type === "model");
  return table === undefined ? null : { types: [table.type], ids: [table.id] };
}

/** One column of one table; null if the cues are not that. */
export function toColumn(column: Cue | undefined, table: Cue | undefined): Cue | null {
  const [id] = tableOf(table)?.ids ?? [];
  if (column === undefined || table === undefined || id === undefined) return null;
  const columns = nameOf(column).things.filter(({ type }) => type === "column");
  if (columns.length === 0) return null;
  const things = columns.filter(({ parentId }) => parentId === id);
  const own: Things = { types: ["column"], ids: things.slice(0, MAX_MEANT).map((thing) => thing.id) };
  const named: Things = {
    types: ["column"],
    where: {
      is: "all",
      of: [
        { is: "name", any: namesOf(columns) },
        { is: "along", along: { way: "columns", of: { ids: [id] } } },
      ],
    },
  };
  const cue = cueOf(`${column.text} of ${table.text}`, { is: "name", things, set: things.length > 0 ? own : named });
  return { ...cue, sureness: column.sureness * table.sureness };
}
