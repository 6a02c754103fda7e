/** Lays a picture out from left to right. */
import type { ELK, ElkExtendedEdge, ElkNode, LayoutOptions } from "elkjs/lib/elk-api.js";

import { linkKey } from "../model/graph.ts";
import { isBehind, type Routes } from "../model/lines.ts";
import { type Box, LAYER_GAP, type Size } from "../model/sizes.ts";
import { placeMembers, planBlocks, type Sized } from "./blocks.ts";

export interface LayoutInput extends Sized {
  /** What everything is about. It is in no block. */
  root: string;
  /** What is in the last column, if nothing is made from it. */
  last: ReadonlySet<string>;
  /** Where things were in the picture before: they keep their order. Null for the first picture. */
  before: ReadonlyMap<string, Box> | null;
}

export interface Layout {
  /** Where each is; the whole begins at 0, 0. */
  boxes: ReadonlyMap<string, Box>;
  /** In a large picture, only of the lines that would run behind other nodes: more bends would be harder to follow. */
  routes: Routes;
}

export async function layOut(
  engine: Pick<ELK, "layout">,
  { root, before, last, ...input }: LayoutInput,
): Promise<Layout> {
  const all = before === null ? input : { ...input, sizes: sortByPlace(input, before) };
  const { sizes, lines, blocks } = planBlocks(all, root, before ?? new Map());
  const feeding = new Set(lines.map(({ from }) => from));
  const graph: ElkNode = {
    id: "root",
    layoutOptions: toOptions(lines.length, { isOrdered: before !== null, isPacked: last.size > 0 }),
    children: [...sizes].map(([id, { width, height }]) => ({
      id,
      width,
      height,
      layoutOptions: last.has(id) && !feeding.has(id) ? LAST_COLUMN : {},
    })),
    edges: lines.map(({ from, to }, index) => ({ id: `line ${index}`, sources: [from], targets: [to] })),
  };
  const { children = [], edges = [] } = await engine.layout(graph);
  const boxes = new Map(
    children.map(({ id, x = 0, y = 0, width = 0, height = 0 }) => [id, { x, y, width, height }] as const),
  );
  const placed = placeMembers(boxes, blocks);
  const routes = listRoutes(edges);
  return { boxes: placed, routes: isCareful(lines.length) ? routes : keepNeeded(routes, placed) };
}

/** The routes of the lines that, as one curve, would run behind other nodes and look as if they ended there. */
function keepNeeded(routes: Routes, boxes: ReadonlyMap<string, Box>): Routes {
  const all = [...boxes.values()];
  const needed = [...routes].filter(([key]) => {
    const [source, target] = key.split(" ").map((id) => boxes.get(id));
    return source !== undefined && target !== undefined && all.some((box) => isBehind(source, target, box));
  });
  return new Map(needed);
}

function listRoutes(edges: readonly ElkExtendedEdge[]): Routes {
  const bent = edges.map(({ sources: [from = ""], targets: [to = ""], sections }) => {
    return [linkKey({ from, to }), sections?.[0]?.bendPoints ?? []] as const;
  });
  return new Map(bent.filter(([, bends]) => bends.length > 0));
}

/**
 * What was there keeps its order. What is new comes after the other neighbours of the node from which it was opened, or
 * beside that node if there are no others.
 */
function sortByPlace({ sizes, lines }: Sized, before: ReadonlyMap<string, Box>): Map<string, Size> {
  const feeds = Map.groupBy(lines, ({ from }) => from);
  const madeFrom = Map.groupBy(lines, ({ to }) => to);
  const topOf = (id: string): number[] => {
    const box = before.get(id);
    return box === undefined ? [] : [box.block?.top ?? box.y + box.height / 2];
  };
  /** Where it was, or where it is to be: beside or below something, and after it. */
  const rank = (id: string): [top: number, isNew: number] => {
    const [top] = topOf(id);
    if (top !== undefined) return [top, 0];
    const parents = (madeFrom.get(id) ?? []).map(({ from }) => from).filter((it) => before.has(it));
    const children = (feeds.get(id) ?? []).map(({ to }) => to).filter((it) => before.has(it));
    const siblings = [
      ...parents.flatMap((it) => (feeds.get(it) ?? []).map(({ to }) => to)),
      ...children.flatMap((it) => (madeFrom.get(it) ?? []).map(({ from }) => from)),
    ].flatMap(topOf);
    const beside = [...parents, ...children].flatMap(topOf);
    if (siblings.length > 0) return [Math.max(...siblings), 1];
    return beside.length > 0 ? [Math.min(...beside), 1] : [Infinity, 1];
  };
  const ranks = new Map(Array.from(sizes.keys(), (id) => [id, rank(id)] as const));
  const compare = (a: string, b: string): number => {
    const [[top, isNew], [otherTop, isOtherNew]] = [ranks.get(a) ?? [0, 0], ranks.get(b) ?? [0, 0]];
    return top === otherTop ? isNew - isOtherNew : top - otherTop;
  };
  return new Map([...sizes].toSorted(([a], [b]) => compare(a, b)));
}

/**
 * The options of the layout engine; `bench/ui/layout.ts` measures them. The lines are drawn as curves, so it need not
 * route them well: only past the nodes in their way.
 */
const OPTIONS: LayoutOptions = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.edgeRouting": "POLYLINE",
  "elk.spacing.nodeNode": "16",
  "elk.spacing.edgeNode": "12",
  "elk.spacing.componentComponent": "48",
  "elk.layered.spacing.nodeNodeBetweenLayers": String(LAYER_GAP),
  "elk.layered.spacing.edgeNodeBetweenLayers": "16",
  "elk.layered.thoroughness": "2",
  "elk.layered.crossingMinimization.greedySwitch.type": "OFF",
};

/** Nodes are near what they are made from, in the order of their names, and lines are straight where they can be. */
const CAREFUL: LayoutOptions = {
  ...OPTIONS,
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
  "elk.layered.nodePlacement.bk.fixedAlignment": "BALANCED",
};

/**
 * With 500 nodes and 1,480 lines, this takes three quarters of the processor's time that straight lines
 * (`BRANDES_KOEPF`) and layers by network simplex take the first time, and 60 % once the engine is warm. The picture has
 * a sixth of the area, lines a quarter as long, and 40 % fewer crossings.
 */
export const LARGE: LayoutOptions = {
  ...OPTIONS,
  "elk.layered.layering.strategy": "LONGEST_PATH",
  "elk.layered.nodePlacement.strategy": "SIMPLE",
};

/** Nodes keep their order from top to bottom, so that a picture which grows can be recognised. */
const KEPT_ORDER: LayoutOptions = {
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.crossingMinimization.forceNodeModelOrder": "true",
};

/** What people look at is close together, so that it can be seen at once. */
const PACKED: LayoutOptions = { "elk.layered.nodePlacement.strategy": "SIMPLE" };
const LAST_COLUMN: LayoutOptions = { "elk.layered.layering.layerConstraint": "LAST" };

interface Picture {
  /** True if the nodes are in the order in which they were drawn before. */
  isOrdered: boolean;
  /** True if the nodes of a column are to be close together. */
  isPacked: boolean;
}

/** Up to this many lines, there is time and room for care. */
const CAREFUL_UP_TO = 250;

function isCareful(lines: number): boolean {
  return lines <= CAREFUL_UP_TO;
}

/** @param lines how many there are */
function toOptions(lines: number, { isOrdered, isPacked }: Picture): LayoutOptions {
  return { ...(isCareful(lines) ? CAREFUL : LARGE), ...(isOrdered && KEPT_ORDER), ...(isPacked && PACKED) };
}
