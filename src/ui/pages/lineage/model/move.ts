/** The node that an arrow key selects. */
import type { Box } from "./sizes.ts";

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

interface Ends {
  from: string;
  to: string;
}

/**
 * To the left and right in the row of a block, then along the lines, to the neighbour at nearly the same height; up and
 * down within a column of nodes.
 * @returns null if there is nothing there
 */
export function findNext(
  at: string,
  arrow: Arrow,
  lines: readonly Ends[],
  boxes: ReadonlyMap<string, Box>,
): string | null {
  const here = boxes.get(at);
  if (here === undefined) return null;
  if (arrow === "ArrowLeft" || arrow === "ArrowRight") {
    const beside = besideInBlock(here, arrow, boxes);
    if (beside !== null) return beside;
    const near =
      arrow === "ArrowLeft"
        ? lines.filter(({ to }) => to === at).map(({ from }) => from)
        : lines.filter(({ from }) => from === at).map(({ to }) => to);
    return nearest(near, boxes, (box) => Math.abs(middle(box) - middle(here)));
  }
  const sign = arrow === "ArrowDown" ? 1 : -1;
  const beyond = [...boxes].filter(
    ([id, box]) => id !== at && (middle(box) - middle(here)) * sign > 0 && overlaps(box, here),
  );
  return nearest(
    beyond.map(([id]) => id),
    boxes,
    (box) => (middle(box) - middle(here)) * sign,
  );
}

/** The next one in the same row of a block. */
function besideInBlock(
  { x, y, block }: Box,
  arrow: "ArrowLeft" | "ArrowRight",
  boxes: ReadonlyMap<string, Box>,
): string | null {
  if (block === undefined) return null;
  const sign = arrow === "ArrowRight" ? 1 : -1;
  const row = [...boxes].filter(
    ([, other]) =>
      other.block?.left === block.left &&
      other.block.right === block.right &&
      other.y === y &&
      (other.x - x) * sign > 0,
  );
  return nearest(
    row.map(([id]) => id),
    boxes,
    (other) => (other.x - x) * sign,
  );
}

function middle({ y, height }: Box): number {
  return y + height / 2;
}

/** True if they are above each other. */
function overlaps(one: Box, other: Box): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width;
}

function nearest(
  ids: readonly string[],
  boxes: ReadonlyMap<string, Box>,
  measure: (box: Box) => number,
): string | null {
  let best: { id: string; distance: number } | null = null;
  for (const id of ids) {
    const box = boxes.get(id);
    if (box === undefined) continue;
    const distance = measure(box);
    if (best === null || distance < best.distance) best = { id, distance };
  }
  return best?.id ?? null;
}
