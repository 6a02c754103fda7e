/** Reads a question: what it asks, and what it asks about. */
import type { CatalogNode } from "../catalog/asset.ts";
import { splitIdentifier } from "../catalog/search.ts";
import type { AgentRequest } from "./answer.ts";
import type { AgentCatalog } from "./catalog.ts";
import { judge } from "./confidence.ts";
import { type Candidates, gatherCandidates } from "./find/candidates.ts";
import { joinColumns } from "./find/columns.ts";
import { findMentions, type Mention } from "./find/mentions.ts";
import { findConnectors, findOwners, findTags, type ValueMention } from "./find/people.ts";
import { openScope, type Scope } from "./find/scope.ts";
import { ANY_TYPE, asLikely, DEFINED, type Likelihood, rankTopics, speaksOf } from "./find/topics.ts";
import { correctCues } from "./understand/cues.ts";
import { type Intent, readIntent } from "./understand/intent.ts";
import { readingsOf } from "./understand/match.ts";
import { type Question, type Reading, readQuestion } from "./understand/question.ts";
import { type Token, tokenize } from "./understand/tokens.ts";
import { findUnanswerable } from "./understand/unanswerable.ts";
import { isContent, isSomething, typesOf } from "./understand/vocabulary.ts";

const MAX_NEAREST = 3;
/** Clauses that are answered. */
const MAX_ASKED = 2;
/** A question as well understood as this needs no look at what else it may be about. */
const SURE_ENOUGH = 0.75;
/** The share of a question's words that an asset which it does not name must have to be what it is about. */
const MIN_TOPIC = 0.4;
/** Words that it must have, unless the question has but one. */
const MIN_TOPIC_WORDS = 2;
const TOPIC_TIE = 0.12;
/** What one word in a description is worth. */
const BY_CHANCE = 0.7;

interface Asked {
  intent: Intent;
  clause: Question;
  /** What the clause is about, in its order. */
  subjects: CatalogNode[];
}

/** Others that have the words by which the first subject was named. */
const MAX_RELATED = 12;
const MIN_RELATED = 0.3;
const NEARLY = 0.25;

export interface Understanding {
  asked: Asked[];
  /** Of each subject, 0 to 1. */
  sureness: number[];
  /** What has most of the question's words, the best first. */
  related: CatalogNode[];
  /** What may have been meant instead of the first subject. */
  rivals: CatalogNode[];
  scope: Scope;
  /** Words about something, and how many of them were taken up. */
  contentCount: number;
  usedCount: number;
  /** Words that nothing was found for, as they were written. */
  unknown: string[];
  /** Why the question cannot be answered, whatever is in the catalog; null where it may be. */
  refusal: string | null;
  /** What of the question or the catalog was not looked at, in sentences. */
  cuts: string[];
  /** What a declined question is offered. */
  nearest: { node: CatalogNode; sureness: number }[];
}

/** @throws AppError `bad_request` where the context names what is not there */
export async function understand({ query, context }: AgentRequest, catalog: AgentCatalog): Promise<Understanding> {
  const scope = await openScope(context, catalog);
  const typed = withoutScope(tokenize(query), scope);
  const [gathered, tags, owners, runs] = await Promise.all([
    gatherCandidates(typed, catalog),
    catalog.tags(),
    catalog.owners(),
    catalog.connectors(),
  ]);
  const tokens = correctCues(typed, gathered);
  const allowed = [...gathered.nodes, ...scope.named].filter((node) => scope.allows(node));
  const candidates = { ...gathered, nodes: [...new Map(allowed.map((node) => [node.id, node])).values()] };
  const values = readValues(tokens, candidates, {
    tags: tags.items,
    owners: owners.items,
    runs: runs.items,
  });
  const taken = new Set(values.flatMap(({ from, to }) => range(from, to)));
  const named = await joinColumns(tokens, findMentions(tokens, candidates, taken), candidates.corrections, catalog);
  const view = { tokens, candidates, values, scope };
  const byName = takeUp(view, named);
  const best =
    byName.confidence >= SURE_ENOUGH ? byName : surer(byName, takeUp(view, findTopic(view, taken, isContent)));
  // Nothing but everyday words: they may be the very words of a description.
  const everyday = best.asked.length === 0 && best.reading.contentCount === 0;
  const { reading, asked, mentions, unknown, sureness } = everyday
    ? takeUp(view, findTopic(view, taken, isSomething))
    : best;
  return {
    asked,
    sureness,
    related: relatedTo(view),
    rivals: mentions.slice(0, 1).flatMap(rivalsOf),
    scope,
    contentCount: reading.contentCount,
    usedCount: reading.contentCount - unknown.length,
    unknown: unknown.map(({ text }) => text),
    refusal: refusalOf(reading, asked),
    cuts: cutsOf(asked.length > 0 ? reading : null, scope, tags.hasMore || owners.hasMore || runs.hasMore),
    nearest: named.slice(0, MAX_NEAREST).map(({ node, sureness: near }) => ({ node, sureness: near })),
  };
}

