/**
 * Holds a model's text against the graph, sentence by sentence. A sentence stays only where everything in it is
 * confirmed: each name is an asset's, each claim of the graph's is true, and every other word is the catalog's own.
 */
import type { CatalogNode } from "../../../catalog/asset.ts";
import type { Fact } from "../../answer.ts";
import type { AgentCatalog } from "../../catalog.ts";
import type { Scope } from "../../find/scope.ts";
import { type Claim, type Clause, createClause, subjectsAt } from "./clause.ts";
import { checkCounts } from "./counts.ts";
import { createGround, type Ground } from "./ground.ts";
import { createNames } from "./names.ts";
import { cutParts, type Part } from "./parts.ts";
import {
  findQuoted,
  findSaid,
  hasItsSigns,
  type Saying,
  sayingsOf,
  sayingsOfFacts,
  type Shown,
  saysSomething,
  wordsOf,
} from "./prose.ts";
import { checkColumns, checkRelations } from "./relations.ts";
import { type Sentence, splitSentences } from "./sentences.ts";
import { checkCertification, checkOwners, checkTypes } from "./standing.ts";

/** Ways in which the names of one sentence are read, where several assets have one name. */
const MAX_READINGS = 24;
const NEW_CLAUSE = /^(?:;|but|while|whereas|although|though|however|—)$/;
/** What a sentence about what was spoken of before begins with. */
const POINTS_BACK = /^(?:it|its|they|their|this|these|both)$/;

export interface Checked {
  /** What is confirmed, in order, each sentence with the assets that it is about. */
  kept: { text: string; nodes: CatalogNode[]; claims: readonly Confirmed[] }[];
  /** Everything that was claimed. */
  claims: number;
  /** What of it the graph confirms. */
  confirmed: number;
}

export interface CheckedAgainst {
  catalog: AgentCatalog;
  scope: Scope;
  /** What the question is about and what was found for it. */
  known: readonly CatalogNode[];
  /** What the agent found out without the model: true as it stands. */
  facts: readonly Fact[];
  /** Ends it: what was not looked at by then is left out. */
  signal?: AbortSignal;
}

/** What a claim tells, and whether that is so. */
interface Weighed {
  holds: boolean;
  /** Null where it shows nothing by itself, such as that a name is an asset's. */
  shows: Shown | null;
  edge?: Claim["edge"];
}

export type Confirmed = Omit<Weighed, "holds">;

const FALSE: Weighed = { holds: false, shows: null };

interface Verdict {
  claims: readonly Weighed[];
  nodes: CatalogNode[];
  topic: readonly CatalogNode[];
}

export async function checkText(text: string, against: CheckedAgainst): Promise<Checked> {
  const { catalog, scope, known, facts } = against;
  const names = createNames(catalog, scope, known);
  const ground = createGround(catalog);
  const told = sayingsOfFacts(facts);
  const checked: Checked = { kept: [], claims: 0, confirmed: 0 };
  // Whom "it" means to a reader of what is kept; null where that was in a sentence that is not.
  let topic: readonly CatalogNode[] | null = [];

  const judge = async ({ text: sentence, barred }: Sentence): Promise<Verdict> => {
    if (barred) return { claims: [FALSE], nodes: [], topic: [] };
    const parts = await names.mark(cutParts(sentence));
    const meanings = await Promise.all(parts.map((part) => (part.kind === "name" ? names.find(part.text) : [])));
    const pointsBack = parts.slice(0, 2).some(({ word }) => POINTS_BACK.test(word));
    if (pointsBack && topic === null) return { claims: [FALSE], nodes: [], topic: [] };
    let best: Verdict | null = null;
    for (const reading of readingsOf(parts, meanings)) {
      await catalog.nextTurn();
      const verdict = await checkSentence(parts, reading, {
        ground,
        told,
        topic: topic ?? [],
        narrowed: scope.narrows,
      });
      if (verdict.claims.every(({ holds }) => holds)) return verdict;
      if (best === null || rightOf(verdict) > rightOf(best)) best = verdict;
    }
    return best ?? { claims: [FALSE], nodes: [], topic: [] };
  };

  const judged = new Set<string>();
  for (const sentence of splitSentences(text)) {
    // What is repeated makes an answer neither surer nor better.
    if (against.signal?.aborted === true) break;
    if (judged.has(sentence.text)) continue;
    judged.add(sentence.text);
    const verdict = await judge(sentence);
    checked.claims += verdict.claims.length;
    checked.confirmed += verdict.claims.filter(({ holds }) => holds).length;
    if (verdict.claims.every(({ holds }) => holds)) {
      checked.kept.push({ text: sentence.text, nodes: verdict.nodes, claims: verdict.claims });
      if (verdict.topic.length > 0) topic = verdict.topic;
    } else if (verdict.topic.length === 0 || !isSame(verdict.topic, topic ?? [])) topic = null;
  }
  return checked;
}

function rightOf({ claims }: Verdict): number {
  return claims.filter(({ holds }) => holds).length / claims.length;
}

function isSame(one: readonly CatalogNode[], other: readonly CatalogNode[]): boolean {
  return one.length === other.length && one.every(({ id }, i) => id === other[i]?.id);
}

/** Every way to tie each name to one node, the likeliest first; the same name means the same throughout. */
function readingsOf(parts: readonly Part[], meanings: readonly CatalogNode[][]): (CatalogNode | null)[][] {
  let readings: ReadonlyMap<string, CatalogNode>[] = [new Map()];
  for (const [i, part] of parts.entries()) {
    const meant = meanings[i] ?? [];
    if (meant.length === 0 || readings[0]?.has(part.word) === true) continue;
    readings = readings
      .flatMap((reading) => meant.map((node) => new Map([...reading, [part.word, node]])))
      .slice(0, MAX_READINGS);
  }
  return readings.map((reading) =>
    parts.map(({ kind, word }) => (kind === "name" ? (reading.get(word) ?? null) : null)),
  );
}

