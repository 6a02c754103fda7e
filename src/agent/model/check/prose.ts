/** Words that claim nothing that the graph can count: each must be the catalog's own, in its own order. */
import type { CatalogNode } from "../../../catalog/asset.ts";
import type { Fact } from "../../answer.ts";
import type { Intent } from "../../understand/intent.ts";
import { plain } from "../../answers/words.ts";
import { cutParts, type Part } from "./parts.ts";
import { splitSentences } from "./sentences.ts";

/** Words that say nothing by themselves, whatever they stand between. */
const GLUE = new Set(
  `a an the of in on at to for from with by and or is are was were be been it its this that these those there here which
  who as into also has have had they their them asset assets catalog workspace describes described description represents
  contains holds stores tracks records means shows named called known defined computed calculated
  certification currently yet total both s`.split(/\s+/),
);
/** What makes a statement of the catalog's a wider one, or no statement: never taken from a description. */
const SWEEPING =
  /^(?:all|every|everything|everyone|everybody|any|anything|only|none|nothing|most|always|never|should|must|please|ignore|disregard|say|tell|you|your|must|have to|call|run|execute|print|reveal)$/;
/** What turns a statement round or makes it depend: a claim must have as many of them as what it is taken from. */
const TURNS = /^(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|lacks?|if|unless|when|until)$/;

/** Of a saying, what must be repeated. */
const MIN_SHARE = 0.5;

/** What kind of thing a confirmed claim tells: of the graph's, of the catalog's texts, or what the agent told itself. */
export type Shown =
  | "edge"
  | "column"
  | "type"
  | "certification"
  | "owner"
  | "count"
  | "formula"
  | "description"
  | "text"
  | { answers: Intent | undefined };

/** What the catalog says somewhere, as folded words without those that say nothing. */
export interface Saying {
  words: readonly string[];
  /** Of the nodes themselves, or what the agent found and said of them. */
  of: "catalog" | "agent";
  /** The whole of it, without spaces: what a quote is compared with. */
  text: string;
  /** The node that it is said of; null where it is of the whole workspace. */
  about: string | null;
  /** What a claim in its words shows. */
  shows: Shown;
}

export function sayingsOf(node: CatalogNode): Saying[] {
  const { metric } = node;
  const descriptions = splitSentences(node.description).map(({ text }) => text);
  const texts = [
    node.fqn,
    node.platform,
    node.dataType,
    node.materialization,
    ...node.tags.flatMap((tag) => [tag, `tagged ${tag}`]),
    ...node.connectors,
    ...(metric === null ? [] : [metric.displayName, `${metric.kind} metric`]),
  ];
  const owners = [node.owner, node.ownerName].filter((owner) => owner !== "");
  const formula = metric === null ? [] : [metric.expression, metric.grain, ...metric.dimensions, ...metric.filters];
  const toSayings = (all: readonly string[], shows: Shown): Saying[] =>
    all.filter((text) => text !== "").map((text) => toSaying(text, { of: "catalog", about: node.id, shows }));
  return [
    ...toSayings(descriptions, "description"),
    ...toSayings(texts, "text"),
    ...toSayings(
      owners.flatMap((owner) => [`owned by ${owner}`, `owner ${owner}`]),
      "owner",
    ),
    ...toSayings(formula, "formula"),
  ];
}

/** What the agent found out, without what it quotes: that people wrote, and it may hold anything. */
export function sayingsOfFacts(facts: readonly Fact[]): Saying[] {
  return facts.flatMap(({ text, about, answers }) => {
    const own = text.replaceAll(/“[^“”]*”/g, " ");
    const said = { of: "agent", about: about[0]?.assetId ?? null, shows: { answers } } as const;
    return splitSentences(own).map((sentence) => toSaying(sentence.text, said));
  });
}

function toSaying(text: string, said: Pick<Saying, "of" | "about" | "shows">): Saying {
  return { ...said, words: wordsOf(cutParts(text)), text: squeeze(text) };
}

function squeeze(text: string): string {
  return plain(text).replaceAll(/\s+/g, "").toLowerCase();
}

/** The words that say something, in the singular. */
export function wordsOf(parts: readonly Part[]): string[] {
  return parts.filter(saysSomething).map(({ word }) => (/^\p{L}{3,}[^s]s$/u.test(word) ? word.slice(0, -1) : word));
}

export function saysSomething({ kind, word }: Part): boolean {
  return kind !== "mark" && !GLUE.has(word);
}

/** The saying that a quote is, or in which it stands as it is. */
export function findQuoted(text: string, sayings: readonly Saying[]): Saying | undefined {
  const quoted = squeeze(text);
  if (quoted === "") return undefined;
  return sayings.find((saying) => saying.text === quoted || saying.text.includes(`\`${quoted}\``));
}

/**
 * The saying in which words follow each other so, turned neither round nor loose from a condition.
 * @param also words that must follow each other in the same saying, such as a name that the others are about
 */
export function findSaid(
  words: readonly string[],
  sayings: readonly Saying[],
  also: readonly string[] = [],
): Saying | undefined {
  const sweeping = words.some((word) => SWEEPING.test(word));
  return sayings.find((saying) => {
    if (sweeping && saying.of === "catalog") return false;
    if (countTurns(saying.words) !== countTurns(words)) return false;
    // What is left out of a statement may be what makes it true.
    if (words.length < saying.words.length * MIN_SHARE) return false;
    return isRun(words, saying.words) && isRun(also, saying.words);
  });
}

/** Signs that may say something, such as an equals sign, a cross or a question mark: they must stand in what is said. */
const SIGN = /^[?\p{S}−]$/u;

/** Whether each sign in a clause is one that the catalog has; a minus before a number is one too. */
export function hasItsSigns(parts: readonly Part[], sayings: readonly Saying[]): boolean {
  return parts.every(({ kind, text }, i) => {
    if (kind !== "mark" || text === "→") return true;
    const next = parts[i + 1];
    const minus = /^\p{Pd}$/u.test(text) && next?.kind === "number";
    if (!minus && !SIGN.test(text)) return true;
    const sign = minus ? `${text}${next.text}` : text;
    return sayings.some((saying) => saying.text.includes(sign));
  });
}

function countTurns(words: readonly string[]): number {
  return words.filter((word) => TURNS.test(word)).length;
}

function isRun(words: readonly string[], among: readonly string[]): boolean {
  return words.length === 0 || among.some((_, i) => words.every((word, n) => among[i + n] === word));
}
