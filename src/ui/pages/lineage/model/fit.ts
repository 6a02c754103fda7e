/** Which part of a picture the window shows. */
import type { Box, Size } from "./sizes.ts";

export interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

export const MIN_ZOOM = 0.02;
export const MAX_ZOOM = 2;
/** Around the picture. */
const MARGIN = 40;
/** At the right, where the buttons of the window lie over the picture. */
const BUTTONS = 72;
/** Below this zoom, names cannot be read well. */
const READABLE = 0.5;

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

/** All of it, in the middle or left of the buttons, at no more than its full size. */
export function fitAll(boxes: Iterable<Box>, window: Size): Viewport {
  const bounds = boundsOf(boxes);
  const zoom = Math.min(
    (window.width - MARGIN - BUTTONS) / Math.max(bounds.width, 1),
    (window.height - 2 * MARGIN) / Math.max(bounds.height, 1),
    1,
  );
  const middle = centre(bounds, Math.max(zoom, MIN_ZOOM), window);
  const atMost = window.width - BUTTONS - (bounds.x + bounds.width) * middle.zoom;
  return { ...middle, x: Math.min(middle.x, atMost) };
}

/**
 * All of it if it can be read then; otherwise the root with its neighbours, or as much of these as can be read.
 * @param near the ids of the root's neighbours
 * @param place where the root is if only a part can be read: at the left if the others follow from it
 */
export function fitFirst(
  boxes: ReadonlyMap<string, Box>,
  root: string,
  near: Iterable<string>,
  window: Size,
  place: "middle" | "left" = "middle",
): Viewport {
  const all = fitAll(boxes.values(), window);
  const box = boxes.get(root);
  if (all.zoom >= READABLE || box === undefined) return all;
  const around = [root, ...near].flatMap((id) => boxes.get(id) ?? []);
  const close = fitAll(around, window);
  if (close.zoom >= READABLE) return close;
  const middle = centre(box, READABLE, window);
  return place === "middle" ? middle : { ...middle, x: MARGIN - box.x * READABLE };
}

/** True if a part of the box is in the window. */
export function isWithin({ x, y, zoom }: Viewport, box: Box, window: Size): boolean {
  const [left, top] = [box.x * zoom + x, box.y * zoom + y];
  return left < window.width && top < window.height && left + box.width * zoom > 0 && top + box.height * zoom > 0;
}

/** True if something of the picture is behind an area of the window, such as the legend. */
export function isBehind({ x, y, zoom }: Viewport, boxes: Iterable<Box>, area: Box): boolean {
  const moved = { x: x - area.x, y: y - area.y, zoom };
  for (const box of boxes) if (isWithin(moved, box, area)) return true;
  return false;
}

/** The same window, moved so that a box is in it; the same viewport if it is already. */
export function moveInto(viewport: Viewport, box: Box, window: Size): Viewport {
  const { x, y, zoom } = viewport;
  const dx = shift(box.x * zoom + x, box.width * zoom, window.width);
  const dy = shift(box.y * zoom + y, box.height * zoom, window.height);
  return dx === 0 && dy === 0 ? viewport : { x: x + dx, y: y + dy, zoom };
}

/** How far a stretch has to move so that it is between the margins. */
function shift(start: number, length: number, size: number): number {
  if (start < MARGIN) return MARGIN - start;
  return start + length > size - MARGIN ? size - MARGIN - start - length : 0;
}

/** The same window over a picture that was laid out again, so that a box stays where it was. */
export function keepPlace(viewport: Viewport, before: Box, after: Box): Viewport {
  const { x, y, zoom } = viewport;
  return { x: x + (before.x - after.x) * zoom, y: y + (before.y - after.y) * zoom, zoom };
}

function centre(box: Box, zoom: number, window: Size): Viewport {
  return {
    x: window.width / 2 - (box.x + box.width / 2) * zoom,
    y: window.height / 2 - (box.y + box.height / 2) * zoom,
    zoom,
  };
}