/** What the words of a question are compared with. */
interface View {
  tokens: readonly Token[];
  candidates: Candidates;
  values: readonly ValueMention[];
  scope: Scope;
}

interface TakenUp {
  mentions: readonly Mention[];
  reading: Reading;
  asked: Asked[];
  subjects: CatalogNode[];
  sureness: number[];
  unknown: Token[];
  confidence: number;
}

/** Reads the question as if these were what it names. */
function takeUp({ tokens, candidates, values, scope }: View, mentions: readonly Mention[]): TakenUp {
  const reading = readQuestion(tokens, mentions, values);
  const asked = readAsked(reading, scope).slice(0, MAX_ASKED);
  const subjects = [...new Set(asked.flatMap((each) => each.subjects))];
  const sureness = mentions.filter(({ node }) => subjects.includes(node)).map((mention) => mention.sureness);
  const unknown = reading.unexplained.filter((token) => !isTold(token, subjects, candidates));
  const { contentCount } = reading;
  const confidence = asked.length === 0 ? 0 : judge(sureness, contentCount - unknown.length, contentCount);
  return { mentions, reading, asked, subjects, sureness, unknown, confidence };
}

/** Intents that need two subjects, which no description gives. */
const OF_TWO: ReadonlySet<Intent> = new Set(["compare", "path", "uses"]);

/** The second where it is surer: a name that is said goes before what is only described. */
function surer(first: TakenUp, second: TakenUp): TakenUp {
  const isOfTwo = first.asked.some(({ intent, subjects }) => OF_TWO.has(intent) && subjects.length > 1);
  return !isOfTwo && second.mentions.length > 0 && second.confidence > first.confidence ? second : first;
}

/** The words of the context's area say where to look, not what for. */
function withoutScope(tokens: readonly Token[], { area }: Scope): Token[] {
  const words = new Set(splitIdentifier(area ?? ""));
  return tokens.map((token) =>
    !token.isName && words.has(token.word) ? { ...token, word: "here", words: ["here"] } : token,
  );
}

/** Owners by their whole names first, then tags and connectors; then owners of whom a part is said. */
function readValues(
  tokens: readonly Token[],
  { nodes }: Candidates,
  known: { tags: readonly string[]; owners: readonly string[]; runs: Parameters<typeof findConnectors>[1] },
): ValueMention[] {
  const named = new Set(nodes.flatMap(({ name }) => splitIdentifier(name)));
  const owners = findOwners(tokens, known.owners);
  const found = [
    ...owners.filter(({ whole }) => whole),
    ...findTags(tokens, known.tags, named),
    ...findConnectors(tokens, known.runs),
    ...owners.filter(({ whole }) => !whole),
  ];
  return found.filter((value, i) => found.slice(0, i).every(({ from, to }) => value.to <= from || value.from >= to));
}

/** Where no name is said: the one thing that has most of the question's words, in the place of the last of them. */
function findTopic(
  { tokens, candidates: { nodes, corrections } }: View,
  taken: ReadonlySet<number>,
  counts: (word: string) => boolean,
): Mention[] {
  const places = tokens.flatMap(({ isName, words, word }, i) =>
    !taken.has(i) && words.length > 0 && !isName && counts(word) ? [i] : [],
  );
  const readings = places.map((i) => readingsOf(tokens[i]?.word ?? "", corrections.get(tokens[i]?.word ?? "")));
  const [best, ...others] = rankTopics(readings, nodes, likelyTypes(tokens));
  if (best === undefined || best.share < MIN_TOPIC) return [];
  const spoken = places.filter((_, i) => speaksOf(readings[i] ?? new Map(), best.node));
  const last = spoken.at(-1);
  const isAlone = places.length === 1 && taken.size === 0;
  if (last === undefined || (spoken.length < MIN_TOPIC_WORDS && !isAlone && !best.named)) return [];
  const chance = spoken.length < MIN_TOPIC_WORDS && !best.named;
  const rivals = others.filter(({ share }) => share > best.share - TOPIC_TIE).map(({ node }) => node);
  return [
    {
      from: last,
      to: last + 1,
      node: best.node,
      sureness: Math.min(1, best.share) * (chance ? BY_CHANCE : 1),
      rivals,
      placed: false,
    },
  ];
}

