/** Joins cues that together name one thing: a name with its type, a column with its table, "it" with what it means. */
import { fold } from "../../catalog/text.ts";
import type { Thing } from "../catalog.ts";
import type { Things } from "../plan.ts";
import { as, type Cue, is, type Word, hasCue } from "./cue.ts";

export function joinCues(cues: readonly Cue[], previous: Things | null): Cue[] {
  return joinFar(joinColumns(joinTypes(resolve(joinReach(cues), previous))));
}

/** "directly", "within two hops": how far the relation beside it reaches. */
function joinReach(cues: readonly Cue[]): Cue[] {
  let joined = [...cues];
  for (let at = 0; at < joined.length; at++) {
    const reach = reachAt(joined, at);
    const rest = reach === null ? joined : joined.toSpliced(at, reach.length);
    const behind = rest.findIndex((cue, i) => i >= at && isLying(cue));
    const before = rest.findLastIndex((cue, i) => i < at && isLying(cue));
    const isNext = behind >= 0 && rest.slice(at, behind).every((cue) => is(cue, "in", "a"));
    const place = isNext || before < 0 ? behind : before;
    const lying = rest[place];
    if (reach === null || lying === undefined) continue;
    joined = rest.with(place, reaching(lying, reach.depth));
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

function reaching(cue: Cue, depth: number | undefined): Cue {
  const reach = depth === undefined ? { isFar: true as const } : { depth };
  const words = cue.words.map((word): Word => {
    if (word.is === "relation") return { is: "relation", way: word.way, ...reach };
    if (word.is !== "part" || word.way === undefined || word.way === "both") return word;
    const { isLoose: _, depth: _depth, ...part } = word;
    if (part.measure === undefined || (depth ?? 1) > 1) return { ...part, ...reach };
    return { ...part, ...reach, measure: depth === 1 ? word.way : `all ${word.way}` };
  });
  return { ...cue, words };
}

/** "it" is what stands before it in its own sentence, or what was spoken of before. */
function resolve(cues: readonly Cue[], previous: Things | null): Cue[] {
  return cues.flatMap((cue, at) => {
    if (!is(cue, "it")) return [cue];
    const before = cues.slice(0, at);
    if (hasCue(before, "name") && is(before.at(-1), "relation")) return [cue];
    if (hasCue(before, "name") || (previous === null && hasCue(before, "type"))) return [];
    return previous === null ? [cue] : [{ ...cue, words: [{ is: "name", things: [], set: previous }] }];
  });
}

/** The likeliest set of what a text may name. */
export function setOf(things: readonly Thing[], text: string): Things {
  const [first] = things;
  if (first === undefined) return {};
  if (first.type !== "column") return { types: [first.type], ids: [first.id] };
  const table = text.includes(".") ? text.split(".").at(-2) : undefined;
  const own = table === undefined ? [] : things.filter(({ fqn }) => fold(fqn.split(".").at(-2) ?? "") === table);
  if (own.length > 0) return { types: ["column"], ids: own.slice(0, 3).map(({ id }) => id) };
  if (things.length === 1) return { types: ["column"], ids: [first.id] };
  return { types: ["column"], where: { is: "name", any: [...new Set(things.map(({ name }) => name))].slice(0, 3) } };
}

/** "the orders model", "metric net revenue": the type belongs to the name, and says which is meant. */
function joinTypes(cues: readonly Cue[]): Cue[] {
  const joined: Cue[] = [];
  for (const [at, cue] of cues.entries()) {
    const before = joined.at(-1);
    // "the raw orders table"
    const isRaw =
      /^raw$/i.test(cue.text) && (as(cues[at + 1], "name")?.things.some(({ type }) => type === "table") ?? false);
    if (isRaw && !is(cues[at - 1], "what")) continue;
    // "X from the schema S"
    const placed = is(before, "in") && joined.length > 1 ? inPlace(joined.at(-2), cue) : null;
    if (placed !== null) joined.splice(-2, 2, placed);
    if (placed !== null) continue;
    const [name, type] = is(before, "name") ? [before, cue] : [cue, before];
    const narrowed = name === undefined || type === undefined || cue.isApart ? null : narrow(name, type);
    if (narrowed === null) joined.push(cue);
    else joined.splice(-1, 1, narrowed);
  }
  return joined;
}

/** The name with the schema that stands behind it; null if nothing of that name lies there. */
function inPlace(name: Cue | undefined, value: Cue): Cue | null {
  const schema = value.words.find((word) => word.is === "value" && word.of === "schema");
  if (name === undefined || schema?.is !== "value" || !("any" in schema.where)) return null;
  const places = schema.where.any.map((place) => fold(String(place)));
  return only(name, ({ fqn }) => places.some((place) => `.${fold(fqn)}`.includes(`.${place}.`)));
}

/** The name as that of the things that fit; null if none does. */
function only(name: Cue, fits: (thing: Thing) => boolean): Cue | null {
  const named = as(name, "name");
  const things = named?.things.filter(fits) ?? [];
  if (named === undefined || things.length === 0) return null;
  const others = name.words.filter((word) => word !== named);
  return { ...name, words: [{ ...named, things, set: setOf(things, fold(name.text)) }, ...others] };
}

function narrow(name: Cue, type: Cue): Cue | null {
  const typed = as(type, "type");
  if (typed === undefined || type.text.endsWith("s") || is(type, "name")) return null;
  // "the orders table" may be a model, and "the orders source" what the warehouse calls a table.
  const narrowed = only(name, (thing) => typed.set.types?.includes(thing.type) ?? true);
  return narrowed === null ? null : { ...narrowed, isTyped: true };
}

/** "amount in orders", "the orders amount": one column of one table. */
function joinColumns(cues: readonly Cue[]): Cue[] {
  const joined: Cue[] = [];
  for (let at = 0; at < cues.length; at++) {
    const [first, second, third] = cues.slice(at, at + 3);
    const isLinked = is(second, "in", "possessive");
    const column = first === undefined ? null : toColumn(first, isLinked ? third : undefined);
    const behind =
      (second?.isApart && !isLinked) || second === undefined || first === undefined
        ? null
        : toColumn(isLinked ? (third ?? second) : second, first);
    const length = isLinked ? 3 : 2;
    const one = column ?? (is(second, "possessive") || !isLinked ? behind : null);
    if (one !== null) at += length - 1;
    if (one !== null || first !== undefined) joined.push(one ?? (first as Cue));
  }
  return joined;
}

/** "payment_id is unique in stg_payments": where a sentence has one column and one table, it is a column of the table. */
function joinFar(cues: readonly Cue[]): Cue[] {
  const names = cues.filter((cue) => is(cue, "name"));
  const [column, table] = names;
  if (names.length !== 2 || column === undefined || table === undefined) return [...cues];
  const at = cues.indexOf(table);
  const isIn = is(cues[at - 1], "in") || is(cues[at + 1], "possessive");
  if (!isIn || cues.some((cue) => is(cue, "relation") && !is(cue, "adjective"))) return [...cues];
  const one = toColumn(column, table);
  if (one === null) return [...cues];
  return cues.flatMap((cue) => (cue === column ? [one] : cue === table ? [] : [cue]));
}

/** The table or model that a name may mean; null if it means none. */
export function tableOf(cue: Cue | undefined): Things | null {
  const named = as(cue, "name");
  if (named === undefined) return null;
  if (named.set.types?.every((type) => type === "table" || type === "model")) return named.set;
  const table = named.things.find(({ type }) => type === "table" || type === "model");
  return table === undefined ? null : { types: [table.type], ids: [table.id] };
}

/** One column of one table; null if the cues are not that. */
export function toColumn(column: Cue, table: Cue | undefined): Cue | null {
  const named = as(column, "name");
  const [id] = tableOf(table)?.ids ?? [];
  if (named === undefined || table === undefined || id === undefined) return null;
  const columns = named.things.filter(({ type }) => type === "column");
  if (columns.length === 0) return null;
  const own = columns.filter(({ parentId }) => parentId === id);
  const set: Things =
    own.length > 0
      ? { types: ["column"], ids: own.map((thing) => thing.id).slice(0, 3) }
      : {
          types: ["column"],
          where: {
            is: "all",
            of: [
              { is: "name", any: [...new Set(columns.map(({ name }) => name))].slice(0, 3) },
              { is: "along", along: { way: "columns", of: { ids: [id] } } },
            ],
          },
        };
  return {
    text: `${column.text} of ${table.text}`,
    words: [{ is: "name", things: own, set }],
    sureness: column.sureness * table.sureness,
  };
}
