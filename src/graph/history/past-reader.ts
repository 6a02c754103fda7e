/** Answers questions about the graph as it was at a time, by the rules of today. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { EDGE_KINDS, joinUses, walkLevel } from "../../catalog/edge.ts";
import { KEY_END, keysWithin } from "../../catalog/identity.ts";
import { assess } from "../../catalog/impact/assess.ts";
import { MAX_NAMESAKES } from "../../catalog/namesakes.ts";
import { type NodeOrder, type NodePlace, sortedTypes } from "../../catalog/node-order.ts";
import { ASSET_TYPES, forEachType, NODE_TYPES, type NodeType } from "../../catalog/node-types.ts";
import { compareCodePoints, fold } from "../../catalog/text.ts";
import { badField } from "../../errors.ts";
import type { NodeId } from "../../ids.ts";
import type { NeighbourQuery, Neighbours, NodeFilter, PastReader } from "../catalog-graph.ts";
import { passes, passesBeside } from "../node-passes.ts";
import { edgesAmong, packWalk, unpackLineage, type WalkStep } from "../packed-lineage.ts";
import type { NodeState } from "./kept-node.ts";
import { noHistory } from "./no-history.ts";
import { countReads, coverStates, createPastGraph, type PastGraph } from "./past-graph.ts";
import { pastImpactSource } from "./past-impact.ts";
import type { PastRows } from "./past-rows.ts";

/** How many nodes of a list are read at once. */
const CHUNK = 500;

/** In code point order, it comes directly after `KEY_END`. */
const AFTER_KEY_END = "\u0002";

type KeyRange = ReturnType<typeof keysWithin>;

/**
 * Asks one of the reads: see `readPast` of `GraphReader`.
 * @throws AppError `bad_request` if more rows must be read than `maxRows`
 */
export async function readPast<K extends keyof PastReader>(
  rows: PastRows,
  at: string,
  read: K,
  args: Parameters<PastReader[K]>,
  maxRows = Infinity,
): Promise<Awaited<ReturnType<PastReader[K]>>> {
  const moment = await rows.findMoment(at);
  if (moment === null) throw noHistory("asOf", (await rows.findFirstMoment())?.at ?? null);
  const reader = createPastReader(rows, moment, maxRows);
  const ask = reader[read] as (...given: Parameters<PastReader[K]>) => ReturnType<PastReader[K]>;
  return await ask(...args);
}

function createPastReader(rows: PastRows, moment: number, maxRows: number): PastReader {
  const graph = createPastGraph(rows, moment, countReads(maxRows));

  /** The nodes that pass a filter, in the order of keys, in parts. */
  async function* scan(filter: NodeFilter, { after, before }: KeyRange): AsyncGenerator<NodeState[]> {
    if (filter.failing === true) throw badField("asOf", "cannot be given with failing, because checks have no history");
    const types = withOtherRelations(filter.types === "asset" ? ASSET_TYPES : filter.types);
    for (let from: string | undefined = after; from !== undefined;) {
      const found = await rows.findInOrder({ after: from, types, limit: CHUNK }, moment);
      const states = await graph.load(found.map(({ id }) => id));
      yield found.flatMap(({ id, key }) => {
        const state = states.get(id);
        const isFound = state?.existence === "held" && compareCodePoints(key, before) < 0 && passes(state, filter);
        return isFound ? [state] : [];
      });
      const last = found.at(-1)?.key;
      from = last !== undefined && found.length === CHUNK && compareCodePoints(last, before) < 0 ? last : undefined;
    }
  }

  return {
    async loadNodes(_, ids) {
      const states = await graph.load(ids);
      return ids.map((id) => toNodeOrNull(states.get(id)));
    },
    async loadColumns(_, parentIds) {
      const columns = Map.groupBy(await graph.loadColumns(parentIds), ({ parentId }) => parentId);
      return parentIds.map((id) => (columns.get(id) ?? []).map(toNode));
    },
    async loadByFqn(_, fqn, { type, platform }) {
      const range = { after: `${fold(fqn)}${KEY_END}`, before: `${fold(fqn)}${AFTER_KEY_END}` };
      const filter = { types: type === undefined ? NODE_TYPES : [type], platform };
      const found = (await Array.fromAsync(scan(filter, range))).flat();
      return found.slice(0, MAX_NAMESAKES).map(toNode);
    },
    async listNodes(_, filter, { after, limit }) {
      const items: NodeState[] = [];
      for await (const found of scan(filter, rangeOf(filter, after ?? ""))) {
        items.push(...found);
        if (items.length > limit) break;
      }
      return { items: items.slice(0, limit).map(toNode), hasMore: items.length > limit };
    },
    async sortNodes(_, given, order, { after, limit, among }) {
      if (order === "usage") throw badField("asOf", "cannot be given with the order of usage, which has no history");
      const filter = { ...given, types: sortedTypes(given.types) };
      const all: { state: NodeState; place: NodePlace }[] = [];
      for await (const found of scan(filter, rangeOf(filter))) {
        const valueOf = order === "downstream" ? await countConsumers(graph, found) : VALUES[order];
        const wanted = among === undefined ? found : found.filter(({ id }) => among.includes(id));
        all.push(...wanted.map((state) => ({ state, place: { value: valueOf(state), key: state.key } })));
      }
      const rest = all
        .filter(({ place }) => after === null || comparePlaces(order, place, after) > 0)
        .toSorted((a, b) => comparePlaces(order, a.place, b.place));
      const items = rest.slice(0, limit).map(({ state, place }) => ({ node: toNode(state), place }));
      return { items, hasMore: rest.length > limit };
    },
    async countNodes(_, filter = { types: NODE_TYPES }) {
      const counts = forEachType(() => 0);
      for await (const found of scan(filter, rangeOf(filter))) for (const { type } of found) counts[type]++;
      return counts;
    },
    loadNeighbours: (_, queries) => Promise.all(queries.map((query) => neighboursOf(graph, query))),
    async walk(_, query) {
      const { root: id, direction, directOnly, maxNodes } = query;
      const root = (await graph.load([id])).get(id);
      if (root === undefined) return null;
      const depths = new Map([[id, 0]]);
      const steps: WalkStep<NodeId>[] = [];
      let frontier = [id];
      for (let depth = 1; depth <= query.depth && frontier.length > 0; depth++) {
        const reached: NodeId[] = [];
        for (const edge of await graph.loadEdges(direction, frontier, walkLevel(root.type), { directOnly })) {
          const { near, far } = edge;
          steps.push({ near, far, kind: EDGE_KINDS.indexOf(edge.kind) });
          if (depths.has(far)) continue;
          depths.set(far, depth);
          reached.push(far);
        }
        frontier = reached;
      }
      depths.delete(id);
      const found = [...(await graph.load(depths.keys())).values()].map((state) => ({
        state,
        depth: depths.get(state.id) ?? 0,
      }));
      const ordered = found.toSorted((a, b) => a.depth - b.depth || compareCodePoints(a.state.key, b.state.key));
      const kept = ordered.slice(0, maxNodes);
      const states = kept.map(({ state }) => state);
      const ids = [...states.map((state) => state.id), id];
      const packed = packWalk(query, {
        ids,
        names: states.map(({ name }) => name),
        types: states.map(({ type }) => type),
        depths: kept.map(({ depth }) => depth),
        edges: edgesAmong(ids, steps, direction),
        total: found.length,
        coverage: coverStates([root, ...states]),
      });
      return unpackLineage(packed);
    },
    assessImpact: (_, query) => assess(query, pastImpactSource(graph)),
  };
}

