/** Loads what a view needs, round after round, until it can be drawn as it is meant. */
import type { Client, CombinedError } from "urql";

import { createStore } from "../../parts/store.ts";
import { CHANGE_IMPACT, COLUMNS, DIFF, DOWNSTREAM, NODES, TABLES, UPSTREAM, WALK } from "./documents.ts";
import { readColumns, readImpact, readNodes, readPage, readTables, readWalk } from "./model/answers.ts";
import { addDiff, readDiff } from "./model/diff.ts";
import { add, addLoaded, addPage, changeKey, EMPTY_GRAPH, type LineageGraph, walkKey } from "./model/graph.ts";
import { listNeeds, type Need, needKey } from "./model/needs.ts";
import { isSavedImpact, type View } from "./model/view.ts";

export interface LoadState {
  graph: LineageGraph;
  /** True while something is on its way. */
  isLoading: boolean;
  /** The last error; null if all that was asked for came. */
  error: CombinedError | null;
  /** True if nothing has the root's id. */
  isMissing: boolean;
}

/** @param asOf the time that is shown, as in `View`; null for now */
export function createLoader(client: Client, asOf: string | null) {
  const store = createStore<LoadState>({ graph: EMPTY_GRAPH, isLoading: true, error: null, isMissing: false });
  let wanted: View | null = null;
  const running = new Set<string>();
  /** What failed, or came without what was asked for, is not asked for again by itself. */
  const ended = new Set<string>();

  const set = (next: Partial<LoadState>): void => store.set({ ...store.get(), ...next });

  const load = async (need: Need): Promise<void> => {
    const key = needKey(need);
    running.add(key);
    const { graph, error } = await answer(client, need, asOf);
    running.delete(key);
    ended.add(key);
    set(error === null ? { graph: graph(store.get().graph) } : { error });
    next();
  };

  const next = (): void => {
    if (wanted === null) return;
    const state = store.get();
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
    /** What is loaded, for components. */
    use: store.use,
    /** Loads what the view needs beyond what is there. */
    want(view: View): void {
      // What failed for another day is no fault of this one.
      const isCompared = wanted !== null && wanted.compareWith !== view.compareWith;
      wanted = view;
      if (isCompared && store.get().error !== null) {
        ended.clear();
        set({ error: null });
      }
      next();
    },
    /** Tries again what failed. */
    retry(): void {
      ended.clear();
      set({ error: null });
      next();
    },
  };
}

const PAGES = { up: UPSTREAM, down: DOWNSTREAM } as const;

interface Answered {
  /** Adds what came. */
  graph: (before: LineageGraph) => LineageGraph;
  error: CombinedError | null;
}

async function answer(client: Client, need: Need, asOf: string | null): Promise<Answered> {
  switch (need.what) {
    case "nodes": {
      const { data, error = null } = await client.query(NODES, { ids: [...need.ids], asOf });
      const nodes = data?.nodes?.flatMap((node) => (node !== null && "fqn" in node ? [node] : [])) ?? [];
      return { graph: (before) => addLoaded(before, readNodes(nodes)), error };
    }
    case "columns": {
      const { data, error = null } = await client.query(COLUMNS, { id: need.id, asOf });
      const columns = readColumns(need.id, data?.asset?.columns ?? []);
      return { graph: (before) => add(before, "columns", [[need.id, columns]]), error };
    }
    case "impact": {
      const { of: id, type: changeType, newType } = need.change;
      const { data, error = null } = await client.query(CHANGE_IMPACT, { id, changeType, newType, asOf });
      const known = data?.impact ? [[changeKey(need.change), readImpact(data.impact)] as const] : [];
      return { graph: (before) => add(before, "impacts", known), error };
    }
    case "tables": {
      const { data, error = null } = await client.query(TABLES, { ids: [...need.ids], asOf });
      const tables = error === null ? readTables(need.ids, data?.nodes ?? []) : [];
      return { graph: (before) => add(before, "tables", tables), error };
    }
    case "diff": {
      const { id, hops: depth, compareWith } = need;
      const other = isSavedImpact(compareWith) ? { savedImpact: compareWith } : { compareWith };
      const { data, error = null } = await client.query(DIFF, { id, depth, ...other, asOf });
      const diff = data?.lineageDiff;
      return { graph: (before) => (diff ? addDiff(before, need, readDiff(diff)) : before), error };
    }
    case "walk": {
      const { id, side, hops } = need;
      const direction = side === "up" ? "upstream" : "downstream";
      const { data, error = null } = await client.query(WALK, { id, direction, depth: hops, asOf });
      const known = data?.lineage ? [[walkKey(id, side, hops), readWalk(data.lineage)] as const] : [];
      return { graph: (before) => add(before, "walks", known), error };
    }
    case "pages": {
      const { ids, side, count: first, after } = need;
      const { data, error = null } = await client.query(PAGES[side], {
        ids: [...ids],
        first,
        after,
        search: null,
        asOf,
      });
      const listed = data?.nodes?.flatMap((node) => (node !== null && "neighbours" in node ? [node] : [])) ?? [];
      const addTo = (graph: LineageGraph, { id, neighbours }: (typeof listed)[number]): LineageGraph =>
        addPage(graph, id, side, readPage(id, side, neighbours));
      return { graph: (before) => listed.reduce(addTo, before), error };
    }
  }
}
