/** Reads a question: what it asks, and what it asks about. */
import type { CatalogNode } from "../catalog/asset.ts";
import type { AgentRequest, Citation } from "./answer.ts";
import { cite, profile } from "./answers/words.ts";
import type { AgentCatalog } from "./catalog.ts";
import { gatherCandidates } from "./find/candidates.ts";
import { joinColumns } from "./find/columns.ts";
import { findMentions, type Mention } from "./find/mentions.ts";
import { findConnectors, findOwners, findTags, type ValueMention } from "./find/people.ts";
import { openScope, type Scope } from "./find/scope.ts";
import { correctCues } from "./understand/cues.ts";
import { type Intent, readIntent } from "./understand/intent.ts";
import { type Question, readQuestion } from "./understand/question.ts";
import { type Token, tokenize } from "./understand/tokens.ts";
import { findUnanswerable } from "./understand/unanswerable.ts";

const MAX_NEAREST = 3;
const MAX_RIVALS = 3;

export interface Understanding {
  question: Question;
  intent: Intent | null;
  /** What the question is about, in its order. */
  subjects: CatalogNode[];
  /** Of each subject, 0 to 1. */
  sureness: number[];
  /** What may have been meant instead of the first subject. */
  rivals: CatalogNode[];
  scope: Scope;
  /** Why the question cannot be answered, whatever is in the catalog; null where it may be. */
  refusal: string | null;
  /** What a declined question is offered. */
  nearest: { node: CatalogNode; sureness: number; cite: Citation }[];
}

/** @throws AppError `bad_request` where the context names what is not there */
export async function understand({ query, context }: AgentRequest, catalog: AgentCatalog): Promise<Understanding> {
  const scope = await openScope(context, catalog);
  const typed = tokenize(query);
  const [found, tags, owners, runs] = await Promise.all([
    gatherCandidates(typed, catalog),
    catalog.tags(),
    catalog.owners(),
    catalog.connectors(),
  ]);
  const tokens = correctCues(typed, found.corrections);
  const nodes = [...found.nodes, ...scope.named].filter((node) => scope.allows(node));
  const values = readValues(tokens, { tags, owners, runs });
  const taken = new Set(values.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)));
  const mentions = await joinColumns(
    tokens,
    findMentions(tokens, { ...found, nodes }, taken),
    found.corrections,
    catalog,
  );
  const question = readQuestion(tokens, mentions, values);
  const subjects = subjectsOf(mentions, scope, tokens);
  const template = mentions.length === 0 && subjects.length > 0 ? withPronoun(question.template) : question.template;
  const intent = readIntent(template, subjects.length);
  return {
    question: { ...question, template },
    intent,
    subjects,
    sureness: mentions.map(({ sureness }) => sureness),
    rivals: mentions
      .slice(0, 1)
      .flatMap(({ rivals, node }) => (isAmbiguous(node, rivals) ? rivals : []))
      .slice(0, MAX_RIVALS),
    scope,
    refusal: findUnanswerable(template),
    nearest: mentions
      .slice(0, MAX_NEAREST)
      .map(({ node, sureness }) => ({ node, sureness, cite: cite(node, profile(node)) })),
  };
}

/** Tags first, since they need a word beside them that says so; then connectors and owners. */
function readValues(
  tokens: readonly Token[],
  known: { tags: readonly string[]; owners: readonly string[]; runs: Parameters<typeof findConnectors>[1] },
): ValueMention[] {
  const found = [
    ...findTags(tokens, known.tags),
    ...findConnectors(tokens, known.runs),
    ...findOwners(tokens, known.owners),
  ];
  return found.filter((value, i) => found.slice(0, i).every(({ from, to }) => value.to <= from || value.from >= to));
}

/** What is named; where nothing is, "it" and "this" are what the context names. */
function subjectsOf(mentions: readonly Mention[], scope: Scope, tokens: readonly Token[]): CatalogNode[] {
  if (mentions.length > 0) return mentions.map(({ node }) => node);
  const points = tokens.some(({ word }) => /^(?:it|its|this|that|these|those|they|them|here)$/.test(word));
  return points ? [...scope.named] : [];
}

function withPronoun(template: string): string {
  return template.replace(
    /\b(?:this|that|these|those) (?:table|model|metric|dashboard|report|pipeline|column|asset|dataset)s?\b|\b(?:it|this|that|these|those|they|them)\b/,
    "N",
  );
}

/** Columns of one name are not rivals: a question about the one is mostly about them all. */
function isAmbiguous(node: CatalogNode, rivals: readonly CatalogNode[]): boolean {
  return rivals.some((rival) => rival.type !== "column" || rival.name !== node.name);
}