/** The range of the keys of all nodes that pass, after a place. Both ends are exclusive. */
function rangeOf({ schema = "" }: NodeFilter, place = ""): KeyRange {
  const { after, before } = keysWithin(schema);
  return { after: compareCodePoints(place, after) > 0 ? place : after, before };
}

const VALUES: Record<Exclude<NodeOrder, "downstream" | "usage">, (state: NodeState) => string> = {
  name: ({ name }) => fold(name),
  updated: ({ updatedAt }) => updatedAt,
};

/** How many direct consumers each of these nodes had. */
async function countConsumers(graph: PastGraph, states: readonly NodeState[]): Promise<(state: NodeState) => number> {
  const ids = states.map(({ id }) => id);
  const byNode = Map.groupBy(await graph.loadEdges("downstream", ids, "asset"), ({ near }) => near);
  return ({ id }) => new Set(byNode.get(id)?.map(({ far }) => far)).size;
}

/** Names go up; times and numbers go down. */
function comparePlaces(order: NodeOrder, a: NodePlace, b: NodePlace): number {
  const [x, y] = order === "name" ? [a.value, b.value] : [b.value, a.value];
  const byValue = typeof x === "number" ? x - Number(y) : compareCodePoints(x, String(y));
  return byValue || compareCodePoints(a.key, b.key);
}

async function neighboursOf(graph: PastGraph, query: NeighbourQuery): Promise<Neighbours> {
  const { id, direction, level, directOnly, only = {}, first, after } = query;
  const asked = (await graph.load([id])).get(id);
  if (asked === undefined) return { items: [], total: 0, hasMore: false };
  const edges = await graph.loadEdges(direction, [id], level ?? walkLevel(asked.type), { directOnly });
  const states = await graph.load(edges.map(({ far }) => far));
  const all = [...Map.groupBy(edges, ({ far }) => far)].flatMap(([far, between]) => {
    const state = states.get(far);
    const kinds = EDGE_KINDS.filter((kind) => between.some((edge) => edge.kind === kind));
    if (state === undefined || !passesBeside(state, only) || !kinds.some((kind) => only.kinds?.includes(kind) ?? true))
      return [];
    return [{ kinds, uses: joinUses(between.flatMap(({ uses }) => uses)), node: toNode(state) }];
  });
  const rest = all
    .toSorted((a, b) => compareCodePoints(a.node.key, b.node.key))
    .filter(({ node }) => after === null || compareCodePoints(node.key, after) > 0);
  return { items: rest.slice(0, first), total: all.length, hasMore: rest.length > first };
}

/** A relation may have been a table then and be a model now. */
function withOtherRelations(types: readonly NodeType[]): NodeType[] {
  const hasRelations = types.includes("table") || types.includes("model");
  return [...new Set(hasRelations ? [...types, "table" as const, "model" as const] : types)];
}

function toNode(state: NodeState): CatalogNode {
  const { lineageOwner: _owner, statedBy: _connectors, ...node } = state;
  return { ...node, usage: null };
}

function toNodeOrNull(state: NodeState | undefined): CatalogNode | null {
  return state === undefined ? null : toNode(state);
}
