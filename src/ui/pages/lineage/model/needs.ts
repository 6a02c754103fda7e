/** Lists what has to be loaded before a view can be drawn. */
import type { Change } from "../../impact/change.ts";
import { diffKey, type DiffNeed, drawDiff, needOfDiff } from "./diff.ts";
import { type LineageGraph, type Side, SIDES, sideKey, walkKey } from "./graph.ts";
import { drawImpact } from "./impact.ts";
import { drawPicture } from "./picture.ts";
import { isSavedImpact, type View } from "./view.ts";
import { drawWalks, listWalks, type WalkNeed } from "./paths.ts";

export type Need =
  | { what: "nodes"; ids: readonly string[] }
  /** The first page of each of some lists, or the next page of one. */
  | { what: "pages"; ids: readonly string[]; side: Side; count: number; after: string | null }
  | { what: "columns"; id: string }
  | { what: "impact"; change: Change }
  | WalkNeed
  | DiffNeed;

/** The largest page that is asked for. */
const MAX_PAGE = 100;
/** The most neighbours in one query. Each costs about 670, and the service allows 200,000 for a query. */
const MAX_NEIGHBOURS = 280;
const MAX_IDS = 50;

/** Equal needs have equal keys. How many neighbours of a list are asked for does not matter: they begin at one place. */
export function needKey(need: Need): string {
  return JSON.stringify({ ...need, count: 0 });
}

/** @returns what can be loaded now; more may be needed once it is there */
export function listNeeds(graph: LineageGraph, view: View): Need[] {
  // Load the root's neighbours together with it: the first picture takes one round.
  const isFirst = !graph.nodes.has(view.root);
  const shown = isFirst
    ? [view.root]
    : drawPicture(graph, { ...view, hidden: new Set() })
        .nodes.keys()
        .toArray();
  const missing = isFirst ? [view.root] : [...view.picked.values()].flat().filter((id) => !graph.nodes.has(id));
  const columns = isFirst ? [] : shown.filter((id) => view.columns.has(id) && !graph.columns.has(id));
  return [
    ...(view.change === null ? [] : listOfChange(graph, view.change)),
    ...listOfWalks(graph, view),
    ...listOfDiff(graph, view),
    ...(missing.length === 0 ? [] : [{ what: "nodes", ids: missing.slice(0, MAX_IDS) } as const]),
    ...SIDES.flatMap((side) => listPages(graph, view, shown, side)),
    ...columns.map((id) => ({ what: "columns", id }) as const),
  ];
}

/** What the change affects, then the nodes themselves. */
function listOfChange(graph: LineageGraph, change: Change): Need[] {
  const drawn = drawImpact(graph, change);
  return drawn === null ? [{ what: "impact", change }] : listMissing(graph, drawn.nodes);
}

/** What the walks find, then the nodes themselves. */
function listOfWalks(graph: LineageGraph, view: View): Need[] {
  const root = graph.nodes.get(view.root);
  // What a manifest adds is known by the comparison, and the service walks from nothing that the catalog does not have.
  if (root === undefined ? isSavedImpact(view.compareWith ?? "") : root.isAbsent) return [];
  const walks = listWalks(view).filter(({ id, side, hops }) => !graph.walks.has(walkKey(id, side, hops)));
  return [...walks, ...listMissing(graph, drawWalks(graph, view).nodes)];
}

/** What differs, then the nodes that are still there. */
function listOfDiff(graph: LineageGraph, view: View): Need[] {
  const need = needOfDiff(view);
  if (need === null) return [];
  const known = graph.diffs.get(diffKey(need));
  return known === undefined ? [need] : listMissing(graph, drawDiff(graph, view)?.drawn ?? []);
}

function listMissing(graph: LineageGraph, nodes: Iterable<string>): Need[] {
  // Batch all nodes, loaded or not, so that the batches stay the same while answers arrive.
  return inBatches([...nodes], MAX_IDS).flatMap((batch): Need[] => {
    const ids = batch.filter((id) => !graph.nodes.has(id));
    return ids.length === 0 ? [] : [{ what: "nodes", ids }];
  });
}

function inBatches<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, place) =>
    all.slice(place * size, (place + 1) * size),
  );
}

function listPages(graph: LineageGraph, view: View, shown: readonly string[], side: Side): Need[] {
  const first: { id: string; count: number }[] = [];
  const needs: Need[] = [];
  for (const id of shown) {
    const list = graph.lists.get(sideKey(id, side));
    const wanted = Math.min(view.open.get(sideKey(id, side)) ?? 0, graph.nodes.get(id)?.totals[side] ?? Infinity);
    const count = Math.min(wanted - (list?.ids.length ?? 0), MAX_PAGE);
    if (count <= 0 || list?.cursor === null) continue;
    if (list === undefined) first.push({ id, count });
    else needs.push({ what: "pages", ids: [id], side, count, after: list.cursor });
  }
  // Put the longest lists together: a query asks for the same number of neighbours of each.
  const batches: { ids: string[]; count: number }[] = [];
  for (const { id, count } of first.toSorted((a, b) => b.count - a.count)) {
    const last = batches.at(-1);
    const size = (last?.ids.length ?? 0) + 1;
    if (last !== undefined && size <= MAX_IDS && size * last.count <= MAX_NEIGHBOURS) last.ids.push(id);
    else batches.push({ ids: [id], count });
  }
  return [...needs, ...batches.map(({ ids, count }): Need => ({ what: "pages", ids, side, count, after: null }))];
}
