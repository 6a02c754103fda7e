/**
 * Compact blocks: many nodes that have the same neighbours are laid out as one block of several columns, because one
 * column of them would be too long to be read.
 */
import type { Ends } from "../model/graph.ts";
import { type Block, type Box, LANE, type Size } from "../model/sizes.ts";

/** What is laid out: a size for each node and fold, and the lines between them. */
export interface Sized {
  sizes: ReadonlyMap<string, Size>;
  lines: readonly Ends[];
}

/** More nodes than these with the same neighbours are a block. A list that is not opened further stays one column. */
const IN_ONE_COLUMN = 14;
/** Room for the lines that enter a column, and for their tips. */
const COLUMN_GAP = 40;
/** How wide a block is, compared with its height. */
const WIDTH_TO_HEIGHT = 1.3;

interface Member {
  id: string;
  box: Box;
}

interface PlannedBlock {
  size: Size;
  /** Measured from the upper left corner of the block. */
  members: readonly Member[];
}

/**
 * Plans what the engine lays out: each block is one node.
 * @param apart a node that is in no block: the one that everything is about
 * @param before where nodes were: those of a block stay in it, whatever is opened from one of them
 */
export function planBlocks({ sizes, lines }: Sized, apart: string, before: ReadonlyMap<string, Box> = new Map()) {
  const alike = Map.groupBy(sizes.keys(), keysOfNeighbours(lines));
  const keyOf = new Map<string, string>();
  for (const [key, ids] of alike) {
    const ofBlocks = ids.map((id) => nameOfBlock(before.get(id)));
    const joined = ofBlocks.find((name) => name !== null) ?? key;
    for (const [place, id] of ids.entries()) keyOf.set(id, ofBlocks[place] ?? joined);
  }
  const groups = [...Map.groupBy(sizes.keys(), (id) => keyOf.get(id)).values()];
  const blocks = new Map<string, PlannedBlock>();
  const blockOf = new Map<string, string>();
  for (const group of groups) {
    const ids = group.filter((id) => id !== apart);
    if (ids.length <= IN_ONE_COLUMN) continue;
    const name = `block ${blocks.size}`;
    blocks.set(name, planBlock(ids, sizes));
    for (const id of ids) blockOf.set(id, name);
  }
  // A block is where the first of its members would be.
  const left = [...sizes].map(([id, size]): [string, Size] => {
    const name = blockOf.get(id);
    return name === undefined ? [id, size] : [name, blocks.get(name)?.size ?? size];
  });
  const joined = lines.map(({ from, to }) => ({ from: blockOf.get(from) ?? from, to: blockOf.get(to) ?? to }));
  const apartLines = joined.filter(({ from, to }) => from !== to);
  const each = new Map(apartLines.map((line) => [`${line.from} > ${line.to}`, line]));
  return { sizes: new Map(left), lines: [...each.values()], blocks };
}

/** Puts the members of each block where the engine put the block. */
export function placeMembers(
  boxes: ReadonlyMap<string, Box>,
  blocks: ReadonlyMap<string, PlannedBlock>,
): ReadonlyMap<string, Box> {
  const placed = new Map<string, Box>();
  for (const [id, box] of boxes) {
    const planned = blocks.get(id);
    if (planned === undefined) placed.set(id, box);
    else for (const member of planned.members) placed.set(member.id, moveBy(member.box, box));
  }
  return placed;
}

function nameOfBlock(box: Box | undefined): string | null {
  return box?.block === undefined ? null : `block at ${box.block.left} ${box.block.top}`;
}

/** Names the neighbours of a node, so that two nodes with the same ones have the same name. */
function keysOfNeighbours(lines: readonly Ends[]): (id: string) => string {
  const ends = lines.flatMap(({ from, to }) => [
    [from, `> ${to}`],
    [to, `< ${from}`],
  ]);
  const near = Map.groupBy(ends, ([id]) => id);
  return (id) => [...new Set(near.get(id)?.map(([, name]) => name))].toSorted().join("\n");
}

/** Down the first column, then down the next one. Nodes that are beside each other begin at the same height. */
function planBlock(ids: readonly string[], sizes: ReadonlyMap<string, Size>): PlannedBlock {
  const all = ids.map((id) => ({ id, size: sizes.get(id) ?? { width: 0, height: 0 } }));
  const width = Math.max(...all.map(({ size }) => size.width));
  const area = all.reduce((sum, { size }) => sum + (width + COLUMN_GAP) * (size.height + LANE), 0);
  const columns = Math.max(Math.round(Math.sqrt(area * WIDTH_TO_HEIGHT) / (width + COLUMN_GAP)), 2);
  const rows = Math.ceil(all.length / columns);
  const heights = Array.from({ length: rows }, (_, row) =>
    Math.max(...all.filter((_member, place) => place % rows === row).map(({ size }) => size.height)),
  );
  const tops = heights.map((_height, row) => heights.slice(0, row).reduce((sum, height) => sum + height + LANE, LANE));
  const used = Math.ceil(all.length / rows);
  const block: Block = { left: 0, top: 0, right: used * width + (used - 1) * COLUMN_GAP };
  const members = all.map(({ id, size }, place): Member => {
    const [column, y] = [Math.floor(place / rows), tops[place % rows] ?? 0];
    return { id, box: { x: column * (width + COLUMN_GAP), y, ...size, block } };
  });
  return { size: { width: block.right, height: (tops.at(-1) ?? 0) + (heights.at(-1) ?? 0) }, members };
}

function moveBy({ x, y, block, ...size }: Box, { x: dx, y: dy }: Box): Box {
  const moved = { ...size, x: x + dx, y: y + dy };
  const { left = 0, right = 0, top = 0 } = block ?? {};
  return block === undefined ? moved : { ...moved, block: { left: left + dx, right: right + dx, top: top + dy } };
}