interface Surroundings {
  ground: Ground;
  told: readonly Saying[];
  topic: readonly CatalogNode[];
  narrowed: boolean;
}

async function checkSentence(
  parts: readonly Part[],
  nodes: readonly (CatalogNode | null)[],
  around: Surroundings,
): Promise<Verdict> {
  // A name that no asset has may still be a tag or a formula: it must be quoted from somewhere.
  const read = parts.map((part, i) =>
    part.kind === "name" && nodes[i] === null ? { ...part, kind: "quote" as const } : part,
  );
  const cuts = [...read.flatMap(({ word }, i) => (NEW_CLAUSE.test(word) ? [i] : [])), read.length];
  const claims: Weighed[] = [];
  let { topic } = around;
  let start = 0;
  for (const end of cuts) {
    const clause = createClause(read.slice(start, end), nodes.slice(start, end), topic);
    start = end + 1;
    if (clause.parts.length === 0) continue;
    claims.push(...(await checkClause(clause, around)));
    topic = subjectsAt(clause, clause.parts.length).nodes.length > 0 ? topicOf(clause) : topic;
  }
  const named = nodes.filter((node) => node !== null);
  return { claims, nodes: named.length > 0 ? named : [...topic], topic };
}

/** Whom a clause speaks of: the first that it names, or whom it pointed back to. */
function topicOf(clause: Clause): readonly CatalogNode[] {
  const first = clause.nodes.find((node) => node !== null);
  return POINTS_BACK.test(clause.parts[0]?.word ?? "") && clause.topic.length > 0
    ? clause.topic
    : first == null
      ? clause.topic
      : [first];
}

async function checkClause(clause: Clause, { ground, told, narrowed }: Surroundings): Promise<Weighed[]> {
  const all = wordsOf(clause.parts);
  const named = clause.nodes.filter((node) => node !== null);
  const about = named.length > 0 ? named : clause.topic;
  // Who names nothing says it of the topic; who names something says it of that.
  const fit = told.filter((saying) => named.length > 0 || saying.about === null || isAbout(saying, about));
  if (!hasItsSigns(clause.parts, [...about.flatMap(sayingsOf), ...fit])) return [FALSE];
  const said = all.length > 1 ? findSaid(all, fit) : undefined;
  if (said !== undefined) return [{ holds: true, shows: said.shows }];
  const claims = [
    ...showing("edge", await checkRelations(clause, ground)),
    ...showing("column", checkColumns(clause)),
    ...showing("type", checkTypes(clause)),
    ...showing("certification", checkCertification(clause)),
    ...showing("owner", await checkOwners(clause, ground)),
    ...showing("count", await checkCounts(clause, ground, narrowed)),
  ];
  const verdicts = [...claims, ...checkRest(clause, claims, about, told)];
  // Names alone state nothing.
  return verdicts.length === 0 ? [FALSE] : [...verdicts, ...checkNames(clause, claims)];
}

function showing(shows: Shown, claims: readonly Claim[]): (Claim & { shows: Shown })[] {
  return claims.map((claim) => ({ ...claim, shows }));
}

function isAbout(saying: Saying, nodes: readonly CatalogNode[]): boolean {
  return nodes.some(({ id }) => id === saying.about);
}

/** Every name is an asset's by now. Where there are several, something confirmed must be said of each. */
function checkNames({ nodes }: Clause, claims: readonly Claim[]): Weighed[] {
  const named = nodes.flatMap((node, i) => (node === null ? [] : [i]));
  const isTold = (i: number): boolean =>
    claims.some(({ from, to, also = [] }) => (i >= from && i < to) || also.includes(i));
  return named.map((i) => ({ holds: named.length === 1 || isTold(i), shows: null }));
}

/** The words that no claim took up: each run of them must be said somewhere of what the clause is about. */
function checkRest(
  clause: Clause,
  claims: readonly Claim[],
  about: readonly CatalogNode[],
  told: readonly Saying[],
): Weighed[] {
  const sayings = [...about.flatMap(sayingsOf), ...told.filter((saying) => isAbout(saying, about))];
  const isOpen = (i: number): boolean =>
    claims.every(({ from, to, also = [] }) => (i < from || i >= to) && !also.includes(i));
  const verdicts: Weighed[] = [];
  const weigh = (saying: Saying | undefined): void => {
    verdicts.push(saying === undefined ? FALSE : { holds: true, shows: saying.shows });
  };
  let run: Part[] = [];
  const close = (next: number | null): void => {
    const words = wordsOf(run);
    run = [];
    if (words.length === 0) return;
    const before = clause.nodes.slice(0, next ?? 0).some((node) => node !== null);
    // Between two names, the words are about both.
    const also =
      next !== null && before && clause.nodes[next] != null ? wordsOf(clause.parts.slice(next, next + 1)) : [];
    const bareNumber = words.length === 1 && /^[\d.%]+$/.test(words[0] ?? "");
    weigh(about.length > 0 && !bareNumber ? findSaid(words, sayings, also) : undefined);
  };
  for (const [i, part] of clause.parts.entries()) {
    if (part.kind === "quote" && isOpen(i)) {
      close(i);
      weigh(findQuoted(part.text, sayings));
    } else if (clause.nodes[i] !== null || (part.kind === "mark" && part.word !== ",") || !isOpen(i)) close(i);
    else if (saysSomething(part)) run.push(part);
  }
  close(null);
  return verdicts;
}
