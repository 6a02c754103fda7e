/** Which words of a question may name assets of this workspace: by a bounded number of searches, never by reading the catalog. */
import { isTypoOf } from "../../catalog/search-spelling.ts";
import { singularOf, splitIdentifier } from "../../catalog/search.ts";
import { NAMED_TYPES, type Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import type { Token } from "../read/tokens.ts";
import { foldName, isFoldedNameOf, nameSureness, type Readings, readingsOf } from "./match.ts";
import { GRAMMAR } from "./words.ts";

/** Tokens `from` up to, not including, `to` name one of these, of which all fit as well. */
export interface Mention {
  from: number;
  to: number;
  things: readonly Thing[];
  /** Columns that may be meant instead, such as `customers.email` where `customer_email` fits a little better. */
  near: readonly Thing[];
  /** As it is written, folded. */
  text: string;
  /** 0 to 1: how surely they are meant. */
  sureness: number;
}

const MAX_SEARCHES = 40;
const PER_SEARCH = 25;
const LONGEST_SPAN = 9;
const LONGEST_SEARCHED = 3;
/** A name of which less is said is not meant. */
const SURE_ENOUGH = 0.6;
/** A name that is written as one may have a slip, and must else be whole. */
const SURE_WRITTEN = 0.85;
/** What is this near to the best fits as well. */
const TIE = 0.03;
/** A column that is this near to the best may be meant instead. */
const NEAR = 0.1;
const INITIALS = 0.9;

interface Sources {
  lookup: Lookup;
  /** Whether a word belongs to the language of questions, so that it is looked up only beside others. */
  isPlain: (word: string) => boolean;
  /** Whether the question may be about it. */
  allows: (thing: Thing) => boolean;
  /** Assets that are known already: no search finds initials, nor always what people see them called. */
  seen: readonly Thing[];
  nextTurn: () => Promise<void>;
}

/** @returns the mentions, and all assets that were looked at for them */
export async function findNames(
  tokens: readonly Token[],
  { lookup, seen, isPlain, allows, nextTurn }: Sources,
): Promise<{ mentions: Mention[]; candidates: Thing[] }> {
  const found = await gather(tokens, isPlain, lookup);
  const short = tokens.filter(({ word, isName }) => !isName && !isPlain(word) && /^\p{L}{3,6}$/u.test(word));
  const written = tokens.filter(({ isName }) => isName).map(({ text }) => foldName(text));
  const meant = seen.filter(
    (thing) =>
      short.some(({ word }) => isInitialsOf(word, thing)) || written.some((name) => isFoldedNameOf(name, thing)),
  );
  const candidates = [...new Map([...found, ...meant].map((thing) => [thing.id, thing])).values()].filter(allows);
  const wordsKnown = new Set(candidates.flatMap((thing) => splitIdentifier(`${thing.name} ${thing.displayName}`)));
  const readings = tokens.map(({ words }) => words.map((word) => readingsOf(word, correct(word, wordsKnown, isPlain))));
  const mentions: Mention[] = [];
  for (let from = 0; from < tokens.length; from++) {
    await nextTurn();
    for (let to = from + 1; to <= Math.min(tokens.length, from + LONGEST_SPAN); to++) {
      mentions.push(...mentionsOf(tokens.slice(from, to), readings.slice(from, to).flat(), candidates, from, isPlain));
    }
  }
  return { mentions, candidates };
}

function isEdge(token: Token | undefined): boolean {
  return token === undefined || token.words.length === 0 || (GRAMMAR.has(token.word) && !token.isName);
}

async function gather(tokens: readonly Token[], isPlain: (word: string) => boolean, lookup: Lookup): Promise<Thing[]> {
  const named = tokens.filter(({ isName }) => isName).map(({ text }) => text);
  const texts = new Set([...named.map((text) => text.split(".").at(-1) ?? text), ...named]);
  for (let length = LONGEST_SEARCHED; length > 0; length--) {
    for (let from = 0; from + length <= tokens.length; from++) {
      const part = tokens.slice(from, from + length);
      const plain = part.filter(({ word }) => isPlain(word)).length;
      const isTelling = length === 2 || plain < length;
      if (isTelling && part.every((token) => !isEdge(token) && !token.isName))
        texts.add(part.map(({ word }, i) => (i < length - 1 ? word : singularOf(word))).join(" "));
    }
  }
  // A column may be called "amount": words of the language of questions come last.
  for (const { word, isName } of tokens)
    if (!isName && isPlain(word) && !GRAMMAR.has(word)) texts.add(singularOf(word));
  const found = await Promise.all(
    [...texts]
      .slice(0, MAX_SEARCHES)
      .flatMap((text) => [
        lookup.search(text.slice(0, 200), NAMED_TYPES, PER_SEARCH),
        lookup.search(text.slice(0, 200), ["column"], PER_SEARCH),
      ]),
  );
  return [...new Map(found.flat().map((thing) => [thing.id, thing])).values()];
}

function correct(word: string, known: ReadonlySet<string>, isPlain: (word: string) => boolean): string[] {
  if (known.has(word) || known.has(singularOf(word)) || isPlain(word)) return [];
  return [...known].filter((each) => isTypoOf(word, each)).slice(0, 2);
}

function mentionsOf(
  span: readonly Token[],
  readings: readonly Readings[],
  candidates: readonly Thing[],
  from: number,
  isPlain: (word: string) => boolean,
): Mention[] {
  if (isEdge(span[0]) || isEdge(span.at(-1))) return [];
  const text = foldName(span.map((token) => token.text).join(" "));
  const stretch = { from, to: from + span.length, text };
  const exact = candidates.filter((thing) => isFoldedNameOf(text, thing));
  const [only] = span.length === 1 ? span : [];
  const isWritten = only?.isName === true;
  if (exact.length > 0 && (only === undefined || isWritten || /\d/.test(only.word)))
    return group(
      exact.map((thing) => ({ thing, sure: 1 })),
      stretch,
    );
  if (!isWritten && exact.length === 0 && span.every(({ word }) => isPlain(word))) return [];
  const fits = candidates.flatMap((thing): Fit[] => {
    const initials = only !== undefined && isInitialsOf(only.word, thing) ? INITIALS : 0;
    const sure = Math.max(initials, nameSureness(readings, thing));
    // What is written as a name leaves no word of it out, not even "to".
    const isShort =
      isWritten && [thing.name, thing.displayName].every((name) => splitIdentifier(name).length !== readings.length);
    return sure >= (isWritten ? SURE_WRITTEN : SURE_ENOUGH) && !isShort ? [{ thing, sure }] : [];
  });
  return group(fits, stretch);
}

interface Fit {
  thing: Thing;
  sure: number;
}

/** The surest; columns of one name together, apart from all else. */
function group(fits: readonly Fit[], stretch: Pick<Mention, "from" | "to" | "text">): Mention[] {
  return [false, true].flatMap((isColumn) => {
    const each = fits.filter(({ thing }) => (thing.type === "column") === isColumn);
    const sureness = Math.max(0, ...each.map(({ sure }) => sure));
    const within = (gap: number): Thing[] =>
      each.filter(({ sure }) => sure >= sureness - gap).map(({ thing }) => thing);
    const things = within(TIE);
    const near = isColumn ? within(NEAR).filter((thing) => !things.includes(thing)) : [];
    return things.length === 0 ? [] : [{ ...stretch, things, near, sureness }];
  });
}

/** Of the words of a metric's or dashboard's name, with words of grammar or without them: `aov` is `average_order_value`. */
function isInitialsOf(word: string, { name, displayName, type }: Thing): boolean {
  if (word.length < 3 || (type !== "metric" && type !== "dashboard")) return false;
  return [name, displayName].some((each) => {
    const words = splitIdentifier(each);
    return [words, words.filter((one) => !GRAMMAR.has(one))].some(
      (some) => some.map(([first]) => first).join("") === word,
    );
  });
}
