/** Which part of a picture the window shows. */
import type { Box, Point, Size } from "./sizes.ts";

export interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

export const MIN_ZOOM = 0.02;
export const MAX_ZOOM = 2;
/** Around the picture. */
const MARGIN = 24;
/** The smallest text of a node has 12 pixels at full size, and 11 at this zoom. */
export const READABLE = 11 / 12;

export function boundsOf(boxes: Iterable<Box>): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return left > right
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: left, y: top, width: right - left, height: bottom - top };
}

/** All of it in the middle, at no more than its full size. */
export function fitAll(boxes: Iterable<Box>, window: Size): Viewport {
  const bounds = boundsOf(boxes);
  const zoom = Math.min(
    (window.width - 2 * MARGIN) / Math.max(bounds.width, 1),
    (window.height - 2 * MARGIN) / Math.max(bounds.height, 1),
    1,
  );
  return centre(bounds, Math.max(zoom, MIN_ZOOM), window);
}

/**
 * As many of these as can be read at once: the first one, and each next one that still fits. What is left of the window
 * shows what is beside them, not the void beyond the picture's edge.
 */
export function fitReadable(boxes: ReadonlyMap<string, Box>, ids: Iterable<string>, window: Size): Viewport {
  const bounds = gather(boxes, ids, window, READABLE);
  const fitted = fitAll([bounds], window);
  const { x, y, zoom } = fitted.zoom < READABLE ? centre(bounds, READABLE, window) : fitted;
  const all = boundsOf(boxes.values());
  return {
    x: fill(x, { start: all.x * zoom, length: all.width * zoom }, window.width),
    y: fill(y, { start: all.y * zoom, length: all.height * zoom }, window.height),
    zoom,
  };
}

/** Moves a stretch so that it is in the middle of the window if it fits, and otherwise leaves nothing empty but the margins. */
function fill(at: number, { start, length }: { start: number; length: number }, size: number): number {
  const [first, last] = [MARGIN - start, size - MARGIN - start - length];
  return last >= first ? (first + last) / 2 : Math.min(Math.max(at, last), first);
}

/** The ids, the nearest to a box first. */
export function sortByDistance(ids: Iterable<string>, boxes: ReadonlyMap<string, Box>, to: Box): string[] {
  const middle = middleOf(to);
  const distance = (id: string): number => {
    const box = boxes.get(id);
    if (box === undefined) return Infinity;
    const { x, y } = middleOf(box);
    return Math.hypot(x - middle.x, y - middle.y);
  };
  return [...ids].toSorted((a, b) => distance(a) - distance(b));
}

function middleOf({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

/** The box around the first of these and each next one with which it still fits into the window. */
function gather(boxes: ReadonlyMap<string, Box>, ids: Iterable<string>, window: Size, zoom: number): Box {
  let bounds: Box | null = null;
  for (const id of ids) {
    const box = boxes.get(id);
    if (box === undefined) continue;
    const wider = boundsOf(bounds === null ? [box] : [bounds, box]);
    const fits = wider.width * zoom <= window.width - 2 * MARGIN && wider.height * zoom <= window.height - 2 * MARGIN;
    if (bounds === null || fits) bounds = wider;
  }
  return bounds ?? boundsOf([]);
}

export type Edge = "left" | "right" | "above" | "below";
export const EDGES: readonly Edge[] = ["left", "above", "below", "right"];

/** Which boxes are outside of the window with their middles, by where they are. */
export function listOutside(
  { x, y, zoom }: Viewport,
  boxes: ReadonlyMap<string, Box>,
  window: Size,
): Readonly<Record<Edge, string[]>> {
  const outside: Record<Edge, string[]> = { left: [], right: [], above: [], below: [] };
  for (const [id, box] of boxes) {
    const middle = middleOf(box);
    const [left, top] = [middle.x * zoom + x, middle.y * zoom + y];
    if (left < 0) outside.left.push(id);
    else if (left > window.width) outside.right.push(id);
    else if (top < 0) outside.above.push(id);
    else if (top > window.height) outside.below.push(id);
  }
  return outside;
}

/** True if a part of the box is in the window. */
export function isWithin({ x, y, zoom }: Viewport, box: Box, window: Size): boolean {
  const [left, top] = [box.x * zoom + x, box.y * zoom + y];
  return left < window.width && top < window.height && left + box.width * zoom > 0 && top + box.height * zoom > 0;
}

/** The same window, moved so that the first of these are in it, as many as fit; the same viewport if they are already. */
export function moveInto(
  viewport: Viewport,
  boxes: ReadonlyMap<string, Box>,
  ids: Iterable<string>,
  window: Size,
): Viewport {
  const { x, y, zoom } = viewport;
  const box = gather(boxes, ids, window, zoom);
  const dx = shift(box.x * zoom + x, box.width * zoom, window.width);
  const dy = shift(box.y * zoom + y, box.height * zoom, window.height);
  return dx === 0 && dy === 0 ? viewport : { x: x + dx, y: y + dy, zoom };
}

/** How far a stretch has to move so that it is between the margins, or begins there if it is too long. */
function shift(start: number, length: number, size: number): number {
  if (start < MARGIN || length > size - 2 * MARGIN) return MARGIN - start;
  return start + length > size - MARGIN ? size - MARGIN - start - length : 0;
}

/** The same window over a picture that was laid out again, so that a box stays where it was. */
export function keepPlace(viewport: Viewport, before: Box, after: Box): Viewport {
  const { x, y, zoom } = viewport;
  return { x: x + (before.x - after.x) * zoom, y: y + (before.y - after.y) * zoom, zoom };
}

function centre(box: Box, zoom: number, window: Size): Viewport {
  const { x, y } = middleOf(box);
  return { x: window.width / 2 - x * zoom, y: window.height / 2 - y * zoom, zoom };
}
