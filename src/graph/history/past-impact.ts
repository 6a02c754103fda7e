/** What the impact of a change reads of the graph at one moment. The number of a node is its place in a list. */
import { joinUses } from "../../catalog/edge.ts";
import {
  type ColumnStep,
  type Handle,
  type ImpactSource,
  numberNodes,
  type Pair,
} from "../../catalog/impact/source.ts";
import type { NodeId } from "../../ids.ts";
import type { NodeState } from "./kept-node.ts";
import { coverStates, type PastEdge, type PastGraph } from "./past-graph.ts";

export function pastImpactSource(graph: PastGraph): ImpactSource {
  const { handleOf, idOf } = numberNodes();
  const statesOf = async (asked: readonly Handle[]): Promise<NodeState[]> => {
    const states = await graph.load(asked.map(idOf));
    return asked.flatMap((handle) => states.get(idOf(handle)) ?? []);
  };
  const edgesFrom = (level: "asset" | "column", from: readonly Handle[]): Promise<PastEdge[]> =>
    graph.loadEdges("downstream", from.map(idOf), level);

  /** The edges at the level of columns between the two of each pair. */
  async function between(pairs: readonly Pair[]): Promise<PastEdge[][]> {
    const edges = await edgesFrom("column", [...new Set(pairs.map(([from]) => from))]);
    const byPair = Map.groupBy(edges, ({ from, to }) => pairOf(from, to));
    return pairs.map(([from, to]) => byPair.get(pairOf(idOf(from), idOf(to))) ?? []);
  }

  return {
    find: async (id) => ((await graph.load([id])).has(id) ? handleOf(id) : null),
    async loadNodes(asked) {
      const states = await statesOf(asked);
      const parents = await graph.load(states.flatMap(({ parentId }) => parentId ?? []));
      return states.map(({ type, key, parentId, columnLineage }) => ({
        type,
        key: () => key,
        parent: parentId !== null && parents.has(parentId) ? handleOf(parentId) : null,
        lineage: type === "column" ? null : (columnLineage?.status ?? null),
      }));
    },
    async listColumns(datasets) {
      const columns = await graph.loadColumns(datasets.map(idOf));
      return columns.flatMap(({ id, parentId, columnLineage }) =>
        parentId === null
          ? []
          : [{ dataset: handleOf(parentId), column: handleOf(id), lineage: columnLineage?.status ?? null }],
      );
    },
    async followColumns(from) {
      const pairs = Map.groupBy(await edgesFrom("column", from), (edge) => pairOf(edge.from, edge.to));
      return [...pairs.values()].flatMap((edges) => stepOf(edges, handleOf));
    },
    async followAssets(from) {
      const pairs = Map.groupBy(await edgesFrom("asset", from), (edge) => pairOf(edge.from, edge.to));
      return [...pairs.values()].flatMap((edges) => {
        const [first] = edges;
        if (first === undefined) return [];
        const materializes = edges.some(({ kind }) => kind === "materializes");
        return [{ from: handleOf(first.from), to: handleOf(first.to), materializes }];
      });
    },
    async followReferences(columns) {
      const links = await graph.loadReferences(columns.map(idOf));
      const pairs = new Map(links.map((link) => [pairOf(link.from, link.to), link]));
      return [...pairs.values()].map(({ from, to }) => ({ from: handleOf(from), to: handleOf(to) }));
    },
    async areBound(pairs) {
      const columns = await graph.loadColumns([...new Set(pairs.map(([from]) => idOf(from)))]);
      const parents = new Map(columns.map(({ id, parentId }) => [id, parentId]));
      const edges = await graph.loadEdges("downstream", [...parents.keys()], "column");
      const ends = await graph.load(edges.map(({ to }) => to));
      const bound = new Set(
        edges.flatMap(({ from, to }) =>
          [to, ends.get(to)?.parentId ?? to].map((end) => pairOf(parents.get(from) ?? "", end)),
        ),
      );
      return pairs.map(([from, to]) => bound.has(pairOf(idOf(from), idOf(to))));
    },
    loadUses: async (pairs) => (await between(pairs)).map((edges) => joinUses(edges.flatMap(({ uses }) => uses))),
    show: async (asked) => (await statesOf(asked)).map((state) => Object.assign({ usage: null }, state)),
    cover: async (asked) => coverStates(await statesOf(asked)),
    findChecks: () => [],
    loadChecks: () => [],
  };
}

function pairOf(from: string, to: string): string {
  return `${from} ${to}`;
}

/** The step along all edges of one pair, with the strongest of their uses. If none is known, values are copied. */
function stepOf(edges: readonly PastEdge[], handleOf: (id: NodeId) => Handle): ColumnStep[] {
  const [first] = edges;
  if (first === undefined) return [];
  const direct = edges.flatMap(({ uses }) => uses).filter(({ kind }) => kind === "DIRECT");
  const isCopy =
    edges.every(({ uses }) => uses.length === 0) || direct.some(({ transformation }) => transformation === "IDENTITY");
  const use = isCopy ? "COPY" : direct.length > 0 ? "DIRECT" : "INDIRECT";
  return [{ from: handleOf(first.from), to: handleOf(first.to), use }];
}