/** What is likely meant where nothing is named: what is asked for, or what has a definition. */
function likelyTypes(tokens: readonly Token[]): Likelihood {
  const types = tokens.flatMap(({ word }) => typesOf(word) ?? []);
  if (types.length > 0) return asLikely(types);
  const intent = readIntent(`${tokens.map(({ word }) => word).join(" ")} N`, [{ type: "metric" }]);
  return intent === "definition" ? DEFINED : ANY_TYPE;
}

/** Each clause that asks something, with what it is about: what it names, or what the clauses before it did. */
function readAsked({ clauses }: Reading, scope: Scope): Asked[] {
  const asked: Asked[] = [];
  let before: readonly CatalogNode[] = scope.named;
  for (const clause of clauses) {
    const named = clause.mentions.map(({ node }) => node);
    const template = named.length > 0 ? clause.template : withPronoun(clause.template);
    const points = named.length === 0 && template !== clause.template;
    const subjects = points ? [...before] : named;
    if (subjects.length > 0) before = subjects;
    const intent = readIntent(template, subjects);
    if (intent !== null) asked.push({ intent, subjects, clause: { ...clause, template } });
  }
  return asked;
}

/** @param hasMore tags, owners or connectors than the question was compared with */
function cutsOf(reading: Reading | null, scope: Scope, hasMore: boolean): string[] {
  const amount = reading === null ? 0 : readAsked(reading, scope).length;
  return [
    ...(amount > MAX_ASKED ? [`Answered are the first ${MAX_ASKED} of ${amount} questions.`] : []),
    ...(hasMore ? ["This workspace has more tags, owners or connectors than the question was compared with."] : []),
    ...(scope.isCut
      ? ["The assets of the context have more lineage than was looked at: only the nearest counted."]
      : []),
  ];
}

/** An order or a trick anywhere refuses the whole; what only describes something does so in no clause but its own. */
function refusalOf({ clauses, template }: Reading, asked: readonly Asked[]): string | null {
  const intents = asked.length > 0 ? asked.map(({ intent, clause }) => ({ intent, of: clause.template })) : [];
  const refusals = intents.map(({ intent, of }) => findUnanswerable(of, intent));
  const whole = findUnanswerable(template, intents[0]?.intent ?? null);
  const elsewhere = clauses.map((clause) => findUnanswerable(clause.template, "path"));
  if (intents.length === 0) return whole;
  return (
    elsewhere.find((reason) => reason !== null) ??
    (refusals.every((reason) => reason !== null) ? (refusals[0] ?? null) : null)
  );
}

function withPronoun(template: string): string {
  return template.replace(
    /\b(?:this|that|these|those|the) (?:table|model|metric|dashboard|report|pipeline|column|asset|dataset)s?\b|\b(?:it|its|this|these|those|they|them)\b/,
    "N",
  );
}

/** Whether a word that names nothing is one of those that the subjects are described with. */
function isTold(token: Token, subjects: readonly CatalogNode[], { corrections }: Candidates): boolean {
  if (token.isName) return false;
  return subjects.some((node) => speaksOf(readingsOf(token.word, corrections.get(token.word)), node));
}

/** What has the words of the question, and nearly as many of them as the best. */
function relatedTo({ tokens, candidates, values }: View): CatalogNode[] {
  const taken = new Set(values.flatMap(({ from, to }) => range(from, to)));
  const about = tokens.filter(
    ({ isName, word, words }, i) => !taken.has(i) && words.length > 0 && (isName || isContent(word)),
  );
  const readings = about.flatMap(({ words }) =>
    words.map((word) => readingsOf(word, candidates.corrections.get(word))),
  );
  const ranked = rankTopics(readings, candidates.nodes, likelyTypes(tokens));
  const enough = Math.max(MIN_RELATED, (ranked[0]?.share ?? 0) - NEARLY);
  return ranked.flatMap(({ node, share }) => (share >= enough ? [node] : [])).slice(0, MAX_RELATED);
}

/** Columns of one name are not rivals: a question about the one is mostly about them all. */
function rivalsOf({ node, rivals }: Mention): CatalogNode[] {
  return rivals.filter((rival) => rival.type !== "column" || rival.name !== node.name);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
