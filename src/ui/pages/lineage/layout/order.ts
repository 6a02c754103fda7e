/** The order from top to bottom of a picture that has changed. */
import type { Box, Size } from "../model/sizes.ts";
import type { Sized } from "./blocks.ts";

/**
 * What was there keeps its order. What is new comes after the other neighbours of the node from which it was opened, or
 * beside that node if there are no others.
 */
export function sortByPlace({ sizes, lines }: Sized, before: ReadonlyMap<string, Box>): Map<string, Size> {
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
