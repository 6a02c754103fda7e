/** Which words of a question name which assets. */
import type { CatalogNode, NodeType } from "../../catalog/asset.ts";
import { splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import { isNameOf, nameSureness, type Readings, readingsOf } from "../understand/match.ts";
import type { Token } from "../understand/tokens.ts";
import { isContent, GRAMMAR, typesOf } from "../understand/vocabulary.ts";
import type { Candidates } from "./candidates.ts";
import { initialsOf } from "./spelling.ts";

/** Tokens `from` up to, not including, `to` name this node. */
export interface Mention {
  from: number;
  to: number;
  node: CatalogNode;
  /** 0 to 1: how surely it is meant. */
  sureness: number;
  /** Others that fit as well, or nearly. */
  rivals: CatalogNode[];
  /** Of a column: whether its table is told too, so that no other of its name is meant. */
  placed: boolean;
}

const LONGEST_SPAN = 7;
/** Less than this is no mention; it may still be offered. */
const SURE_ENOUGH = 0.45;
const SURE = 0.85;
const HARDLY = 0.5;
/** What is this near to the best fits as well. */
const TIE = 0.1;
const INITIALS = 0.9;

/** Of two that fit alike, the likelier: what people query over what is loaded, what is vouched for over what is not. */
const PRIOR: Readonly<Record<NodeType, number>> = {
  metric: 1,
  model: 1,
  dashboard: 1,
  pipeline: 0.99,
  table: 0.97,
  column: 0.88,
};
const CERTIFIED = 1.03;
const DEPRECATED = 0.95;
const HINTED = 1.15;
const NOT_AS_HINTED = 0.6;
/** One plain word is rarely meant as a column where something bigger has it in its name. */
const LONE_COLUMN = 0.6;
/** A column that is less surely named is not meant. */
const SURE_COLUMN = 0.75;
/** What each other word of the question that describes it adds. */
const DESCRIBED = 0.01;

interface Fit {
  from: number;
  to: number;
  node: CatalogNode;
  sureness: number;
  /** With everything that makes it likelier than others. */
  rank: number;
  /** Words of the question that it explains. */
  explains: number;
}

/** The mentions in the order of the question, none overlapping another. Tokens in `taken` are something else. */
export function findMentions(
  tokens: readonly Token[],
  { nodes, corrections }: Candidates,
  taken: ReadonlySet<number>,
): Mention[] {
  const readings = tokens.map(({ words }) => words.map((word) => readingsOf(word, corrections.get(word))));
  const fits = spansOf(tokens, taken).flatMap(([from, to]) => fitsOf(from, to, tokens, readings, nodes));
  const mentions: Mention[] = [];
  let left = fits.toSorted((a, b) => b.explains * b.rank - a.explains * a.rank);
  while (left.length > 0) {
    const [best] = left;
    if (best === undefined) break;
    const same = left.filter(({ from, to }) => from === best.from && to === best.to);
    const rivals = same.filter(({ rank, node }) => node.id !== best.node.id && rank >= best.rank - TIE);
    mentions.push({
      ...best,
      sureness: Math.min(1, best.sureness),
      rivals: rivals.map(({ node }) => node),
      placed: tellsPlace(tokens.slice(best.from, best.to), best.node),
    });
    left = left.filter(({ from, to }) => to <= best.from || from >= best.to);
  }
  // Beside what is surely named, what is hardly named is chance; and who is named twice is meant once.
  const sure = mentions.some(({ sureness }) => sureness >= SURE);
  return mentions
    .filter(({ sureness }) => !sure || sureness >= HARDLY)
    .filter(({ node }, i) => mentions.findIndex((mention) => mention.node.id === node.id) === i)
    .toSorted((a, b) => a.from - b.from);
}

/** Whether more is said of a column than its name has words. */
function tellsPlace(span: readonly Token[], { name }: CatalogNode): boolean {
  return span.flatMap(({ words }) => words).length > splitIdentifier(name).length;
}

function spansOf(tokens: readonly Token[], taken: ReadonlySet<number>): [number, number][] {
  const isEnd = (i: number): boolean => {
    const token = tokens[i];
    return token !== undefined && token.words.length > 0 && (token.isName || !GRAMMAR.has(token.word));
  };
  const spans: [number, number][] = [];
  for (let from = 0; from < tokens.length; from++) {
    if (!isEnd(from)) continue;
    for (let to = from + 1; to <= Math.min(tokens.length, from + LONGEST_SPAN); to++) {
      const last = tokens[to - 1];
      if (last === undefined || last.words.length === 0 || taken.has(to - 1)) break;
      // A name is taken whole, and alone.
      if (to - from > 1 && (last.isName || tokens[from]?.isName)) break;
      const says = tokens.slice(from, to).some(({ isName, word }) => isName || isContent(word));
      if (isEnd(to - 1) && says) spans.push([from, to]);
    }
  }
  return spans;
}

function fitsOf(
  from: number,
  to: number,
  tokens: readonly Token[],
  readings: readonly Readings[][],
  nodes: readonly CatalogNode[],
): Fit[] {
  const words = readings.slice(from, to).flat();
  const token = tokens[from];
  const alone = to - from === 1 ? token : undefined;
  const hint = hintAround(from, to, tokens);
  const explains = tokens.slice(from, to).flatMap((it) => it.words.filter((word) => !GRAMMAR.has(word))).length;
  return nodes.flatMap((node) => {
    const found = surenessOf(words, alone, node);
    if (found < (node.type === "column" ? SURE_COLUMN : SURE_ENOUGH)) return [];
    const lone = node.type === "column" && alone !== undefined && !alone.isName && !hint?.includes("column");
    const sureness = lone ? found * LONE_COLUMN : found;
    return [{ from, to, node, sureness, rank: sureness * likelihood(node, hint, tokens), explains }];
  });
}

function surenessOf(words: readonly Readings[], alone: Token | undefined, node: CatalogNode): number {
  if (alone !== undefined && isNameOf(alone.text, node)) return 1;
  if (alone !== undefined && initialsOf(node).includes(alone.word)) return INITIALS;
  return nameSureness(words, node);
}

/** The types that a word beside the name asks for: "the metric revenue", "orders table"; null where none does. */
function hintAround(from: number, to: number, tokens: readonly Token[]): readonly NodeType[] | null {
  const before = tokens[from - 1]?.word ?? "";
  const after = tokens[to]?.word ?? "";
  // A plural before a name is what is asked for, not what the name is.
  return typesOf(after) ?? (before.endsWith("s") ? null : typesOf(before));
}

function likelihood(node: CatalogNode, hint: readonly NodeType[] | null, tokens: readonly Token[]): number {
  const standing =
    node.certification === "certified" ? CERTIFIED : node.certification === "deprecated" ? DEPRECATED : 1;
  const hinted = hint === null ? 1 : hint.includes(node.type) ? HINTED : NOT_AS_HINTED;
  const text = ` ${fold(node.description)} `;
  const described = tokens.filter(({ word }) => isContent(word) && text.includes(` ${word} `)).length;
  return PRIOR[node.type] * standing * hinted * (1 + DESCRIBED * described);
}
