/** What the phrases of the grammar mean, and how their meanings are put together. */
import type { NodeType } from "../../../catalog/node-types.ts";
import { allOf, anyOf, type Condition, type Counted, not, only, type Plan, type Things, type Way } from "../../plan.ts";
import type { Change, Relation, WordMeanings } from "../word-meanings.ts";

/** What a noun phrase stands for. */
export interface Noun {
  set: Things;
  /** Whether it is named, and not described by what is true of it. */
  isNamed: boolean;
  /** How many are meant, where a number stands before it. */
  amount?: number;
  /** How several that are named are joined: what lies along "A and B" lies along each of them. */
  joined?: "and" | "or" | "comma";
}

/** A set in an order. */
interface Ranked {
  set: Things;
  by: Counted;
  least: boolean;
  limit?: number | undefined;
}

/** What is asked of a set: "which models", "how many models", "are there models". */
export interface Asked {
  noun: Noun;
  how: "list" | "count" | "whether";
}

export interface ChangeOf {
  noun: Noun;
  change: Change;
}

export interface Meanings extends WordMeanings {
  Noun: Noun;
  Condition: Condition;
  /** Words that nothing explains: they may stand in a name or description. */
  Text: string;
  /** A word of the language of questions, where it is meant as a word. */
  Word: string;
  /** Words that a name or a description is to have. */
  Words: string;
  /** A name or a quotation that nothing in the catalog is called. */
  Quoted: string;
  Owner: Condition;
  Tag: Condition;
  Schema: Condition;
  Connector: Condition;
  Date: { from: string; to: string };
  /** "since a day", "before a year" */
  Span: { from?: string; to?: string };
  /** How the catalog's models are built: "views". */
  Made: Condition;
  /** "unit tests": of what has one. */
  Tests: Condition;
  /** "with" and "without": whether it is there. */
  Having: boolean;
  Counted: Counted;
  Asked: Asked;
  Ranked: Ranked;
  ChangeOf: ChangeOf;
  Relation: Relation;
  /** "directly", "in any way", "within two hops" */
  HowFar: Omit<Relation, "way">;
  /** A relation to these alone. */
  OnlyRelation: Relation;
  AspectOf: Plan;
  /** A noun alone, which is no part of a longer question. */
  Bare: Plan;
  Ask: Plan;
}

/** Stands in a plan for what the plan before it was about. */
export const PREVIOUS = "@previous";
export const BEFORE: Noun = { set: { ids: [PREVIOUS] }, isNamed: true };
export const HOLDERS: readonly NodeType[] = ["table", "model"];

export function described(set: Things): Noun {
  return { set, isNamed: false };
}

export const ANYTHING: Noun = described({});

export function isAnything({ set: { types, where, ids } }: Noun): boolean {
  return types === undefined && where === undefined && ids === undefined;
}

export function isColumns({ set }: Noun): boolean {
  return set.types?.length === 1 && set.types[0] === "column";
}

/** What uses tables by way of models. */
export function isReport({ types }: Things): boolean {
  return types !== undefined && types.every((type) => type === "dashboard" || type === "metric" || type === "pipeline");
}

function says(noun: Noun, text: string): boolean {
  return JSON.stringify(noun.set.where ?? null).includes(text);
}

export function isAlong(noun: Noun): boolean {
  return says(noun, '"is":"along"');
}

export function inverse(relation: Relation): Relation {
  return { ...relation, way: relation.way === "upstream" ? "downstream" : "upstream" };
}

function direct(relation: Relation): Relation {
  return { ...relation, isFar: false, depth: 1 };
}

export function far({ way }: Pick<Relation, "way">): Relation {
  return { way, isFar: true };
}

export function lies(way: Way, of: Things): Condition {
  return { is: "along", along: { way, of } };
}

/** A condition along lineage, no farther than is said. */
export function goesFar(condition: Condition, how: Meanings["HowFar"]): Condition {
  if (condition.is === "all" || condition.is === "any")
    return { ...condition, of: condition.of.map((each) => goesFar(each, how)) };
  if (condition.is === "not") return { is: "not", of: goesFar(condition.of, how) };
  if (condition.is !== "along") return condition;
  return along({ way: condition.along.way, ...how }, described(condition.along.of));
}

/** What lies along a relation from a set: direct neighbours, unless the relation or the set says that all are meant. */
export function along({ way, depth, isFar }: Omit<Relation, "way"> & { way: Way }, { set }: Noun): Condition {
  if (depth !== undefined) return { is: "along", along: { way, of: set, depth } };
  const isPipeline = set.types?.includes("pipeline") ?? false;
  if (isFar || (isReport(set) && !isPipeline)) return lies(way, set);
  return { is: "along", along: { way, of: set, depth: 1, isLoose: true } };
}

/** What is said of one thing: "reads A and B" is true of what reads each of them, "reads A or B" of what reads one. */
export function alongEach(relation: Relation, noun: Noun): Condition | undefined {
  const { ids = [], ...rest } = noun.set;
  if (noun.joined !== "and" || ids.length < 2) return along(relation, noun);
  return allOf(...ids.map((id) => along(relation, { set: { ...rest, ids: [id] }, isNamed: true })));
}

/** Of "neither A nor B" and "not A and B" alike, people mean that it is true of none of them. */
export function alongNone(relation: Relation, noun: Noun): Condition {
  return so(false, along(relation, noun));
}

/** Whether there is anything that way, one hop away. */
export function hasAny({ way }: Relation): Condition {
  return { is: "has", feature: way };
}

