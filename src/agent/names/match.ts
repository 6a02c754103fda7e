/** How well some words of a question name an asset. */
import { singularOf, splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import type { Thing } from "../catalog.ts";
import { GRAMMAR, LAYER_BEGINNINGS, LAYER_WORDS } from "./words.ts";

/** How surely a word of a question that may be misspelt, or that tells a layer, is a word of a name. */
const TYPO = 0.88;
const LAYER = 0.97;

/** What a word of a name counts that tells a layer, or nothing, and so may be left out. */
const LIGHT = 0.3;
/** Words that only the place of an asset has, such as its schema's: they are no doubts of their own. */
const PLACE_SURENESS = 0.95;
/** Words that may stand between those of a name, and are not in it: "the orders of shopify". */
const JOINING: ReadonlySet<string> = new Set("a an the of in on at for from s".split(" "));
/** A name of which less is said is not named. */
const MIN_SURENESS = 0.3;

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

function weightOf(word: string): number {
  return LAYER_WORDS.has(word) || GRAMMAR.has(word) ? LIGHT : 1;
}

/** Names are compared with many parts of a question; each is split once. */
const known = new WeakMap<Thing, ReturnType<typeof split>>();

function split({ name, displayName, fqn }: Thing) {
  const [own = [], shown = [], full = []] = [name, displayName, fqn].map((each) =>
    splitIdentifier(each).map(singularOf),
  );
  return {
    /** The names that people may call it by, each as its words in the singular. */
    names: [own, shown].filter((words) => words.length > 0),
    /** Words of where it lives that its name has not. */
    place: full.filter((word) => !own.includes(word)),
  };
}

/** Its names, its full name, and each end of that behind a dot, folded. */
function foldedNamesOf({ name, displayName, fqn }: Thing): string[] {
  const full = fold(fqn);
  const dots = [...full.matchAll(/\./g)];
  return [fold(name), fold(displayName), full, ...dots.map(({ index }) => full.slice(index + 1))];
}

/** The initials of a metric's or dashboard's names, with words of grammar or without them: `aov` is `average_order_value`. */
export function initialsOf({ name, displayName, type }: Thing): string[] {
  if (type !== "metric" && type !== "dashboard") return [];
  return [name, displayName].flatMap((each) => {
    const words = splitIdentifier(each);
    const telling = words.filter((one) => !GRAMMAR.has(one));
    return [words, telling].flatMap((some) => (some.length < 3 ? [] : some.map(([first]) => first).join("")));
  });
}

export type NameIndex = Awaited<ReturnType<typeof indexNames>>;

/** Assets by texts that they have. */
type Holders = Map<string, Set<Thing>>;

/** Assets that are split at a time. */
const AT_A_TIME = 200;

/** Finds assets by their names, so that no part of a question is compared with every asset. */
export async function indexNames(things: readonly Thing[], nextTurn: () => Promise<void>) {
  const [byName, byInitials, byWord] = [new Map(), new Map(), new Map()] as [Holders, Holders, Holders];
  const places = new Map<Thing, number>();
  for (const [place, thing] of things.entries()) {
    if (place % AT_A_TIME === 0) await nextTurn();
    const words = known.getOrInsertComputed(thing, split);
    const texts: [Holders, string[]][] = [
      [byName, foldedNamesOf(thing)],
      [byInitials, initialsOf(thing)],
      [byWord, [...words.names.flat(), ...words.place]],
    ];
    for (const [holders, some] of texts)
      for (const text of some) holders.getOrInsertComputed(text, () => new Set()).add(thing);
    places.set(thing, place);
  }
  return {
    /** The assets that are called so; the name is folded. */
    called: (name: string): readonly Thing[] => [...(byName.get(name) ?? [])],
    /** The metrics and dashboards that a word is short for. */
    shortenedTo: (word: string): readonly Thing[] => [...(byInitials.get(word) ?? [])],
    /** Those that the words may name, in the order of `things`. */
    having(words: readonly Readings[]): readonly Thing[] {
      const holders = words
        .filter((readings) => !isJoining(readings))
        .map((readings) => Array.from(readings.keys()).flatMap((word) => byWord.get(word) ?? []));
      const [fewest, ...others] = holders.toSorted((a, b) => sizeOf(a) - sizeOf(b));
      if (fewest === undefined) return things;
      const any = new Set(fewest.flatMap((some) => Array.from(some)));
      const all = [...any].filter((thing) => others.every((sets) => sets.some((some) => some.has(thing))));
      return all.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    },
  };
}

function sizeOf(sets: readonly ReadonlySet<Thing>[]): number {
  return sets.reduce((sum, { size }) => sum + size, 0);
}

function isJoining(readings: Readings): boolean {
  return readings.keys().some((word) => JOINING.has(word));
}

/**
 * How surely these words, and no others, name a node: 0 where they do not.
 * Every word must be in the name or tell where the node lives; the more of the name is said, the surer.
 */
export function nameSureness(words: readonly Readings[], node: Thing): number {
  const { names, place } = known.getOrInsertComputed(node, split);
  return Math.max(0, ...names.map((name) => surenessOf(words, name, place)));
}

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
  const found = (said / all) * ofPlace;
  return found < MIN_SURENESS ? 0 : found;
}

/** The first of those that a word stands for most surely. */
function surest(readings: Readings, words: readonly string[]): { at: number; sure: number } {
  const sure = Math.max(0, ...words.map((word) => readings.get(word) ?? 0));
  return { at: words.findIndex((word) => readings.get(word) === sure), sure };
}
