/** The categories of words in the grammar, and what a word of each means. */
import type { NodeType } from "../../catalog/node-types.ts";
import type { CHANGE_TYPES } from "../../catalog/impact.ts";
import type { Aspect, Condition, Feature, Group, Measure } from "../plan.ts";

export type Change = (typeof CHANGE_TYPES)[number];

/** How the subject of a verb lies to its object: "X uses Y" puts X downstream of Y. */
export interface Relation {
  way: "upstream" | "downstream";
  /** Hops at most, where a word says so. */
  depth?: number;
  /** Whether the word means all that lineage reaches, and not the direct neighbours. */
  isFar: boolean;
}

export interface Compared {
  least?: number;
  most?: number;
}

/** What the categories of words mean. Categories in lower case are words of grammar, which mean nothing by themselves. */
export interface WordMeanings {
  /** A noun for a type of asset; a condition where it says more than the type. */
  Types: { types: NodeType[] | undefined; where?: Condition };
  Adjective: Condition;
  Verb: Relation;
  /** "depends only on" */
  OnlyVerb: Relation;
  /** "users of X" */
  Neighbours: Relation;
  Direction: "upstream" | "downstream";
  Feature: Feature;
  Aspect: Aspect;
  /** "how is X computed" */
  Told: Aspect;
  Measure: Measure;
  Group: Group;
  Change: Change;
  Number: number;
  /** "more than", to be followed by a number */
  Compare: (amount: number) => Compared;
  /** "most used", which orders by a measure */
  Superlative: { by: Measure; least: boolean };
  /** "most" and "fewest", "more" and "fewer": whether the least is meant. */
  Most: boolean;
  More: boolean;
  /** Kinds and types of checks that a word may mean. */
  Check: string[];
  /** What a check of one column says of it: "unique". */
  Rule: string[];
  Pronoun: null;
}

export type WordCategory = keyof WordMeanings;
/** Phrases with commas between them, and what each of them means. */
export type Phrases<C extends WordCategory> = readonly (readonly [words: string, meaning: WordMeanings[C]])[];
