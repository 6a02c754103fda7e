/** How well words of a question name something: an asset, or a value that assets have. */
import { singularOf, splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import type { Thing } from "../catalog.ts";
import { textOf, type Token } from "./tokens.ts";
import { GRAMMAR, LAYER_BEGINNINGS, LAYER_WORDS } from "./words.ts";

/** How surely a word of a question that may be misspelt, or that tells a layer, is a word of a name. */
const TYPO = 0.88;
const LAYER = 0.97;

/** What a word of a name counts, and one that tells a layer, or nothing, and so may be left out. Whole numbers add up exactly. */
const HEAVY = 10;
const LIGHT = 3;
/** Words that only the place of an asset has, such as its schema's: they are no doubts of their own. */
const PLACE_SURENESS = 0.95;
/** Words that may stand between those of a name, and are not in it: "the orders of shopify". */
const JOINING: ReadonlySet<string> = new Set("a an the of in on at for from s".split(" "));
/** A name of which less is said is not named. */
const MIN_SURENESS = 0.3;
/** Tokens that one name has at most. */
const LONGEST_SPAN = 9;

/** Each word that a word of a question may stand for, in the singular, with how surely. */
export type Readings = ReadonlyMap<string, number>;

/** @param corrected what it may be a misspelling of */
export function readingsOf(word: string, corrected: readonly string[] = []): Readings {
  // Of several, the last one counts.
  return new Map([
    ...corrected.map((each) => [singularOf(each), TYPO] as const),
    ...(LAYER_BEGINNINGS.get(word) ?? []).map((beginning) => [beginning.slice(0, -1), LAYER] as const),
    [singularOf(word), 1],
  ]);
}

/** What words may name. */
export interface Nameable {
  /** What it is called as a whole, folded. */
  texts: readonly string[];
  /** The same as words in the singular, of which some may be left out. */
  names: readonly (readonly string[])[];
  /** Words of where it lives that its name has not. */
  place: readonly string[];
}

export function toNameable(called: readonly string[], at = ""): Nameable {
  const names = called.map((name) => splitIdentifier(name).map(singularOf));
  const place = splitIdentifier(at).map(singularOf);
  return { texts: called.map(fold), names, place: place.filter((word) => names[0]?.includes(word) !== true) };
}

/** An asset by its names, its full name, and each end of that behind a dot. */
export function namesOfThing({ name, displayName, fqn }: Thing): Nameable {
  const { texts, ...it } = toNameable([name, displayName], fqn);
  const full = fold(fqn);
  const ends = [...full.matchAll(/\./g)].map(({ index }) => full.slice(index + 1));
  return { ...it, texts: [...texts, full, ...ends] };
}

/** The tokens `from` up to, not including, `to`. */
export interface Span {
  from: number;
  to: number;
}

/** A span that names something. */
export interface Naming extends Span {
  sure: number;
  /** Whether it is what the thing is called, as it stands. */
  isExact: boolean;
}

export interface Question {
  tokens: readonly Token[];
  /** Of the words of each token. */
  readings: readonly (readonly Readings[])[];
  /** Its spans by their texts, folded. */
  byText: ReadonlyMap<string, readonly Span[]>;
}

/** The spans of a question by their texts. */
export async function spansByText(
  tokens: readonly Token[],
  nextTurn: () => Promise<void>,
): Promise<Question["byText"]> {
  const byText = new Map<string, Span[]>();
  for (const from of tokens.keys()) {
    await nextTurn();
    for (let to = from + 1; to <= Math.min(tokens.length, from + LONGEST_SPAN); to++)
      byText.getOrInsertComputed(fold(textOf(tokens.slice(from, to))), () => []).push({ from, to });
  }
  return byText;
}

/** The spans of a question that name it; each begins and ends with words of its own. */
export function spansNaming({ texts, names, place }: Nameable, { tokens, readings, byText }: Question): Naming[] {
  const exact = [...new Set(texts)].flatMap((text) => byText.get(text) ?? []);
  const spans = exact.map(({ from, to }) => ({ from, to, sure: 1, isExact: true }));
  const words = new Set([...names.flat(), ...place]);
  const isOwn = (readingsOfWord: Readings): boolean =>
    isJoining(readingsOfWord) || readingsOfWord.keys().some((word) => words.has(word));
  const own = readings.map((some) => some.length > 0 && some.every(isOwn));
  const isJoin = (at: number): boolean => JOINING.has(tokens[at]?.word ?? "");
  for (const from of tokens.keys()) {
    for (let to = from + 1; to <= from + LONGEST_SPAN && own[to - 1]; to++) {
      if (isJoin(from) || isJoin(to - 1) || exact.some((span) => span.from === from && span.to === to)) continue;
      const said = readings.slice(from, to).flat();
      const sure = Math.max(0, ...names.map((name) => surenessOf(said, name, place)));
      if (sure > 0) spans.push({ from, to, sure, isExact: false });
    }
  }
  return spans;
}

/** What was found for spans, by the span. */
export function groupBySpan<Found extends Span>(found: readonly Found[]): [Span, Found[]][] {
  const groups = Map.groupBy(found, ({ from, to }) => `${from} ${to}`).values();
  return [...groups].flatMap((some): [Span, Found[]][] => (some[0] === undefined ? [] : [[some[0], some]]));
}

function isJoining(readings: Readings): boolean {
  return readings.keys().some((word) => JOINING.has(word));
}

/**
 * How surely these words, and no others, are a name: 0 where they are not.
 * Every word must be in the name or tell where it lives; the more of the name is said, the surer.
 */
function surenessOf(words: readonly Readings[], name: readonly string[], place: readonly string[]): number {
  const left = [...name];
  let said = 0;
  let ofPlace = 1;
  for (const readings of words) {
    const best = surest(readings, left);
    if (best.sure > 0) {
      const [word = ""] = left.splice(best.at, 1);
      said += weightOf(word) * best.sure;
      continue;
    }
    const inPlace = surest(readings, place).sure;
    if (inPlace > 0) ofPlace = Math.min(ofPlace, PLACE_SURENESS * inPlace);
    else if (!isJoining(readings)) return 0;
  }
  const all = name.reduce((sum, word) => sum + weightOf(word), 0);
  const found = (said / Math.max(1, all)) * ofPlace;
  return found < MIN_SURENESS ? 0 : found;
}

function weightOf(word: string): number {
  return LAYER_WORDS.has(word) || GRAMMAR.has(word) ? LIGHT : HEAVY;
}

/** The first of those that a word stands for most surely. */
function surest(readings: Readings, words: readonly string[]): { at: number; sure: number } {
  const sure = Math.max(0, ...words.map((word) => readings.get(word) ?? 0));
  return { at: words.findIndex((word) => readings.get(word) === sure), sure };
}
