/** How the lineage of a large workspace is loaded and followed. */
import { expect, it } from "vitest";

import { STATUS_FACTS, TYPE_FACTS } from "../../../../src/graph/lineage-index/facts.ts";
import { toMark } from "../../../../src/graph/lineage-index/mark.ts";
import {
  followLineage,
  idOf,
  type LineageStore,
  loadNamedLineage,
  numberOf,
} from "../../../../src/graph/lineage-index/named-lineage.ts";
import { slicerFor } from "../../../../src/graph/memgraph/reader.ts";
import { toNodeId } from "../../../../src/ids.ts";
import { THE_SERVICE } from "../../../../src/work/caller.ts";
import { leastOf, longestSlice, MOST_MS } from "../../../support/longest-slice.ts";
import { present } from "../../../support/present.ts";

const AMOUNT = 20_000;
const HUB = toNodeId("hub");
const SPOKES = Array.from({ length: AMOUNT }, (_, i) => toNodeId(`node_${String(i).padStart(8, "0")}`));

/** A hub that feeds many tables, all of which feed it again. */
function createStore() {
  const state = { number: 1, nodes: [HUB, ...SPOKES], changed: [HUB] };
  const store: LineageStore = {
    position: async () => ({ number: state.number, mark: "mark" }),
    changedBetween: async () => state.changed,
    listKeys: async (after, limit) =>
      state.nodes
        .filter((id) => id > after)
        .slice(0, limit)
        .map((id) => ({ id, key: `key of ${id}` })),
    loadNodes: async (ids) =>
      ids
        .filter((id) => id !== HUB || state.nodes[0] === HUB)
        .map((id) => ({
          id,
          parentId: null,
          key: `key of ${id}`,
          facts: (TYPE_FACTS[0]?.[1] ?? 0) + (STATUS_FACTS[0]?.[1] ?? 0),
          standing: "[]",
          sources: "[]",
        })),
    async loadLinks(kind, from) {
      const ends =
        kind === "edges" ? from.flatMap((id) => (id === HUB ? SPOKES : [HUB]).map((to) => ({ id, to }))) : [];
      return { from: ends.map(({ id }) => id), to: ends.map(({ to }) => to), marks: ends.map(() => toMark(1, 1, 0)) };
    },
  };
  return { state, store };
}

const slicer = slicerFor(THE_SERVICE);

it("A hub with very many ends is loaded and read again in slices", async () => {
  const ms = await leastOf(async () => {
    const { state, store } = createStore();
    const loaded = await longestSlice(() => loadNamedLineage(store, Infinity, slicer));
    const lineage = present(loaded.result);
    state.number += 1;
    const followed = await longestSlice(() => followLineage(lineage, store, slicer));
    const now = present(followed.result);
    const { ends, start, end } = now.index.links.edges.out(present(numberOf(now, HUB)));
    expect(Array.from({ length: end - start }, (_, i) => idOf(now, ends[start + i] ?? 0))).toEqual(SPOKES);
    return Math.max(loaded.ms, followed.ms);
  });
  expect(ms).toBeLessThan(MOST_MS);
});

it("If a node was removed that more nodes feed than are read again, lineage is not followed", async () => {
  const { state, store } = createStore();
  const lineage = present(await loadNamedLineage(store, Infinity, slicer));
  state.number += 1;
  state.nodes = SPOKES;
  let read = 0;
  const counting: LineageStore = {
    ...store,
    loadNodes: (ids) => {
      read += ids.length;
      return store.loadNodes(ids);
    },
  };
  expect(await followLineage(lineage, counting, slicer)).toBeNull();
  expect(read).toBe(1);
});

it("While lineage is loaded, it takes no more memory than it may", async () => {
  const { store } = createStore();
  const { bytes } = present(await loadNamedLineage(store, Infinity, slicer));
  expect(await loadNamedLineage(store, bytes, slicer)).toBeNull();
  expect(await loadNamedLineage(store, 2 * bytes, slicer)).not.toBeNull();
});
