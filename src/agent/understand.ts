/** Reads a question: what it asks, and what it asks about. */
import type { CatalogNode } from "../catalog/asset.ts";
import { splitIdentifier } from "../catalog/search.ts";
import type { AgentRequest } from "./answer.ts";
import type { AgentCatalog } from "./catalog.ts";
import { judge } from "./confidence.ts";
import { type Candidates, gatherCandidates } from "./find/candidates.ts";
import { joinColumns } from "./find/columns.ts";
import { likelyTypes } from "./find/likely.ts";
import { findMentions, type Mention, rivalsOf } from "./find/mentions.ts";
import type { ValueMention } from "./find/people.ts";
import { openScope, type Scope, withoutScope } from "./find/scope.ts";
import { rankTopics, speaksOf } from "./find/topics.ts";
import { isPartOfName, readValues } from "./find/values.ts";
import { boundMentions, boundTokens } from "./understand/bounds.ts";
import { correctCues } from "./understand/cues.ts";
import { type Intent, isSaid, readIntent } from "./understand/intent.ts";
import { readingsOf } from "./understand/match.ts";
import { weigh } from "./understand/ordinary.ts";
import { pointBack, putInPlace } from "./understand/pronouns.ts";
import { type Question, type Reading, readQuestion } from "./understand/question.ts";
import { type Token, tokenize } from "./understand/tokens.ts";
import { findUnanswerable } from "./understand/unanswerable.ts";
import { isContent, isSomething } from "./understand/vocabulary.ts";

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
/** A subject as sure as this is what the question is about, whatever else is said. */
const CLEARLY_NAMED = 0.75;
const BESIDE_ONE = 0.5;
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
  /** Words about something, each by how much it tells, and how many of them were taken up. */
  contentCount: number;
  usedCount: number;
  /** Whether what is asked is said, of what is surely named. */
  isClear: boolean;
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
  const whole = boundTokens(tokenize(query));
  const typed = withoutScope(whole.read, scope);
  const [gathered, tags, owners, runs] = await Promise.all([
    gatherCandidates(typed, catalog),
    catalog.tags(),
    catalog.owners(),
    catalog.connectors(),
  ]);
  const { nextTurn } = catalog;
  await nextTurn();
  const corrected = correctCues(typed, gathered);
  const allowed = [...gathered.nodes, ...scope.named].filter((node) => scope.allows(node));
  const candidates = { ...gathered, nodes: [...new Map(allowed.map((node) => [node.id, node])).values()] };
  const known = { tags: tags.items, owners: owners.items, runs: runs.items };
  const all = await readValues(corrected, candidates, known, nextTurn);
  const taken = new Set(all.flatMap(({ from, to }) => range(from, to)));
  const found = boundMentions(corrected, await findMentions(corrected, candidates, taken, nextTurn));
  const { tokens } = found.read;
  const values = all.filter(({ to }) => to <= tokens.length);
  const named = await joinColumns(tokens, found.read.mentions, candidates.corrections, catalog);
  const apart = values.filter((value) => !isPartOfName(value, named));
  const view = { tokens, candidates, values: apart, scope, nextTurn };
  const byName = await takeUp(view, named);
  const best =
    byName.confidence >= SURE_ENOUGH
      ? byName
      : surer(byName, await takeUp(view, await findTopic(view, taken, isContent)));
  // Nothing but everyday words: they may be the very words of a description.
  const everyday = best.asked.length === 0 && best.reading.contentCount === 0;
  const {
    reading,
    asked,
    mentions,
    unknown,
    sureness,
    contentCount,
    usedCount,
    isClear: clear,
  } = everyday ? await takeUp(view, await findTopic(view, taken, isSomething)) : best;
  return {
    asked,
    sureness,
    related: await relatedTo(view),
    rivals: mentions.slice(0, 1).flatMap(rivalsOf),
    scope,
    contentCount,
    usedCount,
    isClear: clear,
    unknown: unknown.map(({ text }) => text),
    refusal: refusalOf(reading, asked),
    cuts: [
      ...whole.cuts,
      ...found.cuts,
      ...cutsOf(asked.length > 0 ? reading : null, scope, tags.hasMore || owners.hasMore || runs.hasMore),
    ],
    nearest: named.slice(0, MAX_NEAREST).map(({ node, sureness: near }) => ({ node, sureness: near })),
  };
}

/** What the words of a question are compared with. */
interface View {
  tokens: readonly Token[];
  candidates: Candidates;
  values: readonly ValueMention[];
  scope: Scope;
  nextTurn: () => Promise<void>;
}

interface TakenUp {
  mentions: readonly Mention[];
  reading: Reading;
  asked: Asked[];
  subjects: CatalogNode[];
  sureness: number[];
  unknown: Token[];
  usedCount: number;
  contentCount: number;
  isClear: boolean;
  confidence: number;
}

