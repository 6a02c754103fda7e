/** Loads what a view needs, round after round, until it can be drawn as it is meant. */
import type { Client, CombinedError } from "urql";

import { CHANGE_IMPACT, COLUMNS, DIFF, DOWNSTREAM, NODES, TABLES, UPSTREAM, WALK } from "./documents.ts";
import { readColumns, readImpact, readNodes, readPage, readTables, readWalk } from "./model/answers.ts";
import { addDiff, readDiff } from "./model/diff.ts";
import {
  addColumns,
  addImpact,
  addLoaded,
  addPage,
  addTables,
  addWalk,
  EMPTY_GRAPH,
  type LineageGraph,
  walkKey,
} from "./model/graph.ts";
import { listNeeds, type Need, needKey } from "./model/needs.ts";
import type { View } from "./model/view.ts";

export interface LoadState {
  graph: LineageGraph;
  /** True while something is on its way. */
  isLoading: boolean;
  /** The last error; null if all that was asked for came. */
  error: CombinedError | null;
  /** True if nothing has the root's id. */
  isMissing: boolean;
}

export interface Loader {
  getState: () => LoadState;
  subscribe: (listener: () => void) => () => void;
  /** Loads what the view needs beyond what is there. */
  want: (view: View) => void;
  /** Tries again what failed. */
  retry: () => void;
}

export function createLoader(client: Client): Loader {
  let state: LoadState = { graph: EMPTY_GRAPH, isLoading: true, error: null, isMissing: false };
  let wanted: View | null = null;
  const listeners = new Set<() => void>();
  const running = new Set<string>();
  /** What failed, or came without what was asked for, is not asked for again by itself. */
  const ended = new Set<string>();

  const set = (next: Partial<LoadState>): void => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };

  const load = async (need: Need): Promise<void> => {
    const key = needKey(need);
    running.add(key);
    const { graph, error } = await answer(client, need);
    running.delete(key);
    ended.add(key);
    set(error === null ? { graph: graph(state.graph) } : { error });
    next();
  };

  const next = (): void => {
    if (wanted === null) return;
    const needs = listNeeds(state.graph, wanted).filter((need) => {
      const key = needKey(need);
      return !running.has(key) && !ended.has(key);
    });
    for (const need of needs) void load(need);
    const isLoading = running.size > 0;
    const isMissing = !isLoading && state.error === null && !state.graph.nodes.has(wanted.root);
    if (isLoading !== state.isLoading || isMissing !== state.isMissing) set({ isLoading, isMissing });
  };

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    want(view) {
      // What failed for another day is no fault of this one.
      const isCompared = wanted !== null && wanted.compareWith !== view.compareWith;
      wanted = view;
      if (isCompared && state.error !== null) {
        ended.clear();
        set({ error: null });
      }
      next();
    },
    retry() {
      ended.clear();
      set({ error: null });
      next();
    },
  };
}

interface Answered {
  /** Adds what came. */
  graph: (before: LineageGraph) => LineageGraph;
  error: CombinedError | null;
}

const PAGES = { up: UPSTREAM, down: DOWNSTREAM } as const;

async function answer(client: Client, need: Need): Promise<Answered> {
  if (need.what === "nodes") {
    const { data, error = null } = await client.query(NODES, { ids: [...need.ids] });
    const nodes = data?.nodes?.flatMap((node) => (node !== null && "fqn" in node ? [node] : [])) ?? [];
    return { graph: (before) => addLoaded(before, readNodes(nodes)), error };
  }
  if (need.what === "columns") {
    const { data, error = null } = await client.query(COLUMNS, { id: need.id });
    const columns = readColumns(need.id, data?.asset?.columns ?? []);
    return { graph: (before) => addColumns(before, need.id, columns), error };
  }
  if (need.what === "impact") {
    const { of: id, type: changeType, newType } = need.change;
    const { data, error = null } = await client.query(CHANGE_IMPACT, { id, changeType, newType });
    const impact = data?.impact;
    return { graph: (before) => (impact ? addImpact(before, need.change, readImpact(impact)) : before), error };
  }
  if (need.what === "tables") {
    const { data, error = null } = await client.query(TABLES, { ids: [...need.ids] });
    const tables = error === null ? readTables(need.ids, data?.nodes ?? []) : [];
    return { graph: (before) => addTables(before, tables), error };
  }
  if (need.what === "diff") {
    const { id, hops: depth, compareWith } = need;
    const { data, error = null } = await client.query(DIFF, { id, depth, compareWith });
    const diff = data?.lineageDiff;
    return { graph: (before) => (diff ? addDiff(before, need, readDiff(diff)) : before), error };
  }
  if (need.what === "walk") {
    const { id, side, hops } = need;
    const direction = side === "up" ? "upstream" : "downstream";
    const { data, error = null } = await client.query(WALK, { id, direction, depth: hops });
    const walk = data?.lineage;
    return { graph: (before) => (walk ? addWalk(before, walkKey(id, side, hops), readWalk(walk)) : before), error };
  }
  const { ids, side, count, after } = need;
  const variables = { ids: [...ids], first: count, after, search: null };
  const { data, error = null } = await client.query(PAGES[side], variables);
  return {
    graph: (before) =>
      (data?.nodes ?? []).reduce(
        (graph, node) =>
          node !== null && "neighbours" in node
            ? addPage(graph, node.id, side, readPage(node.id, side, node.neighbours))
            : graph,
        before,
      ),
    error,
  };
}