/** Those of a set that meet a condition. Reports use tables by way of models, and sources feed by way of them: all is meant. */
export function those(noun: Noun, condition: Condition): Noun {
  const isFar = condition.is !== "measure" && (isReport(noun.set) || says(noun, '"is":"kind"'));
  return { ...noun, set: only(noun.set, isFar ? reachFar(condition) : condition) };
}

/** Those of a set that is not named; null of one that is. */
export function thoseDescribed(noun: Noun, condition: Condition): Noun | null {
  // A report lies in no schema: what is said of one is said of a table beside it.
  if (isReport(noun.set) && (condition.is === "not" ? condition.of : condition).is === "schema") return null;
  // A column has no columns.
  if (isColumns(noun) && condition.is === "along" && condition.along.way === "parents") return null;
  if (condition.is === "data type" && !isColumns(noun)) return null;
  return noun.isNamed ? null : those(noun, condition);
}

/** How many neighbours that way, if the noun is plain, else how many of these. */
export function counted({ way, isFar }: Relation, { set }: Noun): Counted {
  const of = isFar || isReport(set) ? (`all ${way}` as const) : way;
  return isAnything({ set, isNamed: false }) ? { of } : { of, among: set };
}

export function tested(...any: string[]): Condition {
  return { is: "checked by", any };
}

/** The condition, or that it is not so however far lineage is followed. */
export function so(is: boolean, condition: Condition): Condition {
  return is ? condition : not(reachFar(condition));
}

/** Things that lie so to these, and to no others of their kind. */
export function onlyAlong(relation: Relation, noun: Noun): Condition | undefined {
  const { types, ids, where } = noun.set;
  // What X is made from lies that way too, so that "only X" is true of direct neighbours alone.
  if (ids !== undefined && relation.isFar) return undefined;
  const among: Condition | undefined = ids && { is: "among", things: { ids } };
  if (among !== undefined)
    return allOf(along(direct(relation), noun), not(along(direct(relation), described({ where: not(among) }))));
  if (where === undefined) return undefined;
  const set: Things = { ...(types && { types }), where: not(where) };
  return allOf(along(relation, noun), not(reachFar(along(relation, described(set)))));
}

/** All that lineage reaches, where the question leaves open how far is meant. */
export function reachFar(condition: Condition): Condition {
  if (condition.is === "all" || condition.is === "any") return { ...condition, of: condition.of.map(reachFar) };
  if (condition.is === "not") return { is: "not", of: reachFar(condition.of) };
  return condition.is === "along" && condition.along.isLoose
    ? lies(condition.along.way, condition.along.of)
    : condition;
}

export function union(a: Noun, b: Noun, by: "and" | "or" | "comma"): Noun | null {
  // "all A and B" may mean all of both, or all A.
  if (a.isNamed !== b.isNamed || a.set.isEvery || b.set.isEvery) return null;
  const words = new Set([a.joined, by, b.joined].filter((each) => each !== undefined && each !== "comma"));
  // "A and B or C" may mean either.
  if (words.size > 1) return null;
  const [joined = by] = words;
  const types = a.set.types && b.set.types && [...new Set([...a.set.types, ...b.set.types])];
  const isPlain = a.set.where === undefined && b.set.where === undefined;
  if (isPlain && a.set.ids && b.set.ids) return { isNamed: true, joined, set: { ids: [...a.set.ids, ...b.set.ids] } };
  if (isPlain && types && !a.isNamed) return described({ types });
  const where = anyOf({ is: "among", things: a.set }, { is: "among", things: b.set });
  return { isNamed: a.isNamed, joined, set: { where, ...(types && { types }) } };
}

/** A named set, if it can have these types. */
export function ofTypes(types: readonly NodeType[] | undefined, noun: Noun): Noun | null {
  if (!noun.isNamed || types === undefined) return null;
  const fitting = noun.set.types?.filter((type) => types.includes(type)) ?? [...types];
  return fitting.length === 0 ? null : { ...noun, set: { ...noun.set, types: fitting } };
}

/** The columns of a set, or those of its columns that the noun describes; null if the first are no columns. */
export function columnsOf(columns: Noun, holder: Noun): Noun | null {
  // A report has no columns of its own.
  if (!isColumns(columns) || isColumns(holder) || (holder.isNamed && isReport(holder.set))) return null;
  return { set: only(columns.set, lies("columns", holder.set)), isNamed: columns.isNamed };
}

export function neighbours(relation: Relation, of: Noun): Noun {
  return described({ where: along(relation, of) });
}

export function saying(noun: Noun, words: string): Noun {
  return those(noun, { is: "text", words });
}

export function ofWord({ types, where }: WordMeanings["Types"]): Noun {
  return described({ ...(types && { types }), ...(where && { where }) });
}

/** What a type says of something that has another: "is it a source". */
export function asPredicate({ where }: WordMeanings["Types"]): Condition | null {
  return where ?? null;
}

export function has(feature: Meanings["Feature"]): Condition {
  return { is: "has", feature };
}

export function hasNone(...features: Meanings["Feature"][]): Condition | undefined {
  return allOf(...features.map((feature) => not(has(feature))));
}

export function certifiedBy(owner: Condition): Condition | null {
  return owner.is === "owner"
    ? { is: "any", of: owner.any.map((who) => ({ is: "certified by", who }) as const) }
    : null;
}

export function affected({ noun, change }: ChangeOf): Condition {
  return { is: "affected", by: noun.set, change };
}
