/** Which words of a question may name assets of this workspace: by a bounded number of searches, never by reading the catalog. */
import { splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import { NAMED_TYPES, type Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import type { Token } from "../read/tokens.ts";
import { isTypoOf, singular } from "./closeness.ts";
import { foldName, isFoldedNameOf, nameSureness, type Readings, readingsOf } from "./match.ts";
import { GRAMMAR } from "./words.ts";

/** Tokens `from` up to, not including, `to` name one of these, of which all fit as well. */
export interface Mention {
  from: number;
  to: number;
  things: readonly Thing[];
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
const INITIALS = 0.9;
const PRIOR: Readonly<Record<Thing["type"], number>> = {
  metric: 1,
  model: 1,
  dashboard: 1,
  pipeline: 0.99,
  table: 0.97,
  column: 0.9,
};

interface Sources {
  lookup: Lookup;
  /** Whether a word belongs to the language of questions, so that it is looked up only beside others. */
  isPlain: (word: string) => boolean;
  /** Whether the question may be about it. */
  allows: (thing: Thing) => boolean;
  /** Assets that are known already: initials and whole names are compared with theirs. */
  seen: readonly Thing[];
  nextTurn: () => Promise<void>;
}

export async function findNames(
  tokens: readonly Token[],
  { lookup, seen, isPlain, allows, nextTurn }: Sources,
): Promise<Mention[]> {
  const found = await gather(tokens, isPlain, lookup);
  const short = tokens.filter(({ word, isName }) => !isName && !isPlain(word) && /^[\p{L}&]{3,6}$/u.test(word));
  // What people see it called may be found by no search for its name.
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
  return mentions;
}

function isEdge(token: Token | undefined): boolean {
  return token === undefined || token.words.length === 0 || (GRAMMAR.has(token.word) && !token.isName);
}

async function gather(tokens: readonly Token[], isPlain: (word: string) => boolean, lookup: Lookup): Promise<Thing[]> {
  const texts = new Set<string>();
  for (const { isName, text } of tokens)
    if (isName) texts.add(text.includes(".") ? (text.split(".").at(-1) ?? text) : text);
  for (const { isName, text } of tokens) if (isName && text.includes(".")) texts.add(text);
  const telling = tokens.map((token) => !isEdge(token) && !token.isName);
  for (let length = LONGEST_SEARCHED; length > 0; length--) {
    for (let from = 0; from + length <= tokens.length; from++) {
      const part = tokens.slice(from, from + length);
      const all = part.every((_, i) => telling[from + i]);
      const plain = part.filter(({ word }) => isPlain(word)).length;
      if (!all || (length === 1 ? plain > 0 : plain === length && length > 2)) continue;
      texts.add([...part.slice(0, -1).map(({ word }) => word), singular(part.at(-1)?.word ?? "")].join(" "));
    }
  }
  // A column may be called "amount": words of the language of questions come last.
  for (const { word, isName } of tokens) if (!isName && isPlain(word) && !GRAMMAR.has(word)) texts.add(singular(word));
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
  if (known.has(word) || known.has(singular(word)) || isPlain(word)) return [];
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
  const to = from + span.length;
  const [only] = span;
  const written = foldName(span.map(({ text }) => text).join(" "));
  const exact = candidates.filter((thing) => isFoldedNameOf(written, thing));
  if (exact.length > 0 && (span.length > 1 || (only !== undefined && (only.isName || /\d/.test(only.word)))))
    return group(
      exact.map((thing) => ({ thing, sure: 1 })),
      { from, to, text: written },
    );
  const isWritten = span.length === 1 && only?.isName === true;
  if (!isWritten && span.every(({ word }) => isPlain(word)) && exact.length === 0) return [];
  const fits = candidates.flatMap((thing) => {
    const initials = span.length === 1 && only !== undefined && isInitialsOf(only.word, thing) ? INITIALS : 0;
    const sure = Math.max(initials, nameSureness(readings, thing));
    // What is written as a name leaves no word of it out, not even "to".
    const isShort =
      isWritten && [thing.name, thing.displayName].every((name) => splitIdentifier(name).length !== readings.length);
    return sure >= (isWritten ? SURE_WRITTEN : SURE_ENOUGH) && !isShort ? [{ thing, sure }] : [];
  });
  return group(fits, { from, to, text: written });
}

/** The surest; columns of one name together, apart from all else. */
function group(
  fits: readonly { thing: Thing; sure: number }[],
  stretch: Pick<Mention, "from" | "to" | "text">,
): Mention[] {
  const [columns, others] = [
    fits.filter(({ thing }) => thing.type === "column"),
    fits.filter(({ thing }) => thing.type !== "column"),
  ];
  return [others, columns].flatMap((each) => {
    const best = Math.max(0, ...each.map(({ thing, sure }) => sure * PRIOR[thing.type]));
    const kept = each.filter(({ thing, sure }) => sure * PRIOR[thing.type] >= best - TIE);
    return kept.length === 0
      ? []
      : [{ ...stretch, things: kept.map(({ thing }) => thing), sureness: Math.max(...kept.map(({ sure }) => sure)) }];
  });
}

/** Of two or more words, with words of grammar or without them, as `aov` is of `average_order_value`. */
function isInitialsOf(word: string, { name, displayName, type }: Thing): boolean {
  const letters = word.replace("&", "");
  const isMarked = letters !== word;
  if (!isMarked && (letters.length < 3 || (type !== "metric" && type !== "dashboard"))) return false;
  return [name, displayName].some((each) => {
    const words = splitIdentifier(fold(each));
    const all = words.map(([first]) => first).join("");
    const telling = words
      .filter((one) => !GRAMMAR.has(one))
      .map(([first]) => first)
      .join("");
    return isMarked ? telling.includes(letters) : all === letters || telling === letters;
  });
}
