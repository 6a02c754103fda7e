/** Which words of a question name which assets. */
import type { CatalogNode, NodeType } from "../../catalog/asset.ts";
import { splitIdentifier } from "../../catalog/search.ts";
import { fold } from "../../catalog/text.ts";
import { foldName, isFoldedNameOf, nameSureness, type Readings, readingsOf } from "../understand/match.ts";
import type { Token } from "../understand/tokens.ts";
import { isContent, GRAMMAR, typesOf } from "../understand/vocabulary.ts";
import type { Candidates } from "./candidates.ts";
import { isInitialsOf } from "./spelling.ts";
import { asksForSource } from "./topics.ts";

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
/** Of a column, which a single word of may just as well say something of what is named. */
const HARDLY_COLUMN = 0.55;
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
const KEEPS = /^(?:keep|keeps|kept|hold|holds|contain|contains|store|stores|stored|have|has|with)$/;
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
export async function findMentions(
  tokens: readonly Token[],
  { nodes, corrections }: Candidates,
  taken: ReadonlySet<number>,
  nextTurn: () => Promise<void>,
): Promise<Mention[]> {
  const asked: Asked = {
    tokens,
    readings: tokens.map(({ words }) => words.map((word) => readingsOf(word, corrections.get(word)))),
    content: tokens.filter(({ word }) => isContent(word)).map(({ word }) => ` ${word} `),
    forTables: asksForTables(tokens),
    forSource: asksForSource(tokens),
    described: new Map(),
  };
  const fits: Fit[] = [];
  for (const [from, to] of spansOf(tokens, taken)) {
    await nextTurn();
    fits.push(...fitsOf(from, to, asked, nodes));
  }
  await nextTurn();
  fits.sort((a, b) => b.explains * b.rank - a.explains * a.rank);
  const bySpan = Map.groupBy(fits, ({ from, to }) => `${from} ${to}`);
  const named = new Set<number>();
  const mentions: Mention[] = [];
  for (const best of fits) {
    const span = Array.from({ length: best.to - best.from }, (_, i) => best.from + i);
    if (span.some((at) => named.has(at))) continue;
    for (const at of span) named.add(at);
    const same = bySpan.get(`${best.from} ${best.to}`) ?? [];
    const rivals = same.filter(({ rank, node }) => node.id !== best.node.id && rank >= best.rank - TIE);
    mentions.push({
      ...best,
      sureness: Math.min(1, best.sureness),
      rivals: rivals.map(({ node }) => node),
      placed: tellsPlace(tokens.slice(best.from, best.to), best.node),
    });
  }
  // Beside what is surely named, what is hardly named is chance; and who is named twice is meant once.
  const sure = mentions.some(({ sureness }) => sureness >= SURE);
  return mentions
    .filter(({ node, sureness }) => !sure || sureness >= (node.type === "column" ? HARDLY_COLUMN : HARDLY))
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
      if (isEnd(to - 1) && (to - from > 1 || says(tokens.slice(from, to)))) spans.push([from, to]);
    }
  }
  return spans;
}

/** Whether any of the words is about something; others only name what is called just so. */
function says(span: readonly Token[]): boolean {
  return span.some(({ isName, word }) => isName || isContent(word));
}

const JOINS_TWO = /^(?:and|or|vs|versus)$/;

/** Whether the words are two names rather than one. */
function joinsTwo(joins: readonly Token[], { name }: CatalogNode): boolean {
  return joins.some(({ word }) => !splitIdentifier(name).includes(word));
}

/** What is the same for every part of a question. */
interface Asked {
  tokens: readonly Token[];
  readings: readonly Readings[][];
  /** Words that are about something, each between blanks. */
  content: readonly string[];
  forTables: boolean;
  forSource: boolean;
  /** How many of those words the description of a node has, as far as it was asked for. */
  described: Map<CatalogNode, number>;
}

function fitsOf(from: number, to: number, asked: Asked, nodes: readonly CatalogNode[]): Fit[] {
  const { tokens, readings } = asked;
  const words = readings.slice(from, to).flat();
  const token = tokens[from];
  const alone = to - from === 1 ? token : undefined;
  const hint = hintAround(from, to, tokens);
  const explains = tokens.slice(from, to).flatMap((it) => it.words.filter((word) => !GRAMMAR.has(word))).length;
  const span = tokens.slice(from, to);
  const called = says(span) ? null : foldName(span.map(({ text }) => text).join(" "));
  const written = alone && foldName(alone.text);
  const joins = span.filter(({ word }) => JOINS_TWO.test(word));
  return nodes.flatMap((node) => {
    if (joinsTwo(joins, node) || (called !== null && !isFoldedNameOf(called, node))) return [];
    const found =
      written !== undefined && isFoldedNameOf(written, node)
        ? 1
        : alone !== undefined && isInitialsOf(alone.word, node)
          ? INITIALS
          : nameSureness(words, node);
    if (found < (node.type === "column" ? SURE_COLUMN : SURE_ENOUGH)) return [];
    const lone =
      node.type === "column" && alone !== undefined && !alone.isName && !hint?.includes("column") && !asked.forTables;
    const sureness = lone ? found * LONE_COLUMN : found;
    return [{ from, to, node, sureness, rank: sureness * likelihood(node, hint, asked), explains }];
  });
}

/** Whether tables are asked for, as in "in which tables do we keep": by what they have, which is columns. */
export function asksForTables(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ word }, i) =>
      /^(?:which|what)$/.test(word) &&
      /^(?:tables?|models?|datasets?|places?)$/.test(tokens[i + 1]?.word ?? "") &&
      tokens.slice(i).some(({ word: verb }) => KEEPS.test(verb)),
  );
}

/** The types that a word beside the name asks for: "the metric revenue", "orders table"; null where none does. */
function hintAround(from: number, to: number, tokens: readonly Token[]): readonly NodeType[] | null {
  const before = tokens[from - 1]?.word ?? "";
  const after = tokens[to]?.word ?? "";
  // A plural before a name is what is asked for, not what the name is.
  return typesOf(after) ?? (before.endsWith("s") ? null : typesOf(before));
}

function likelihood(node: CatalogNode, hint: readonly NodeType[] | null, asked: Asked): number {
  const standing =
    node.certification === "certified" ? CERTIFIED : node.certification === "deprecated" ? DEPRECATED : 1;
  const hinted = hint === null ? 1 : hint.includes(node.type) ? HINTED : NOT_AS_HINTED;
  const described = asked.described.getOrInsertComputed(node, () => countDescribed(node, asked.content));
  const loaded = node.type === "table" && asked.forSource ? HINTED : 1;
  return PRIOR[node.type] * loaded * standing * hinted * (1 + DESCRIBED * described);
}

function countDescribed({ description }: CatalogNode, words: readonly string[]): number {
  const text = ` ${fold(description)} `;
  return words.filter((word) => text.includes(word)).length;
}

/** Columns of one name are not rivals: a question about the one is mostly about them all. */
export function rivalsOf({ node, rivals }: Mention): CatalogNode[] {
  return rivals.filter((rival) => rival.type !== "column" || rival.name !== node.name);
}