/** Reads the question as if these were what it names. */
async function takeUp(
  { tokens, candidates, values, scope, nextTurn }: View,
  mentions: readonly Mention[],
): Promise<TakenUp> {
  await nextTurn();
  const reading = readQuestion(tokens, mentions, values);
  const asked = readAsked(reading, scope).slice(0, MAX_ASKED);
  const subjects = [...new Set(asked.flatMap((each) => each.subjects))];
  await nextTurn();
  const sureness = mentions.filter(({ node }) => subjects.includes(node)).map((mention) => mention.sureness);
  const unknown = reading.unexplained.filter((token) => !isTold(token, subjects, candidates));
  const usedCount = reading.contentCount - unknown.length;
  const clear = isClear(asked, sureness);
  // One plain word may be said of anything: beside it, none counts for nearly nothing.
  const least = usedCount > 1 || tokens.some(({ isName }) => isName) ? 0 : BESIDE_ONE;
  const contentCount = usedCount + (clear ? weigh(unknown, least) : unknown.length);
  // All words count alike for which reading is the better one.
  const confidence = asked.length === 0 ? 0 : judge(sureness, usedCount, reading.contentCount);
  return { mentions, reading, asked, subjects, sureness, unknown, usedCount, contentCount, isClear: clear, confidence };
}

/** Whether the question would be clear without the words that nothing was found for. */
function isClear(asked: readonly Asked[], sureness: readonly number[]): boolean {
  return (
    asked.length > 0 &&
    asked.every(({ intent, clause: { template } }) => isSaid(intent, template)) &&
    asked.some(({ subjects, clause }) => subjects.length + clause.values.length > 0) &&
    Math.min(1, ...sureness) >= CLEARLY_NAMED
  );
}

/** Intents that need two subjects, which no description gives. */
const OF_TWO: ReadonlySet<Intent> = new Set(["compare", "path", "uses"]);

/** The second where it is surer: a name that is said goes before what is only described. */
function surer(first: TakenUp, second: TakenUp): TakenUp {
  const isOfTwo = first.asked.some(({ intent, subjects }) => OF_TWO.has(intent) && subjects.length > 1);
  return !isOfTwo && second.mentions.length > 0 && second.confidence > first.confidence ? second : first;
}

/** Where no name is said: the one thing that has most of the question's words, in the place of the last of them. */
async function findTopic(
  { tokens, candidates: { nodes, corrections }, nextTurn }: View,
  taken: ReadonlySet<number>,
  counts: (word: string) => boolean,
): Promise<Mention[]> {
  const places = tokens.flatMap(({ isName, words, word }, i) =>
    !taken.has(i) && words.length > 0 && !isName && counts(word) ? [i] : [],
  );
  const readings = places.map((i) => readingsOf(tokens[i]?.word ?? "", corrections.get(tokens[i]?.word ?? "")));
  const [best, ...others] = await rankTopics(readings, nodes, likelyTypes(tokens), nextTurn);
  if (best === undefined || best.share < MIN_TOPIC) return [];
  const spoken = places.filter((_, i) => speaksOf(readings[i] ?? new Map(), best.node));
  const last = spoken.at(-1);
  const isAlone = places.length === 1 && taken.size === 0 && counts === isContent;
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

/** Each clause that asks something, with what it is about: what it names, or what the clauses before it did. */
function readAsked({ clauses }: Reading, scope: Scope): Asked[] {
  const asked: Asked[] = [];
  let before: readonly CatalogNode[] = scope.named;
  for (const clause of clauses) {
    const named = clause.mentions.map(({ node }) => node);
    const template = named.length > 0 ? putInPlace(clause.template) : pointBack(clause.template);
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
  const told = new Set(asked.flatMap(({ subjects }) => subjects.flatMap((it) => splitIdentifier(it.description))));
  const refusals = intents.map(({ intent, of }) => findUnanswerable(of, intent, told));
  const whole = findUnanswerable(template, intents[0]?.intent ?? null, told);
  const elsewhere = clauses.map((clause) => findUnanswerable(clause.template, "path", told));
  if (intents.length === 0) return whole;
  return (
    elsewhere.find((reason) => reason !== null) ??
    (refusals.every((reason) => reason !== null) ? (refusals[0] ?? null) : null)
  );
}

/** Whether a word that names nothing is one of those that the subjects are described with. */
function isTold(token: Token, subjects: readonly CatalogNode[], { corrections }: Candidates): boolean {
  if (token.isName) return false;
  return subjects.some((node) => speaksOf(readingsOf(token.word, corrections.get(token.word)), node));
}

/** What has the words of the question, and nearly as many of them as the best. */
async function relatedTo({ tokens, candidates, values, nextTurn }: View): Promise<CatalogNode[]> {
  const taken = new Set(values.flatMap(({ from, to }) => range(from, to)));
  const about = tokens.filter(
    ({ isName, word, words }, i) => !taken.has(i) && words.length > 0 && (isName || isContent(word)),
  );
  const readings = about.flatMap(({ words }) =>
    words.map((word) => readingsOf(word, candidates.corrections.get(word))),
  );
  const ranked = await rankTopics(readings, candidates.nodes, likelyTypes(tokens), nextTurn);
  const enough = Math.max(MIN_RELATED, (ranked[0]?.share ?? 0) - NEARLY);
  return ranked.flatMap(({ node, share }) => (share >= enough ? [node] : [])).slice(0, MAX_RELATED);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
