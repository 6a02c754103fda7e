/** What a question may be about, for a language model: the likeliest of what was found for its words, and its values. */
import { isDataset } from "../../catalog/node-types.ts";
import { singularOf, splitIdentifier } from "../../catalog/search.ts";
import { isColumn, type Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { tokenize } from "./tokens.ts";
import type { findNames } from "./find-names.ts";
import { GRAMMAR } from "./words.ts";

export type Candidates = Awaited<ReturnType<typeof findCandidates>>;

/** What the reader found for the words of a question. */
type Sighted = Awaited<ReturnType<typeof findNames>>["sighted"];

const MAX_THINGS = 24;
const MAX_COLUMNS = 10;
const MAX_VALUES = 12;
/** Tables of which all columns are looked through. */
const MAX_TABLES = 5;

/** @param known assets that the question surely names; they come first */
export async function findCandidates(
  question: string,
  { things, values }: Sighted,
  known: readonly Thing[],
  lookup: Lookup,
) {
  const tokens = tokenize(question).filter(({ word }) => !GRAMMAR.has(word));
  const asked = new Set(tokens.flatMap(({ words }) => words.map(singularOf)));
  const isAsked = (name: string): boolean => splitIdentifier(name).some((word) => asked.has(singularOf(word)));
  const all = distinct([...known, ...things]);
  const kept = all.filter((thing) => !isColumn(thing)).slice(0, MAX_THINGS);
  const tables = kept.filter(({ type }) => isDataset(type)).slice(0, MAX_TABLES);
  const columns = distinct([...all.filter(isColumn), ...(await lookup.columns(tables))]);
  // Those of the likeliest tables come first.
  const isOfThese = ({ parentId }: Thing): number => Number(tables.some(({ id }) => id === parentId));
  const meant = columns.filter(({ name }) => isAsked(name)).toSorted((a, b) => isOfThese(b) - isOfThese(a));
  return {
    things: [...kept, ...meant.slice(0, MAX_COLUMNS)],
    /** Values that the question has a word of, by their kind. */
    values: Object.fromEntries(
      Object.entries(values).map(([kind, some]) => [kind, some.filter(isAsked).slice(0, MAX_VALUES)] as const),
    ),
  };
}

function distinct(things: readonly Thing[]): Thing[] {
  return [...new Map(things.map((thing) => [thing.id, thing])).values()];
}
