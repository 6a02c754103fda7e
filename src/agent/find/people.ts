/** Which words of a question name an owner, a tag or a connector. */
import type { ConnectorRun } from "../catalog.ts";
import { isTypoOf } from "../understand/closeness.ts";
import { splitIdentifier } from "../../catalog/search.ts";
import { tellingOf } from "../understand/ordinary.ts";
import type { Token } from "../understand/tokens.ts";
import { GRAMMAR, isContent, typesOf } from "../understand/vocabulary.ts";

/** Tokens `from` up to `to` stand for a value that the catalog can be filtered by. */
export interface ValueMention {
  kind: "owner" | "tag" | "connector" | "place";
  /** Whether all of its name is said. */
  whole: boolean;
  from: number;
  to: number;
  value: string;
}

const ABOUT_OWNERS =
  /\b(own|owns|owned|owner|owners|ownership|responsible|belong|belongs|maintain|maintains|team|charge|steward|look after|looks after|hook|accountable|whose|behalf)\b/;
const ABOUT_TAGS = /^(tag|tags|tagged|tagging|label|labelled|labeled|marked)$/;
const ABOUT_RUNS =
  /\b(sync|syncs|synced|crawl|crawled|connector|run|ran|refresh|refreshed|fresh|healthy|health|failed?)\b/;
/** Tokens between a tag and the word that says that it is one. */
const NEAR = 4;
/** What so rare a word is used for, besides the name, is hardly ever meant. */
const NO_ORDINARY_WORD = 0.6;
/** Owners that a question is compared with in one turn. */
const OWNERS_AT_ONCE = 20;

/** E-mail addresses and names of owners: whole ones anywhere, parts of one where the question is about owning. */
export async function findOwners(
  tokens: readonly Token[],
  owners: readonly string[],
  nextTurn: () => Promise<void>,
): Promise<ValueMention[]> {
  // One part of somebody's name is enough where it is no ordinary word, as "priya" is not.
  const isPerson = (name: readonly string[], from: number): boolean =>
    name.length > 1 && tellingOf(tokens[from]?.word ?? "") >= NO_ORDINARY_WORD;
  const aboutOwners = ABOUT_OWNERS.test(tokens.map(({ word }) => word).join(" ")) || tokens.some((it) => it.possessive);
  const readOwner = (value: string): OwnerFound[] => {
    const at = tokens.findIndex(({ word }) => word === value);
    if (at >= 0) return [{ kind: "owner" as const, from: at, to: at + 1, value, said: Infinity }];
    const name = splitIdentifier(value.includes("@") ? value.slice(0, value.indexOf("@")) : value);
    const run = longestRun(tokens, name);
    if (run === null) return [];
    const said = run.to - run.from;
    const tells = tokens.slice(run.from, run.to).some(({ word }) => isContent(word));
    if (!tells) return [];
    const isMeant = aboutOwners || (value.includes("@") && isPerson(name, run.from));
    if (said < name.length && !(isMeant && distinctive(name, said))) return [];
    return said === 1 && !isMeant ? [] : [{ kind: "owner" as const, ...run, value, said: said / name.length }];
  };
  const found: OwnerFound[] = [];
  for (const [i, value] of owners.entries()) {
    if (i % OWNERS_AT_ONCE === 0) await nextTurn();
    found.push(...readOwner(value));
  }
  const inOrder = found.toSorted((a, b) => b.said - a.said || b.to - b.from - (a.to - a.from));
  return dropOverlaps(inOrder).map(({ kind, from, to, value, said }) => ({ kind, from, to, value, whole: said >= 1 }));
}

interface OwnerFound extends Omit<ValueMention, "whole"> {
  /** The share of the name that is said; infinite for an address. */
  said: number;
}

function distinctive(name: readonly string[], said: number): boolean {
  return said * 2 >= name.length;
}

/** Where the most words of a name follow each other, in order. */
function longestRun(tokens: readonly Token[], name: readonly string[]): { from: number; to: number } | null {
  let best: { from: number; to: number } | null = null;
  for (let from = 0; from < tokens.length; from++) {
    for (let skip = 0; skip < name.length; skip++) {
      let length = 0;
      while (isSame(tokens[from + length]?.word, name[skip + length])) length++;
      if (length > (best === null ? 0 : best.to - best.from)) best = { from, to: from + length };
    }
  }
  return best;
}

function isSame(typed: string | undefined, word: string | undefined): boolean {
  if (typed === undefined || word === undefined || GRAMMAR.has(typed)) return false;
  return typed === word || isTypoOf(typed, word);
}

/**
 * Tags beside a word that says so, or before the plural of a type, as in "finance dashboards"; and such as could be
 * nothing else, since no name has the word.
 */
export function findTags(
  tokens: readonly Token[],
  tags: readonly string[],
  named: ReadonlySet<string>,
): ValueMention[] {
  const byWord = new Map(tags.map((tag) => [splitIdentifier(tag).join(" "), tag]));
  return tokens.flatMap((token, i) => {
    const value = byWord.get(token.words.join(" "));
    if (value === undefined || token.words.length === 0) return [];
    const near = tokens.slice(Math.max(0, i - NEAR), i).some(({ word }) => ABOUT_TAGS.test(word));
    const next = tokens[i + 1]?.word ?? "";
    const counted = next.endsWith("s") && typesOf(next) !== null;
    const says = near || ABOUT_TAGS.test(next) || counted || !token.words.some((word) => named.has(word));
    return says ? [{ kind: "tag", whole: true, from: i, to: i + 1, value }] : [];
  });
}

export function findConnectors(tokens: readonly Token[], runs: readonly ConnectorRun[]): ValueMention[] {
  if (!ABOUT_RUNS.test(tokens.map(({ word }) => word).join(" "))) return [];
  return tokens.flatMap((token, i) => {
    const run = runs.find(({ connector: { name, type } }) => token.word === name.toLowerCase() || token.word === type);
    return run === undefined ? [] : [{ kind: "connector", whole: true, from: i, to: i + 1, value: run.connector.name }];
  });
}

function dropOverlaps<T extends { from: number; to: number }>(inOrder: readonly T[]): T[] {
  const kept: T[] = [];
  for (const each of inOrder) {
    if (kept.every(({ from, to }) => each.to <= from || each.from >= to)) kept.push(each);
  }
  return kept;
}
