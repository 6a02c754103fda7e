/**
 * What a misspelt word may have been meant to be: words of names in this workspace, always as they are now.
 * No list of words is kept. Names that begin as the word does are read, a page at a time; and where that finds nothing,
 * because the slip is at the beginning or there are too many such names, every word that one slip could have come from is
 * looked up by its first letters. Both are bounded, whatever the size of the catalog.
 */
import type { CatalogNode } from "../../catalog/asset.ts";
import { splitIdentifier } from "../../catalog/search.ts";
import { type AgentCatalog, NAMED_TYPES } from "../catalog.ts";
import { distance } from "../../catalog/distance.ts";
import { isTypoOf } from "../understand/closeness.ts";
import { GRAMMAR } from "../understand/vocabulary.ts";

/** Names that are read for one beginning. */
const PAGE = 200;
const BEGINNING = 3;
const MAX_CORRECTIONS = 2;
/** Names whose initials are compared. */
const MAX_INITIALS = 500;

/** The nearest first, words of names before words of descriptions; [] where there is none. */
export async function correct(word: string, catalog: AgentCatalog): Promise<string[]> {
  for (const beginnings of beginningsOf(word)) {
    const found = (await Promise.all(beginnings.map((beginning) => findNodes(beginning, catalog)))).flat();
    const inNames = near(word, found.flatMap(wordsOfName));
    const words =
      inNames.length > 0
        ? inNames
        : near(
            word,
            found.flatMap((node) => splitIdentifier(node.description)),
          );
    if (words.length > 0) return words;
  }
  return [];
}

function near(word: string, words: readonly string[]): string[] {
  return [...new Set(words)]
    .filter((each) => isTypoOf(word, each))
    .toSorted((a, b) => distance(word, a) - distance(word, b))
    .slice(0, MAX_CORRECTIONS);
}

/** As it was typed; then with its first letters swapped, one left out, or one put in. */
function beginningsOf(word: string): string[][] {
  const [a, b, c] = word;
  if (a === undefined || b === undefined || c === undefined) return [];
  const others = [
    b + a + c,
    a + c + b,
    word.slice(1, 1 + BEGINNING),
    a + c + (word[3] ?? ""),
    a + b,
    a + word.slice(2, 4),
  ];
  return [[word.slice(0, BEGINNING)], [...new Set(others)].filter((each) => each.length > 1)];
}

async function findNodes(beginning: string, catalog: AgentCatalog): Promise<CatalogNode[]> {
  return catalog.search(beginning, [...NAMED_TYPES, "column"], PAGE);
}

function wordsOfName(node: CatalogNode): string[] {
  return splitIdentifier(`${node.name} ${node.metric?.displayName ?? ""}`);
}

/**
 * What a word is the initials of: metrics and dashboards, as `aov` is of `average_order_value`, and anything where the
 * word says that it is initials, as `p&l` does.
 */
export async function findByInitials(word: string, catalog: AgentCatalog): Promise<CatalogNode[]> {
  const marked = word.includes("&");
  if (!marked && !/^\p{L}{3,6}$/u.test(word)) return [];
  const { items } = await catalog.list({ types: marked ? NAMED_TYPES : ["metric", "dashboard"] }, MAX_INITIALS);
  return items.filter((node) => isInitialsOf(word, node));
}

/** With words of grammar or without them; where it is marked as initials, of two or more words anywhere in the name. */
export function isInitialsOf(word: string, node: CatalogNode): boolean {
  const marked = word.includes("&") ? word.replace("&", "") : null;
  if (marked === null && word.length <= 2) return false;
  return initialsOf(node).some(({ all, telling }) =>
    marked === null ? all === word || telling === word : telling.includes(marked),
  );
}

interface Initials {
  all: string;
  /** Of the words that are more than grammar. */
  telling: string;
}

/** Every word of a question is compared with every candidate; each is split once. */
const initialsByNode = new WeakMap<CatalogNode, Initials[]>();

function initialsOf(node: CatalogNode): Initials[] {
  const known = initialsByNode.get(node);
  if (known !== undefined) return known;
  const names = [node.name, node.metric?.displayName ?? ""].map(splitIdentifier);
  const found = names.map((words) => ({
    all: initials(words),
    telling: initials(words.filter((each) => !GRAMMAR.has(each))),
  }));
  initialsByNode.set(node, found);
  return found;
}

function initials(words: readonly string[]): string {
  return words.map(([first]) => first).join("");
}
