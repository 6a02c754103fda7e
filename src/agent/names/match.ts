/** How well some words of a question name an asset. */
import { splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import type { Thing } from "../catalog.ts";
import { singular } from "./closeness.ts";
import { GRAMMAR, LAYER_NAMES, LAYER_WORDS } from "./words.ts";

/** How surely a word of a question is a word of a name. */
const SURENESS = { same: 1, number: 0.97, typo: 0.88 } as const;

/** What counts of a name's words: those that tell a layer, or nothing, may be left out. */
const LAYER_WEIGHT = 0.3;
const GRAMMAR_WEIGHT = 0.1;
/** A word that only the place of an asset has, such as its schema's. */
const PLACE_SURENESS = 0.95;
/** Words that may stand between those of a name, and are not in it: "the orders of shopify". */
const JOINING: ReadonlySet<string> = new Set("a an the of in on at for from s".split(" "));
/** A name of which less is said is not named. */
const MIN_SURENESS = 0.3;

/** Each word that a word of a question may stand for, with how surely. */
export type Readings = ReadonlyMap<string, number>;

/** @param corrected what it may be a misspelling of */
export function readingsOf(word: string, corrected: readonly string[] = []): Readings {
  const readings = new Map<string, number>();
  const add = (reading: string, sure: number): void => {
    if ((readings.get(reading) ?? 0) < sure) readings.set(reading, sure);
  };
  add(word, SURENESS.same);
  add(singular(word), SURENESS.number);
  for (const each of corrected) add(each, SURENESS.typo);
  for (const each of corrected) add(singular(each), SURENESS.typo);
  for (const each of LAYER_NAMES.get(word) ?? []) add(each, SURENESS.number);
  return readings;
}

/** How surely a word of a question stands for a word of a name: 0 to 1. */
function sureness(readings: Readings, { word, one }: NameWord): number {
  const plain = readings.get(word) ?? 0;
  const other = (readings.get(one) ?? 0) * SURENESS.number;
  return Math.max(plain, other);
}

function weightOf(word: string): number {
  if (LAYER_WORDS.has(word)) return LAYER_WEIGHT;
  return GRAMMAR.has(word) ? GRAMMAR_WEIGHT : 1;
}

interface NameWord {
  word: string;
  /** In the singular. */
  one: string;
  weight: number;
}

interface NodeWords {
  /** The names that people may call it by, each as its words. */
  names: NameWord[][];
  /** Words of where it lives that its name has not. */
  place: readonly NameWord[];
}

/** Every part of a question is compared with every candidate; each is split once. */
const wordsByNode = new WeakMap<Thing, NodeWords>();

function wordsOf(node: Thing): NodeWords {
  const known = wordsByNode.get(node);
  if (known !== undefined) return known;
  const shown = node.displayName === "" ? [] : [node.displayName];
  const names = [node.name, ...shown].map(splitIdentifier).filter((words) => words.length > 0);
  const place = new Set(splitIdentifier(node.fqn)).difference(new Set(splitIdentifier(node.name)));
  const words = { names: names.map((name) => name.map(toNameWord)), place: [...place].map(toNameWord) };
  wordsByNode.set(node, words);
  return words;
}

function toNameWord(word: string): NameWord {
  return { word, one: singular(word), weight: weightOf(word) };
}

/**
 * How surely these words, and no others, name a node: 0 where they do not.
 * Every word must be in the name or tell where the node lives; the more of the name is said, the surer.
 */
export function nameSureness(words: readonly Readings[], node: Thing): number {
  const { names, place } = wordsOf(node);
  return Math.max(0, ...names.map((name) => surenessOf(words, name, place)));
}

function surenessOf(words: readonly Readings[], name: readonly NameWord[], place: readonly NameWord[]): number {
  const left = [...name];
  let said = 0;
  let quality = 1;
  for (const readings of words) {
    const best = surest(readings, left);
    if (best.sure > 0) {
      const [word] = left.splice(best.at, 1);
      said += (word?.weight ?? 0) * best.sure;
      continue;
    }
    const inPlace = surest(readings, place).sure;
    if (inPlace > 0) quality *= PLACE_SURENESS * inPlace;
    else if (!readings.keys().some((word) => JOINING.has(word))) return 0;
  }
  const all = name.reduce((sum, { weight }) => sum + weight, 0);
  const found = (said / all) * quality;
  return found < MIN_SURENESS ? 0 : found;
}

/** The first of those that a word stands for most surely. */
function surest(readings: Readings, words: readonly NameWord[]): { at: number; sure: number } {
  const best = { at: -1, sure: 0 };
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    const sure = word === undefined ? 0 : sureness(readings, word);
    if (sure > best.sure) Object.assign(best, { at, sure });
  }
  return best;
}

interface FoldedNames {
  name: string;
  fqn: string;
  shown: string;
}

const namesByNode = new WeakMap<Thing, FoldedNames>();

function namesOf(node: Thing): FoldedNames {
  const known = namesByNode.get(node);
  if (known !== undefined) return known;
  const shown = fold(node.displayName);
  const names = { name: fold(node.name), fqn: fold(node.fqn), shown };
  namesByNode.set(node, names);
  return names;
}

/** As `isFoldedNameOf` takes a text that is compared with many nodes. */
export function foldName(text: string): string {
  return fold(text.trim());
}

export function isFoldedNameOf(wanted: string, node: Thing): boolean {
  const { name, fqn, shown } = namesOf(node);
  return (
    wanted === name ||
    wanted === fqn ||
    wanted === shown ||
    (fqn.endsWith(wanted) && fqn[fqn.length - wanted.length - 1] === ".")
  );
}
