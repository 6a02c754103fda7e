/** Loads what a view needs, round after round, until it can be drawn as it is meant. */
import type { AnyVariables, Client, CombinedError, TypedDocumentNode } from "urql";

import { createStore } from "../../parts/store.ts";
import { CHANGE_IMPACT, COLUMNS, DIFF, DOWNSTREAM, NODES, UPSTREAM, WALK } from "./documents.ts";
import { readColumns, readImpact, readNodes, readPage, readWalk } from "./model/answers.ts";
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

function answer(client: Client, need: Need, asOf: string | null): Promise<Answered> {
  const ask = async <Data, Variables extends AnyVariables>(
    query: TypedDocumentNode<Data, Variables>,
    variables: Omit<NonNullable<Variables>, "asOf">,
    addTo: (graph: LineageGraph, data: Data) => LineageGraph,
  ): Promise<Answered> => {
    const { data, error = null } = await client.query<Data, AnyVariables>(query, { ...variables, asOf });
    return { graph: (before) => (data === undefined ? before : addTo(before, data)), error };
  };
  switch (need.what) {
    case "nodes":
      return ask(NODES, { ids: [...need.ids] }, (graph, { nodes }) => {
        const found = nodes?.flatMap((node) => (node !== null && "fqn" in node ? [node] : [])) ?? [];
        return addLoaded(graph, readNodes(found));
      });
    case "columns":
      return ask(COLUMNS, { id: need.id }, (graph, { asset }) =>
        add(graph, "columns", [[need.id, readColumns(need.id, asset?.columns ?? [])]]),
      );
    case "impact": {
      const { of: id, type: changeType, newType } = need.change;
      return ask(CHANGE_IMPACT, { id, changeType, newType }, (graph, { impact }) =>
        impact === null ? graph : add(graph, "impacts", [[changeKey(need.change), readImpact(impact)]]),
      );
    }
    case "diff": {
      const { id, hops: depth, compareWith } = need;
      const other = isSavedImpact(compareWith) ? { savedImpact: compareWith } : { compareWith };
      return ask(DIFF, { id, depth, ...other }, (graph, { lineageDiff }) =>
        lineageDiff === null ? graph : addDiff(graph, need, readDiff(lineageDiff)),
      );
    }
    case "walk": {
      const { id, side, hops } = need;
      const direction = side === "up" ? "upstream" : "downstream";
      return ask(WALK, { id, direction, depth: hops }, (graph, { lineage }) =>
        lineage === null ? graph : add(graph, "walks", [[walkKey(id, side, hops), readWalk(lineage)]]),
      );
    }
    case "pages": {
      const { ids, side, count: first, after } = need;
      return ask(PAGES[side], { ids: [...ids], first, after, search: null }, (graph, { nodes }) => {
        const listed = nodes?.flatMap((node) => (node !== null && "neighbours" in node ? [node] : [])) ?? [];
        return listed.reduce((to, { id, neighbours }) => addPage(to, id, side, readPage(id, side, neighbours)), graph);
      });
    }
  }
}
