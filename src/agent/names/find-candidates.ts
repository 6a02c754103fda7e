/** What a question may be about, for a language model: found by a search for each word and each pair of words. */
import { splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import { NAMED_TYPES, type Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { type Token, tokenize } from "../read/tokens.ts";
import { singular } from "./closeness.ts";
import { loadValues, type Values } from "./find-values.ts";
import { GRAMMAR } from "./words.ts";

export interface Candidates {
  things: Thing[];
  /** Values that the question has a word of, by their kind. */
  values: Readonly<Record<"tag" | "schema" | "owner" | "connector" | "materialization", string[]>>;
}

const MAX_SEARCHES = 24;
const PER_SEARCH = 6;
const MAX_THINGS = 24;
/** Things that may have none of the question's words, such as those that are misspelt. */
const MAX_UNLIKE = 8;
const MAX_COLUMNS = 10;
const MAX_VALUES = 12;
/** Tables of which all columns are looked through. */
const MAX_NAMED = 5;
const MIN_LETTERS = 3;

/** @param known assets that the question surely names; they come first */
export async function findCandidates(
  question: string,
  lookup: Lookup,
  allows: (thing: Thing) => boolean,
  known: readonly Thing[],
): Promise<Candidates> {
  const values = await loadValues(lookup);
  const tokens = tokenize(question).filter(({ word, words }) => words.length > 0 && !GRAMMAR.has(word));
  const pairs = tokens.flatMap(({ text }, at) =>
    tokens[at + 1] === undefined ? [] : [`${text} ${tokens[at + 1]?.text}`],
  );
  const words = tokens.filter(({ word }) => word.length >= MIN_LETTERS).map(({ text }) => text);
  const names = tokens.filter(({ isName }) => isName).map(({ text }) => text.split(".").at(-1) ?? text);
  const texts = [...new Set([...names, ...pairs, ...words])].slice(0, MAX_SEARCHES);
  const found = await Promise.all(
    texts.map(async (text) => ({
      others: await lookup.search(text, NAMED_TYPES, PER_SEARCH),
      columns: await lookup.search(text, ["column"], PER_SEARCH),
    })),
  );
  const asked = wordsOf(tokens);
  const written = new Set(tokens.map(lastOf));
  const isNamed = (thing: Thing): boolean => known.includes(thing) || written.has(fold(thing.name));
  // Words of a table's name name no column.
  const whole = new Set(found.flatMap(({ others }) => others.filter(isNamed).map(({ name }) => fold(name))));
  const besides = wordsOf(tokens.filter((token) => !whole.has(lastOf(token))));
  // The share of a name that the question has, and then how many of its words.
  const shared = (thing: Thing): number => {
    const own = splitIdentifier(`${thing.name} ${thing.displayName}`).map(singular);
    const said = own.filter((word) => (thing.type === "column" ? besides : asked).has(word)).length;
    return said + said / Math.max(1, own.length);
  };
  const best = (things: readonly Thing[]): Thing[] =>
    [...new Map(things.filter(allows).map((thing) => [thing.id, thing])).values()].toSorted(
      (a, b) => Number(isNamed(b)) - Number(isNamed(a)) || shared(b) - shared(a),
    );
  const others = best([...known.filter(({ type }) => type !== "column"), ...found.flatMap((each) => each.others)]);
  const kept = others.filter((thing, at) => at < MAX_UNLIKE || shared(thing) >= 1).slice(0, MAX_THINGS);
  const tables = new Set(kept.filter(({ type }) => type === "table" || type === "model").map(({ id }) => id));
  const named = kept.flatMap((thing) => (isNamed(thing) && tables.has(thing.id) ? [thing.id] : [])).slice(0, MAX_NAMED);
  const own = await lookup.columns(named);
  // Columns of tables that the question names come first, then those of other tables that may be meant.
  const place = ({ parentId }: Thing): number =>
    named.includes(parentId ?? "") ? 0 : tables.has(parentId ?? "") ? 1 : 2;
  const columns = best([
    ...known.filter(({ type }) => type === "column"),
    ...own,
    ...found.flatMap((each) => each.columns),
  ])
    .filter((thing) => shared(thing) >= 1)
    .toSorted((a, b) => place(a) - place(b));
  return { things: [...kept, ...columns.slice(0, MAX_COLUMNS)], values: valuesOf(values, asked) };
}

/** The last part of a name. */
function lastOf({ text }: Token): string {
  return fold(text.split(".").at(-1) ?? text);
}

function wordsOf(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.flatMap(({ words }) => words.map(singular)));
}

function valuesOf(values: Values, asked: ReadonlySet<string>): Candidates["values"] {
  const meant = (all: readonly string[]): string[] =>
    all.filter((value) => splitIdentifier(fold(value)).some((word) => asked.has(singular(word)))).slice(0, MAX_VALUES);
  return {
    tag: meant(values.tags),
    schema: meant(values.schemas),
    owner: meant(values.owners),
    connector: meant(values.connectors),
    materialization: meant(values.materializations),
  };
}
