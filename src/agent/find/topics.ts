/**
 * What a question is about where it names nothing: the assets whose own words, of name, description and place, are most
 * of the question's. Rare words count more than common ones.
 */
import type { CatalogNode, NodeType } from "../../catalog/asset.ts";
import { splitIdentifier } from "../../catalog/search.ts";
import { singular } from "../understand/closeness.ts";
import type { Readings } from "../understand/match.ts";
import type { Token } from "../understand/tokens.ts";
import { typesOf } from "../understand/vocabulary.ts";

/** How much a word counts by where an asset has it. */
const IN_NAME = 1;
const IN_TEXT = 0.8;
/** Letters that two forms of one word share at least, as `predict` and `prediction` do. */
const SHARED_STEM = 5;
const SAME_STEM = 0.8;
/** Nodes whose texts are split in one turn. */
const NODES_AT_ONCE = 100;
/** By what a type's share is multiplied. */
export type Likelihood = Readonly<Partial<Record<NodeType, number>>>;

/** A column is less often what is spoken of than what it is in. */
const COLUMN = 0.75;
const ASKED_FOR = 1.2;

export const ANY_TYPE: Likelihood = { column: COLUMN };
/** Where it is asked how something is computed. */
export const DEFINED: Likelihood = { metric: 1.2, dashboard: 0.75, pipeline: 0.75 };

/** Where what is loaded is meant, rather than what is made of it. */
export const SOURCES: Likelihood = { ...ANY_TYPE, table: 1.25, model: 0.9 };

const LOADED = /^(?:raw|landed|landing|unprocessed|untouched)$/;

/** Whether a thing is called raw, as in "the raw parcels"; "which raw tables" asks for others. */
export function asksForSource(tokens: readonly Token[]): boolean {
  return tokens.some(({ word }, i) => LOADED.test(word) && typesOf(tokens[i + 1]?.word ?? "") === null);
}

export function asLikely(types: readonly NodeType[]): Likelihood {
  return { ...ANY_TYPE, ...Object.fromEntries(types.map((type) => [type, ASKED_FOR])) };
}

/** As how common a word counts that nothing has. */
const UNKNOWN = 10;

export interface Topic {
  node: CatalogNode;
  /** 0 to 1: the share of the question's words that it has, by weight. */
  share: number;
  /** Whether its name has any of them. */
  named: boolean;
}

/**
 * The nodes that have any of the words, the best first.
 * @param likely how likely each type is meant; see `Likelihood`
 */
export async function rankTopics(
  words: readonly Readings[],
  nodes: readonly CatalogNode[],
  likely: Likelihood,
  nextTurn: () => Promise<void>,
): Promise<Topic[]> {
  const texts: (NodeText & { node: CatalogNode })[] = [];
  for (const [i, node] of nodes.entries()) {
    if (i % NODES_AT_ONCE === 0) await nextTurn();
    texts.push({ node, ...textOf(node) });
  }
  const hits: number[][] = [];
  const named = new Set<CatalogNode>();
  for (const readings of words) {
    await nextTurn();
    const row = texts.map(({ node, name, text }) => {
      const inName = best(readings, name);
      if (inName > 0) named.add(node);
      return Math.max(IN_NAME * inName, IN_TEXT * best(readings, text));
    });
    hits.push(row);
  }
  const found = hits.map((row) => row.filter((hit) => hit > 0).length);
  // A word that nothing has is not held to be rarer than the rare ones.
  const weights = found.map((amount) => Math.log(1 + nodes.length / (1 + (amount || UNKNOWN))));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return [];
  return texts
    .map(({ node }, i) => ({
      node,
      share:
        (hits.reduce((sum, row, w) => sum + (row[i] ?? 0) * (weights[w] ?? 0), 0) / all) * (likely[node.type] ?? 1),
      named: named.has(node),
    }))
    .filter(({ share }) => share > 0)
    .toSorted((a, b) => b.share - a.share);
}

/** Whether an asset's own words have one of the readings. */
export function speaksOf(readings: Readings, node: CatalogNode): boolean {
  const { name, text } = textOf(node);
  return best(readings, name) > 0 || best(readings, text) > 0;
}

/** Words of a text, and those of them that are long enough to share a stem, by how they begin. */
interface TextWords {
  all: ReadonlySet<string>;
  byStem: ReadonlyMap<string, readonly string[]>;
}

interface NodeText {
  name: TextWords;
  text: TextWords;
}

/** A question ranks its candidates several times; each is split once. */
const textByNode = new WeakMap<CatalogNode, NodeText>();

function textOf(node: CatalogNode): NodeText {
  const known = textByNode.get(node);
  if (known !== undefined) return known;
  const words = {
    name: wordsOf(`${node.name} ${node.metric?.displayName ?? ""}`),
    text: wordsOf(`${node.fqn} ${node.description} ${node.tags.join(" ")}`),
  };
  textByNode.set(node, words);
  return words;
}

function wordsOf(text: string): TextWords {
  const all = new Set(splitIdentifier(text).flatMap((word) => [word, singular(word)]));
  const long = [...all].filter((word) => word.length >= SHARED_STEM);
  return { all, byStem: Map.groupBy(long, (word) => word.slice(0, SHARED_STEM)) };
}

function best(readings: Readings, { all, byStem }: TextWords): number {
  let found = 0;
  for (const [reading, sureness] of readings) {
    if (all.has(reading)) found = Math.max(found, sureness);
    else if (found < SAME_STEM * sureness && reading.length >= SHARED_STEM) {
      for (const word of byStem.get(reading.slice(0, SHARED_STEM)) ?? [])
        if (isSameStem(reading, word)) found = Math.max(found, SAME_STEM * sureness);
    }
  }
  return found;
}

function isSameStem(a: string, b: string): boolean {
  const stem = Math.max(SHARED_STEM, Math.min(a.length, b.length) - 2);
  return Math.abs(a.length - b.length) <= 4 && b.length >= stem && a.slice(0, stem) === b.slice(0, stem);
}
