/** The lines of a picture: links of nodes, links of columns, and lines to folds, each with its two ends. */
import type { Difference, EdgeKind, LineageGraph, UseKind } from "./graph.ts";
import { linkKey } from "./graph.ts";
import type { Picture, ShownLink } from "./picture.ts";
import { type Box, LANE, meetAt, type Point } from "./sizes.ts";

/** How a line is drawn. Each has a pattern and a tip of its own, so that they differ without colour. */
export type LineKind = EdgeKind | UseKind | "passes" | "hidden" | "fold";

export interface Line {
  id: string;
  kind: LineKind;
  /** The nodes or folds that it connects. */
  from: string;
  to: string;
  /** If it connects columns. */
  columns: readonly [from: string, to: string] | null;
  start: Point;
  end: Point;
  /** Where it runs past the nodes in its way, or between the rows of a block; an empty list for any other line. */
  bends: readonly Point[];
  /** How the link differs, if the lineage is compared. */
  difference?: Difference | undefined;
}

/** The points between the ends of a line, from left to right, by `linkKey`. Lines without any are not in it. */
export type Routes = ReadonlyMap<string, readonly Point[]>;

const NO_ROUTES: Routes = new Map();

/** The one kind that a link with several is drawn as: the first of these. */
const STRONGEST: readonly EdgeKind[] = ["derives", "materializes", "defines", "powers", "exports", "reads"];

function kindOfLink({ kinds, uses, through }: ShownLink): LineKind {
  if (through > 0) return "hidden";
  if (uses.length > 0) return uses.includes("DIRECT") ? "DIRECT" : "INDIRECT";
  return STRONGEST.find((kind) => kinds.includes(kind)) ?? "passes";
}

export function listLines(
  picture: Picture,
  graph: LineageGraph,
  boxes: ReadonlyMap<string, Box>,
  openColumns: ReadonlySet<string>,
  routes: Routes = NO_ROUTES,
): Line[] {
  const lines: Line[] = [];
  const add = (id: string, kind: LineKind, from: string, to: string, columns: Line["columns"] = null): void => {
    const [source, target] = [boxes.get(from), boxes.get(to)];
    if (source === undefined || target === undefined) return;
    const [start, end] = [from, to].map((node, place) =>
      openColumns.has(node) ? meetAt(graph.columns.get(node), columns?.[place] ?? null) : null,
    );
    const right = source.x + source.width;
    // A line from right to left is one curve.
    const between = (routes.get(linkKey({ from, to })) ?? []).filter(({ x }) => x > right && x < target.x);
    lines.push({
      id,
      kind,
      from,
      to,
      columns,
      start: { x: right, y: source.y + (start ?? source.height / 2) },
      end: { x: target.x, y: target.y + (end ?? target.height / 2) },
      bends: [...bendsOut(source), ...between, ...bendsIn(target)],
      difference: picture.diff?.links.get(linkKey({ from, to }))?.difference,
    });
  };
  const ofColumns = listColumnLinks(picture, graph, openColumns);
  // Lines between columns replace the line between their nodes.
  const detailed = new Set(ofColumns.map(([, , from, to]) => linkKey({ from, to })));
  for (const [key, link] of picture.links) if (!detailed.has(key)) add(key, kindOfLink(link), link.from, link.to);
  for (const { id, of, side } of picture.folds) {
    if (side === "up") add(id, "fold", id, of);
    else add(id, "fold", of, id);
  }
  for (const line of ofColumns) add(...line);
  return lines;
}

type ColumnLine = [id: string, kind: UseKind, from: string, to: string, columns: readonly [string, string]];

/** Each pair of columns once. It is direct if any of its uses is. */
function listColumnLinks(picture: Picture, graph: LineageGraph, open: ReadonlySet<string>): ColumnLine[] {
  const found = new Map<string, ColumnLine>();
  for (const id of open) {
    if (!picture.nodes.has(id)) continue;
    for (const column of graph.columns.get(id) ?? []) {
      for (const { from, to, uses } of column.links) {
        if (!picture.nodes.has(from.node) || !picture.nodes.has(to.node)) continue;
        const key = `column ${linkKey({ from: from.id, to: to.id })}`;
        const kind = uses.includes("INDIRECT") && !uses.includes("DIRECT") ? "INDIRECT" : "DIRECT";
        found.set(key, [key, kind, from.node, to.node, [from.id, to.id]]);
      }
    }
  }
  return [...found.values()];
}

const MIN_BEND = 36;

/** To a tenth of a pixel. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Within a block, a line leaves its lane and enters a node in this width. */
const TURN = 32;

/** Along the lane of the row to the left side of a node that is not in the first column. */
function bendsIn({ x, y, block }: Box): Point[] {
  if (block === undefined || x <= block.left) return [];
  const lane = y - LANE / 2;
  return [
    { x: block.left, y: lane },
    { x: x - TURN, y: lane },
  ];
}

/** From the right side of a node that is not in the last column. */
function bendsOut({ x, y, width, block }: Box): Point[] {
  if (block === undefined || x + width >= block.right) return [];
  const lane = y - LANE / 2;
  return [
    { x: x + width + TURN, y: lane },
    { x: block.right, y: lane },
  ];
}

/** The smallest box that a line is in. */
export function boundsOfLine({ start, bends, end }: Pick<Line, "start" | "bends" | "end">): Box {
  const [xs, ys] = [[start, ...bends, end].map(({ x }) => x), [start, ...bends, end].map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Curves that leave to the right and come from the left, in the syntax of SVG. */
export function toPath({ start, bends, end }: Pick<Line, "start" | "bends" | "end">): string {
  const least = bends.length === 0 ? MIN_BEND : 0;
  let path = `M${round(start.x)},${round(start.y)}`;
  let at = start;
  for (const next of [...bends, end]) {
    path +=
      at.y === next.y && next.x > at.x && bends.length > 0 ? ` H${round(next.x)}` : ` ${toCurve(at, next, least)}`;
    at = next;
  }
  return path;
}

/** Whether the curve from one node to another, without bends, runs behind a third one. */
export function isBehind(source: Box, target: Box, box: Box): boolean {
  const [left, right] = [source.x + source.width, target.x];
  if (box.x <= left || box.x + box.width >= right) return false;
  const [top, bottom] = [source.y + source.height / 2, target.y + target.height / 2];
  const heightAt = (x: number): number => top + (bottom - top) * riseOf((x - left) / (right - left));
  const [enters, leaves] = [heightAt(box.x), heightAt(box.x + box.width)];
  return Math.max(enters, leaves) >= box.y && Math.min(enters, leaves) <= box.y + box.height;
}

/** How much of its height a curve of `toCurve` has risen after this part of its width. Both are functions of `t`. */
function riseOf(width: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 12; step++) {
    const t = (low + high) / 2;
    if (1.5 * t - 1.5 * t ** 2 + t ** 3 < width) low = t;
    else high = t;
  }
  return 3 * low ** 2 - 2 * low ** 3;
}

function toCurve(start: Point, end: Point, least: number): string {
  const forward = end.x - start.x;
  const bend = forward > 0 ? Math.max(forward / 2, least) : MIN_BEND + Math.min(-forward, 320) / 2;
  return (
    `C${round(start.x + bend)},${round(start.y)} ` +
    `${round(end.x - bend)},${round(end.y)} ${round(end.x)},${round(end.y)}`
  );
}
