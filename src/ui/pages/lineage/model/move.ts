/** The node that an arrow key selects. */
import type { Ends } from "./graph.ts";
import type { Box } from "./sizes.ts";

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

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
  const sign = arrow === "ArrowRight" || arrow === "ArrowDown" ? 1 : -1;
  const nearest = (fits: (box: Box, id: string) => boolean, measure: (box: Box) => number): string | null => {
    const found = [...boxes].filter(([id, box]) => id !== at && fits(box, id));
    return found.toSorted(([, a], [, b]) => measure(a) - measure(b))[0]?.[0] ?? null;
  };
  if (arrow === "ArrowUp" || arrow === "ArrowDown") {
    const beyond = (box: Box): number => (middle(box) - middle(here)) * sign;
    return nearest((box) => beyond(box) > 0 && box.x < here.x + here.width && here.x < box.x + box.width, beyond);
  }
  const beside = (box: Box): number => (box.x - here.x) * sign;
  const isInRow = ({ block, y }: Box): boolean =>
    block !== undefined && block.left === here.block?.left && block.right === here.block.right && y === here.y;
  const ends = lines.map(({ from, to }) => (arrow === "ArrowRight" ? ([from, to] as const) : ([to, from] as const)));
  const near = new Set(ends.filter(([from]) => from === at).map(([, to]) => to));
  return (
    nearest((box) => isInRow(box) && beside(box) > 0, beside) ??
    nearest(
      (_box, id) => near.has(id),
      (box) => Math.abs(middle(box) - middle(here)),
    )
  );
}

function middle({ y, height }: Box): number {
  return y + height / 2;
}
