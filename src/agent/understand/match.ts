/** How well some words of a question name an asset. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import { singular } from "./closeness.ts";
import { GRAMMAR, LAYER_NAMES, LAYER_WORDS, SYNONYMS } from "./vocabulary.ts";

/** How surely a word of a question is a word of a name. */
const SURENESS = { same: 1, number: 0.97, typo: 0.88, synonym: 0.75 } as const;

/** What counts of a name's words: those that tell a layer, or nothing, may be left out. */
const LAYER_WEIGHT = 0.3;
const GRAMMAR_WEIGHT = 0.1;
/** A word that only the place of an asset has, such as its schema's. */
const PLACE_SURENESS = 0.95;
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
  for (const each of SYNONYMS.get(singular(word)) ?? []) add(each, SURENESS.synonym);
  return readings;
}

/** How surely a word of a question stands for a word of a name: 0 to 1. */
function sureness(readings: Readings, word: string): number {
  const plain = readings.get(word) ?? 0;
  const other = (readings.get(singular(word)) ?? 0) * SURENESS.number;
  return Math.max(plain, other);
}

function weightOf(word: string): number {
  if (LAYER_WORDS.has(word)) return LAYER_WEIGHT;
  return GRAMMAR.has(word) ? GRAMMAR_WEIGHT : 1;
}

interface NodeWords {
  /** The names that people may call it by, each as its words. */
  names: string[][];
  /** Words of where it lives that its name has not. */
  place: ReadonlySet<string>;
}

/** Every part of a question is compared with every candidate; each is split once. */
const wordsByNode = new WeakMap<CatalogNode, NodeWords>();

function wordsOf(node: CatalogNode): NodeWords {
  const known = wordsByNode.get(node);
  if (known !== undefined) return known;
  const shown = node.metric === null ? [] : [node.metric.displayName];
  const names = [node.name, ...shown].map(splitIdentifier).filter((words) => words.length > 0);
  const words = { names, place: new Set(splitIdentifier(node.fqn)).difference(new Set(splitIdentifier(node.name))) };
  wordsByNode.set(node, words);
  return words;
}

/**
 * How surely these words, and no others, name a node: 0 where they do not.
 * Every word must be in the name or tell where the node lives; the more of the name is said, the surer.
 */
export function nameSureness(words: readonly Readings[], node: CatalogNode): number {
  const { names, place } = wordsOf(node);
  return Math.max(0, ...names.map((name) => surenessOf(words, name, place)));
}

function surenessOf(words: readonly Readings[], name: readonly string[], place: ReadonlySet<string>): number {
  const left = [...name];
  let said = 0;
  let quality = 1;
  for (const readings of words) {
    const best = left.map((word) => sureness(readings, word));
    const top = Math.max(0, ...best);
    if (top > 0) {
      const [word] = left.splice(best.indexOf(top), 1);
      said += weightOf(word ?? "") * top;
      continue;
    }
    const inPlace = Math.max(0, ...[...place].map((word) => sureness(readings, word)));
    if (inPlace > 0) quality *= PLACE_SURENESS * inPlace;
    else if (![...readings.keys()].some((word) => GRAMMAR.has(word))) return 0;
  }
  const all = name.reduce((sum, word) => sum + weightOf(word), 0);
  const found = (said / all) * quality;
  return found < MIN_SURENESS ? 0 : found;
}

/** Whether a text that was written as a name is this node's: its name, or the end of its fqn. */
export function isNameOf(text: string, node: CatalogNode): boolean {
  const wanted = fold(text.trim());
  const fqn = fold(node.fqn);
  const shown = node.metric === null ? "" : fold(node.metric.displayName);
  return wanted === fold(node.name) || wanted === fqn || wanted === shown || fqn.endsWith(`.${wanted}`);
}
