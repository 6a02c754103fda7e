/** Gathers what a question may be about, by a bounded number of searches: never by reading the catalog. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { MAX_SEARCH_CHARACTERS } from "../../catalog/search.ts";
import { type AgentCatalog, NAMED_TYPES } from "../catalog.ts";
import { singular } from "../understand/closeness.ts";
import { isNameOf } from "../understand/match.ts";
import type { Token } from "../understand/tokens.ts";
import { isContent, isSomething, LAYER_WORDS } from "../understand/vocabulary.ts";
import { correct, findByInitials } from "./spelling.ts";

/** Words of a question that are looked up; one with more is no question about a name. */
const MAX_WORDS = 8;
/** Words that nothing has, whose spelling is looked at: each costs as much as several that are found. */
const MAX_CORRECTED = 3;
const PER_WORD = 40;
const PER_PHRASE = 20;
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
  const find = async (text: string): Promise<CatalogNode[]> => {
    const fit = text.slice(0, MAX_SEARCH_CHARACTERS);
    const found = await Promise.all([
      catalog.search(fit, NAMED_TYPES, PER_WORD),
      catalog.search(fit, ["column"], PER_WORD),
    ]);
    keep(found.flat());
    return found.flat();
  };

  const written = tokens.filter(({ isName }) => isName).slice(0, MAX_WORDS);
  const byName = await Promise.all(written.map(async ({ text }) => [text, await find(text)] as const));
  // What is named as it is written needs no look at the words that its name is made of.
  const exact = new Set(byName.flatMap(([text, found]) => (found.some((node) => isNameOf(text, node)) ? [text] : [])));
  const others = tokens.filter(({ isName, text }) => !isName || !exact.has(text));
  const about = contentWords(others, isContent);
  const content = about.length > 0 || exact.size > 0 ? about : contentWords(others, isSomething);
  const words = [...new Set(content)].slice(0, MAX_WORDS);
  // One letter or digit begins too much to tell anything.
  const telling = words.length === 1 ? words : words.filter((word) => word.length > 1);
  const corrections = new Map<string, readonly string[]>();
  const missing = await Promise.all(
    telling.map(async (word) => {
      // Longest first, since the last word of a search is a prefix.
      const found = await Promise.all([...new Set([word, singular(word)])].map(find));
      return found.flat().length > 0 || LAYER_WORDS.has(word) || !isContent(word) ? [] : [word];
    }),
  );
  await Promise.all(
    missing
      .flat()
      .slice(0, MAX_CORRECTED)
      .map(async (word) => {
        if (keep(await findByInitials(word, catalog))) return;
        const corrected = await correct(word, catalog);
        corrections.set(word, corrected);
        await Promise.all(corrected.map(find));
      }),
  );
  const spelt = content.slice(0, MAX_WORDS).map((word) => corrections.get(word)?.[0] ?? word);
  const found = await Promise.all(
    phrasesOf(spelt).map((phrase) =>
      catalog.search(phrase.slice(0, MAX_SEARCH_CHARACTERS), [...NAMED_TYPES, "column"], PER_PHRASE),
    ),
  );
  keep(found.flat());
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
