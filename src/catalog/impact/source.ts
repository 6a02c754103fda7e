/** What an engine has to tell of its graph for the impact of a change to be worked out on it. */
import type { CatalogNode, ColumnLineage, NodeType } from "../asset.ts";
import type { Check, NeededBy } from "../check.ts";
import type { Coverage } from "../coverage.ts";
import type { ColumnUse } from "../edge.ts";

/** A node, by a number that the engine chose for as long as one impact is worked out. */
export type Handle = number;

/** What the spread of a change has to know of a node. */
export interface SpreadNode {
  type: NodeType;
  key: string;
  /** Of a column, where its table or model is in the catalog. */
  parent: Handle | null;
  /** The state of its column lineage; null where it has none, and for columns. */
  lineage: ColumnLineage["status"] | null;
}

/** From one node to another, whatever lies between the two. */
export interface Step {
  from: Handle;
  to: Handle;
}

/** All edges of assets from one to another. */
export interface AssetStep extends Step {
  /** Whether one of them is a `materializes`. */
  materializes: boolean;
}

/** All edges of columns from one to another. */
export interface ColumnStep extends Step {
  /** COPY: values go along as they are, by one use at least. DIRECT: values go along. */
  use: "COPY" | "DIRECT" | "INDIRECT";
}

export interface OwnColumn {
  dataset: Handle;
  column: Handle;
  lineage: ColumnLineage["status"] | null;
}

/** A node as the report shows it. */
export type Shown = Pick<
  CatalogNode,
  "id" | "name" | "fqn" | "type" | "certification" | "owner" | "ownerName" | "platform" | "dataType" | "columnLineage"
>;

export type Pair = readonly [from: Handle, to: Handle];

/** One state of the graph, within one workspace. Answers to lists are in the order of what was asked. */
export interface ImpactSource {
  find: (id: string) => Handle | null;
  loadNodes: (nodes: readonly Handle[]) => SpreadNode[];
  /** All columns of these tables and models, in any order. */
  listColumns: (datasets: readonly Handle[]) => OwnColumn[];
  /** Steps at the level of columns out of these nodes, each pair once. Without any evidence, values are taken to be copied. */
  followColumns: (from: readonly Handle[]) => ColumnStep[];
  /** Steps at the level of assets out of these nodes, each pair once. */
  followAssets: (from: readonly Handle[]) => AssetStep[];
  /** From each of these columns to the assets whose SQL names it, each pair once. */
  followReferences: (columns: readonly Handle[]) => Step[];
  /** Whether any column of the first has an edge to the second, or to a column of it. */
  areBound: (pairs: readonly Pair[]) => boolean[];
  /** The evidence of all edges at the level of columns between the two, as `joinUses` orders it. */
  loadUses: (pairs: readonly Pair[]) => ColumnUse[][];
  show: (nodes: readonly Handle[]) => Shown[];
  /** @param nodes each once */
  cover: (nodes: readonly Handle[]) => Coverage;
  /** What needs these nodes, in any order: once or more for each check and node. */
  findChecks: (nodes: readonly Handle[]) => NeededBy[];
  /** In the order of their ids. */
  loadChecks: (ids: readonly string[]) => Check[];
}

/** The same, of an engine that one has to wait for. */
export type DistantSource = {
  [K in keyof ImpactSource]: (...args: Parameters<ImpactSource[K]>) => Promise<ReturnType<ImpactSource[K]>>;
};

type Question = (source: ImpactSource | DistantSource) => unknown;

/** Work that asks for what it needs as it goes, and is handed the answers: whoever does the asking may wait or not. */
export type Plan<T> = Generator<Question, T, unknown>;

export function* ask<T>(question: (source: ImpactSource | DistantSource) => T | Promise<T>): Plan<T> {
  // Both who carry out plans, below, hand back what the question itself answered.
  return (yield question) as T;
}

/** @param isEnough tells before each question whether to give up; the answer is undefined then */
export function carryOut<T>(plan: Plan<T>, source: ImpactSource, isEnough: () => boolean): T | undefined {
  let step = plan.next();
  while (step.done !== true) {
    const answer = step.value(source);
    if (isEnough()) return undefined;
    step = plan.next(answer);
  }
  return step.value;
}

export async function carryOutFar<T>(plan: Plan<T>, source: DistantSource): Promise<T> {
  let step = plan.next();
  while (step.done !== true) step = plan.next(await step.value(source));
  return step.value;
}
