/** Joins cues that together name one thing: a name with its type, a column with its table, "it" with what it means. */
import { isDataset } from "../../catalog/node-types.ts";
import type { Thing } from "../catalog.ts";
import { type Condition, only, type Things } from "../plan.ts";
import { as, type Cue, cueOf, hasCue, is, isName, isOf, nameOf, type Word } from "./cue.ts";

/** Columns of one name that a text may mean. */
const MAX_MEANT = 3;

export function joinCues(cues: readonly Cue[], previous: Things | null): Cue[] {
  return joinFar(joinColumns(joinTypes(resolve(joinReach(cues), previous))));
}

/** "directly", "in any way": how far the one relation of the sentence reaches. */
function joinReach(cues: readonly Cue[]): Cue[] {
  const far = cues.filter((cue) => is(cue, "direct", "far"));
  const [lying, ...others] = cues.filter((cue) => is(cue, "relation") || as(cue, "part")?.way !== undefined);
  if (far.length === 0 || lying === undefined || others.length > 0) return [...cues];
  const depth = hasCue(far, "direct") ? 1 : undefined;
  const reaching = (word: Word): Word => {
    if (!("way" in word) || word.way === undefined) return word;
    const near = { ...word, isLoose: false, depth };
    return near.is === "relation" ? near : { ...near, measure: depth === 1 ? word.way : `all ${word.way}` };
  };
  const reached = { ...lying, words: lying.words.map(reaching) };
  return cues.filter((cue) => !far.includes(cue)).map((cue) => (cue === lying ? reached : cue));
}

/** "it" is what stands before it in its own sentence, or what was spoken of before. */
function resolve(cues: readonly Cue[], previous: Things | null): Cue[] {
  return cues.flatMap((cue, at) => {
    if (!is(cue, "it")) return [cue];
    const before = cues.slice(0, at);
    if (hasCue(before, "name")) return is(before.at(-1), "relation") ? [cue] : [];
    // "it" is one asset, and "they" may be a list.
    const isOne = previous?.ids !== undefined || previous?.where?.is === "name";
    if (previous !== null && !isOne && /^(?:its?|this)\b/i.test(cue.text)) return [cue];
    if (previous === null) return hasCue(before, "type") ? [] : [cue];
    return [{ ...cue, words: [{ is: "name", things: [], set: previous }] }];
  });
}

/** The likeliest set of what a text may name. */
export function setOf(things: readonly Thing[]): Things {
  const [first] = things;
  if (first === undefined) return {};
  if (first.type !== "column" || things.length === 1) return { types: [first.type], ids: [first.id] };
  return { types: ["column"], where: calledLike(things) };
}

/** Those that have the name of one of these. */
function calledLike(things: readonly Thing[]): Condition {
  return { is: "name", any: [...new Set(things.map(({ name }) => name))].slice(0, MAX_MEANT) };
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

/** The name as that of the things that have the type; null if none has. */
function narrow(name: Cue | undefined, type: Cue | undefined): Cue | null {
  const [named, typed] = [as(name, "name"), as(type, "type")];
  // "the orders table" may be a model, and "the orders source" what the warehouse calls a table.
  const things = named?.things.filter((thing) => typed?.set.types?.includes(thing.type) ?? true) ?? [];
  if (!name || !named || !typed || type?.text.endsWith("s") || things.length === 0) return null;
  const others = name.words.filter((word) => word !== named);
  return { ...name, words: [{ ...named, things, set: setOf(things) }, ...others] };
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
  const isRelated = cues.some((cue) => is(cue, "relation"));
  const one = others.length > 0 || !is(cues[at - 1], "in") || isRelated ? null : toColumn(column, table);
  return one === null ? [...cues] : cues.flatMap((cue) => (cue === column ? [one] : cue === table ? [] : [cue]));
}

/** The table or model that a name may mean; null if it means none. */
export function tableOf(cue: Cue | undefined): Things | null {
  const { things, set } = nameOf(cue);
  if (isOf(set, "table", "model")) return set;
  const table = things.find(({ type }) => isDataset(type));
  return table === undefined ? null : setOf([table]);
}

/** One column of one table; null if the cues are not that. */
function toColumn(column: Cue | undefined, table: Cue | undefined): Cue | null {
  const [id] = tableOf(table)?.ids ?? [];
  const columns = nameOf(column).things.filter(({ type }) => type === "column");
  if (column === undefined || table === undefined || id === undefined || columns.length === 0) return null;
  const things = columns.filter(({ parentId }) => parentId === id);
  const types: Things["types"] = ["column"];
  const set =
    things.length > 0
      ? { types, ids: things.slice(0, MAX_MEANT).map((thing) => thing.id) }
      : only({ types }, calledLike(columns), { is: "along", along: { way: "columns", of: { ids: [id] } } });
  const cue = cueOf(`${column.text} of ${table.text}`, { is: "name", things, set });
  return { ...cue, sureness: column.sureness * table.sureness };
}
