/**
 * The lineage of one workspace in memory, for a store that knows nodes by their ids only: they get their numbers here.
 * One never changes. If the store has changed, another one is made from it and from what has changed.
 */
import type { NodeId } from "../../ids.ts";
import type { Slicer } from "../../work/slicer.ts";
import { sortInSlices } from "./key-order.ts";
import { createLineageIndex, type LineageIndex } from "./lineage-index.ts";
import { kindOf } from "./mark.ts";
import { createNamePacker, type PackedNames } from "./packed-names.ts";
import { type IndexedNode, LINK_KINDS, type LinkKind, type NodeNumber } from "./rows.ts";
import { createLineageCollector } from "./shared-lineage.ts";

/** A state of a workspace's lineage. */
export interface Position {
  /**
   * Grows with every transaction that changes something that the index keeps: by the number of nodes that it touched.
   */
  number: number;
  /** Drawn by that transaction. If a store loses its last writes, other ones get their numbers, but not their marks. */
  mark: string;
}

export interface StoredNode extends Omit<IndexedNode, "node" | "sources"> {
  id: NodeId;
  parentId: NodeId | null;
  /** As `sortKey` makes it. */
  key: string;
  /** The text of the sources that state it. */
  sources: string;
}

/** Links in any order: three lists. */
export interface StoredLinks {
  from: readonly NodeId[];
  to: readonly NodeId[];
  /** As in `mark.ts`. */
  marks: readonly number[];
}

/** What the index reads of one workspace. */
export interface LineageStore {
  position: () => Promise<Position>;
  /**
   * Nodes that were added, changed or removed between two positions, or from which links were.
   * @returns null if there are more than `MOST_CHANGES`, or if the store does not know them any more or was never at
   * these positions
   */
  changedBetween: (before: Position, now: Position) => Promise<NodeId[] | null>;
  /** The next nodes in the order of their ids. */
  listKeys: (after: string, limit: number) => Promise<Pick<StoredNode, "id" | "key">[]>;
  /** In any order. A node that does not exist has no row. */
  loadNodes: (ids: readonly NodeId[]) => Promise<StoredNode[]>;
  loadLinks: (kind: LinkKind, from: readonly NodeId[]) => Promise<StoredLinks>;
}

export interface NamedLineage {
  position: Position;
  index: LineageIndex;
  names: Names;
  /** Bytes that it keeps, but for what has changed since it was loaded. */
  bytes: number;
}

/** Of `added` and `again`, each lineage has its own. */
interface Names {
  loaded: PackedNames;
  /** The numbers of nodes that are newer. */
  added: Map<NodeId, NodeNumber>;
  /** Nodes that are newer or were read again. */
  again: Map<NodeNumber, { id: NodeId; key: string }>;
  /** Texts of sources, and the number of each. Both only grow. */
  sources: { texts: string[]; numbers: Map<string, number> };
}

/** If more nodes than these are to be read again, to load all of them costs less memory and time. */
export const MOST_CHANGES = 20_000;

/** Nodes that are read together, with their links. */
const PART = 1_000;

/** @returns undefined if there is no such node */
export function numberOf({ index, names }: NamedLineage, id: NodeId): NodeNumber | undefined {
  const node = numberIn(names, id);
  return node === undefined || index.facts(node) === 0 ? undefined : node;
}

export function idOf({ names }: NamedLineage, node: NodeNumber): NodeId {
  return names.again.get(node)?.id ?? names.loaded.idOf(node);
}

export function keyOf({ names }: NamedLineage, node: NodeNumber): string {
  return names.again.get(node)?.key ?? names.loaded.keyOf(node);
}

export function sourcesOf({ index, names }: NamedLineage, node: NodeNumber): string {
  return names.sources.texts[index.sources(node)] ?? "";
}

function numberIn({ loaded, added }: Names, id: NodeId): NodeNumber | undefined {
  return added.get(id) ?? loaded.numberOf(id);
}

/**
 * Reads the whole lineage of a workspace. Its statements may see different states. The position is that of the first
 * one, so `followLineage` reads again whatever changed meanwhile. The result may only be used after that.
 * @param maxBytes the most that it may keep, also while it is read
 * @returns null if it needs more
 */
export async function loadNamedLineage(
  store: LineageStore,
  maxBytes: number,
  slicer: Slicer,
): Promise<NamedLineage | null> {
  const position = await store.position();
  const packer = createNamePacker();
  let last = "";
  for (let isAll = false; !isAll;) {
    const page = await store.listKeys(last, PART);
    for (const { id, key } of page) packer.add(id, key);
    if (packer.bytes() > maxBytes) return null;
    last = page.at(-1)?.id ?? last;
    isAll = page.length < PART;
  }
  const loaded = await slicer.run(packer.finish());
  const names: Names = { loaded, added: new Map(), again: new Map(), sources: { texts: [], numbers: new Map() } };
  const collector = createLineageCollector(loaded.amount, maxBytes - packer.bytes());
  for (let start = 1; start <= loaded.amount; start += PART) {
    if (collector.isTooLarge()) return null;
    const amount = Math.min(PART, loaded.amount - start + 1);
    const ids = Array.from({ length: amount }, (_, i) => loaded.idOf(start + i));
    // A node without a number is newer than the list of keys. What has a link to it has changed, too.
    const { nodes, links } = await readPart(store, ids, names, slicer);
    collector.addNodes(nodes);
    for (const kind of LINK_KINDS) collector.addLinks(kind, links[kind].rows);
  }
  if (collector.isTooLarge()) return null;
  const numbers = Float64Array.from({ length: loaded.amount }, (_, i) => i + 1);
  const order = await slicer.run(sortInSlices(numbers, loaded.compareKeys));
  const shared = await slicer.run(collector.finish(0, order));
  return { position, index: createLineageIndex(shared), names, bytes: packer.bytes() + collector.bytes() };
}

