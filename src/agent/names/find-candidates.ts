/** What a question may be about, for a language model: the likeliest of what was found for its words, and its values. */
import { isDataset } from "../../catalog/node-types.ts";
import { singularOf, splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import { isColumn, type Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { type Token, tokenize } from "./tokens.ts";
import type { findNames } from "./find-names.ts";
import { GRAMMAR } from "./words.ts";

export type Candidates = Awaited<ReturnType<typeof findCandidates>>;

/** What the reader found for the words of a question. */
type Sighted = Awaited<ReturnType<typeof findNames>>["sighted"];

const MAX_THINGS = 24;
/** Things that may have none of the question's words, such as those that are misspelt. */
const MAX_UNLIKE = 8;
const MAX_COLUMNS = 10;
const MAX_VALUES = 12;
/** Tables of which all columns are looked through. */
const MAX_NAMED = 5;

/** @param known assets that the question surely names; they come first */
export async function findCandidates(
  question: string,
  { things, values }: Sighted,
  known: readonly Thing[],
  lookup: Lookup,
) {
  const tokens = tokenize(question).filter(({ word, words }) => words.length > 0 && !GRAMMAR.has(word));
  const written = new Set(tokens.map(lastOf));
  const isNamed = (thing: Thing): boolean => known.includes(thing) || written.has(fold(thing.name));
  const asked = wordsOf(tokens);
  // Words of a table's name name no column.
  const whole = new Set(things.filter((thing) => !isColumn(thing) && isNamed(thing)).map(({ name }) => fold(name)));
  const besides = wordsOf(tokens.filter((token) => !whole.has(lastOf(token))));
  // How many of the question's words a name has, and then the share of it that they are.
  const shared = (thing: Thing): number => {
    const own = splitIdentifier(`${thing.name} ${thing.displayName}`).map(singularOf);
    const said = own.filter((word) => (isColumn(thing) ? besides : asked).has(word)).length;
    return said + said / Math.max(1, own.length);
  };
  const best = (some: readonly Thing[]): Thing[] =>
    [...new Map(some.map((thing) => [thing.id, thing])).values()].toSorted(
      (a, b) => Number(isNamed(b)) - Number(isNamed(a)) || shared(b) - shared(a),
    );
  const all = [...known, ...things];
  const others = best(all.filter((thing) => !isColumn(thing)));
  const kept = others.filter((thing, at) => at < MAX_UNLIKE || shared(thing) >= 1).slice(0, MAX_THINGS);
  const tables = kept.filter(({ type }) => isDataset(type));
  const named = tables.filter(isNamed).slice(0, MAX_NAMED);
  const own = await lookup.columns(named);
  // Columns of tables that the question names come first, then those of other tables that may be meant.
  const place = ({ parentId }: Thing): number =>
    [tables, named].filter((some) => some.some(({ id }) => id === parentId)).length;
  const columns = best([...all.filter(isColumn), ...own])
    .filter((thing) => shared(thing) >= 1)
    .toSorted((a, b) => place(b) - place(a));
  const isMeant = (value: string): boolean => splitIdentifier(fold(value)).some((word) => asked.has(singularOf(word)));
  const meant = Object.entries(values).map(
    ([kind, some]) => [kind, some.filter(isMeant).slice(0, MAX_VALUES)] as const,
  );
  return {
    things: [...kept, ...columns.slice(0, MAX_COLUMNS)],
    /** Values that the question has a word of, by their kind. */
    values: Object.fromEntries(meant),
  };
}

/** The last part of a name. */
function lastOf({ text }: Token): string {
  return fold(text.split(".").at(-1) ?? text);
}

function wordsOf(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.flatMap(({ words }) => words.map(singularOf)));
}
