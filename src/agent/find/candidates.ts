/** Gathers what a question may be about, by a bounded number of searches: never by reading the catalog. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { MAX_SEARCH_CHARACTERS } from "../../catalog/search.ts";
import { type AgentCatalog, NAMED_TYPES } from "../catalog.ts";
import { singular } from "../understand/closeness.ts";
import type { Token } from "../understand/tokens.ts";
import { isContent, isSomething, LAYER_WORDS } from "../understand/vocabulary.ts";
import { correct, findByInitials } from "./spelling.ts";

/** Words of a question that are looked up; one with more is no question about a name. */
const MAX_WORDS = 12;
const PER_WORD = 40;
const PER_PHRASE = 10;
const LONGEST_PHRASE = 3;

export interface Candidates {
  nodes: CatalogNode[];
  /** What each word that no name has may have been meant to be. */
  corrections: ReadonlyMap<string, readonly string[]>;
}

export async function gatherCandidates(tokens: readonly Token[], catalog: AgentCatalog): Promise<Candidates> {
  const nodes = new Map<string, CatalogNode>();
  const keep = (found: readonly CatalogNode[]): boolean => {
    for (const node of found) nodes.set(node.id, node);
    return found.length > 0;
  };
  const find = async (text: string, limit: number): Promise<boolean> => {
    const fit = text.slice(0, MAX_SEARCH_CHARACTERS);
    const found = await Promise.all([catalog.search(fit, NAMED_TYPES, limit), catalog.search(fit, ["column"], limit)]);
    return keep(found.flat());
  };

  await Promise.all(
    tokens
      .filter(({ isName }) => isName)
      .slice(0, MAX_WORDS)
      .map(({ text }) => find(text, PER_WORD)),
  );
  const about = contentWords(tokens, isContent);
  const content = about.length > 0 ? about : contentWords(tokens, isSomething);
  const words = [...new Set(content)].slice(0, MAX_WORDS);
  const corrections = new Map<string, readonly string[]>();
  await Promise.all(
    words.map(async (word) => {
      // Longest first, since the last word of a search is a prefix.
      const found = await Promise.all([...new Set([word, singular(word)])].map((each) => find(each, PER_WORD)));
      if (found.includes(true) || LAYER_WORDS.has(word)) return;
      if (keep(await findByInitials(word, catalog))) return;
      const corrected = await correct(word, catalog);
      corrections.set(word, corrected);
      await Promise.all(corrected.map((each) => find(each, PER_WORD)));
    }),
  );
  const spelt = content.slice(0, MAX_WORDS).map((word) => corrections.get(word)?.[0] ?? word);
  await Promise.all(phrasesOf(spelt).map((phrase) => find(phrase, PER_PHRASE)));
  return { nodes: [...nodes.values()], corrections };
}

function contentWords(tokens: readonly Token[], counts: (word: string) => boolean): string[] {
  return tokens.flatMap(({ isName, words }) => words.filter((word) => isName || counts(word)));
}

/** Two and three words that follow each other, the last in the singular too. */
function phrasesOf(words: readonly string[]): string[] {
  const phrases = words.flatMap((_, i) =>
    Array.from({ length: LONGEST_PHRASE - 1 }, (__, n) => words.slice(i, i + n + 2)).filter(
      (phrase, n) => phrase.length === n + 2,
    ),
  );
  return [...new Set(phrases.map((phrase) => [...phrase.slice(0, -1), singular(phrase.at(-1) ?? "")].join(" ")))];
}