export function isAt(lineage: NamedLineage, { number, mark }: Position): boolean {
  return lineage.position.number === number && lineage.position.mark === mark;
}

/**
 * The lineage at the state of a transaction.
 * @param store sees one state in all reads
 * @returns null if the store does not know what has changed; then it must be asked itself
 */
export async function followLineage(
  lineage: NamedLineage,
  store: LineageStore,
  slicer: Slicer,
): Promise<NamedLineage | null> {
  const position = await store.position();
  if (isAt(lineage, position)) return lineage;
  const changed = await store.changedBetween(lineage.position, position);
  if (changed === null) return null;
  const { added, again, ...rest } = lineage.names;
  const names = { ...rest, added: new Map(added), again: new Map(again) };
  const index = lineage.index.copy();
  let next = index.places();
  for (const id of changed) if (numberIn(names, id) === undefined) names.added.set(id, next++);

  /** What has changed, and then what has links to it. */
  const all = new Set(changed);
  for (let read = 0; read < all.size;) {
    const ids = [...all].slice(read, read + PART);
    read += ids.length;
    const { rows, nodes, links } = await readPart(store, ids, names, slicer);
    // Every node of this state is known by now, unless the store has not told of all changes.
    if (LINK_KINDS.some((kind) => !links[kind].areAllKnown)) return null;
    for (const id of ids) {
      const row = rows.get(id);
      names.again.set(numberIn(names, id) ?? 0, { id, key: row?.key ?? "" });
      for (const near of nodesWithLinksTo(lineage, id, row)) {
        if (numberIn(names, near) !== undefined) all.add(near);
        if (all.size > MOST_CHANGES) return null;
      }
    }
    const numbers = ids.map((id) => numberIn(names, id) ?? 0);
    await slicer.run(index.replace(numbers, nodes, (kind) => links[kind].rows));
  }
  return { position, index, names, bytes: lineage.bytes };
}

/** Reads some nodes with their links. */
async function readPart(store: LineageStore, ids: readonly NodeId[], names: Names, slicer: Slicer) {
  const rows = await store.loadNodes(ids);
  const readLinks = async (kind: LinkKind): Promise<LinkRows> =>
    slicer.run(toRows(await store.loadLinks(kind, ids), (id) => numberIn(names, id)));
  return {
    rows: new Map(rows.map((row) => [row.id, row])),
    nodes: rows.map((row) => toIndexed(row, numberIn(names, row.id) ?? 0, names.sources)),
    links: {
      edges: await readLinks("edges"),
      columns: await readLinks("columns"),
      references: await readLinks("references"),
    },
  };
}

/** The table of a column, which may be new there; if the node was removed, all nodes that had links to it. */
function* nodesWithLinksTo(lineage: NamedLineage, id: NodeId, row: StoredNode | undefined): Generator<NodeId> {
  if (row !== undefined) {
    if (row.parentId !== null) yield row.parentId;
    return;
  }
  const node = numberOf(lineage, id);
  if (node === undefined) return;
  for (const kind of LINK_KINDS) {
    const { ends, start, end } = lineage.index.links[kind].in(node);
    for (let i = start; i < end; i++) yield idOf(lineage, ends[i] ?? 0);
  }
}

function toIndexed(row: StoredNode, node: NodeNumber, { texts, numbers }: Names["sources"]): IndexedNode {
  const { facts, standing } = row;
  return { node, facts, standing, sources: numbers.getOrInsertComputed(row.sources, (text) => texts.push(text) - 1) };
}

interface LinkRows {
  /** Of [from, to, mark]. Those of one node follow each other, in the order (to, kind). */
  rows: number[][];
  areAllKnown: boolean;
}

/** More than any mark, and more than the number of any node. */
const [MARKS, NODES] = [2 ** 8, 2 ** 27];
const KINDS = 8;

/** Links whose ends are looked up in about a millisecond. */
const PIECE = 1_000;

/** Sorts links by their ends and kinds: each is a number for that. It yields after at most some milliseconds. */
function* toRows(
  { from, to, marks }: StoredLinks,
  numberAt: (id: NodeId) => NodeNumber | undefined,
): Generator<void, LinkRows> {
  const near = [...new Set(from)];
  const places = new Map(near.map((id, place) => [id, place]));
  const numbers = near.map(numberAt);
  const links = new Float64Array(marks.length);
  let amount = 0;
  for (const [i, mark] of marks.entries()) {
    if (i % PIECE === 0) yield;
    const [place = 0, end] = [places.get(from[i] as NodeId), numberAt(to[i] as NodeId)];
    if (numbers[place] === undefined || end === undefined) continue;
    links[amount++] = ((place * NODES + end) * KINDS + kindOf(mark)) * MARKS + mark;
  }
  const rows: number[][] = [];
  for (const link of yield* sortInSlices(links.subarray(0, amount), (a, b) => a - b)) {
    if (rows.length % PIECE === 0) yield;
    const ends = Math.floor(link / (KINDS * MARKS));
    rows.push([numbers[Math.floor(ends / NODES)] ?? 0, ends % NODES, link % MARKS]);
  }
  return { rows, areAllKnown: amount === marks.length };
}
