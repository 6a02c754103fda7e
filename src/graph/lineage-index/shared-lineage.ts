/** One state of the lineage of a store, as lists of numbers that all threads share. It never changes. */
import { runAtOnce } from "../../work/slicer.ts";
import type { SharedLinks } from "./links.ts";
import { bytesOfLinks, createLinkCollector } from "./lists.ts";
import { type IndexedNode, LINK_KINDS, type LineageRows, type LinkKind, type NodeNumber } from "./rows.ts";

export interface SharedLineage {
  /** The position of the store, as `LineageRows` gives it. */
  position: number;
  /** For each node what `facts.ts` packs; 0 if there is no such node. */
  facts: Uint8Array<SharedArrayBuffer>;
  /** For each node the set of sources that state it. */
  sources: Uint32Array<SharedArrayBuffer>;
  /** For each node the number of its line of `standings`. */
  standing: Uint32Array<SharedArrayBuffer>;
  /** One text, because a thread gets a copy of it with each task. JSON has no line breaks. */
  standings: string;
  /** For each node its place in the order of keys, from 1; 0 if there is no such node. */
  ranks: Uint32Array<SharedArrayBuffer>;
  /** The node at each place. */
  order: Uint32Array<SharedArrayBuffer>;
  links: Record<LinkKind, SharedLinks>;
}

const NODE_BYTES = 17;

/**
 * @param lastNode the highest number of a node
 * @param maxBytes the most that may be kept, also until the lists are made
 */
export function createLineageCollector(lastNode: NodeNumber, maxBytes: number) {
  const collected = { edges: createLinkCollector(), columns: createLinkCollector(), references: createLinkCollector() };
  /** Bytes that the lists keep. */
  const bytes = (): number =>
    LINK_KINDS.reduce((sum, kind) => sum + bytesOfLinks(collected[kind].count(), lastNode), lastNode * NODE_BYTES);
  /** Whether the lists, and the links that they are made from, take too much memory. */
  const isTooLarge = (): boolean => LINK_KINDS.reduce((sum, kind) => sum + collected[kind].bytes(), bytes()) > maxBytes;
  const places = isTooLarge() ? 0 : lastNode + 1;
  const facts = new Uint8Array(new SharedArrayBuffer(places));
  const [sources, standing] = [sharedNumbers(places), sharedNumbers(places)];
  const [ranks, order] = [sharedNumbers(places), sharedNumbers(places)];
  const numbers = new Map<string, number>();
  return {
    addNodes(rows: readonly IndexedNode[]): void {
      for (const row of rows) {
        facts[row.node] = row.facts;
        sources[row.node] = row.sources;
        standing[row.node] = numbers.getOrInsert(row.standing, numbers.size);
      }
    },
    /** Adds links as `LineageRows` gives them, in the order (from, to, kind). */
    addLinks: (kind: LinkKind, rows: readonly (readonly number[])[]) => collected[kind].add(rows),
    bytes,
    isTooLarge,
    /** Makes the lists. It yields after at most some milliseconds. */
    *finish(position: number, inKeyOrder: Iterable<NodeNumber>): Generator<void, SharedLineage> {
      let rank = 0;
      for (const node of inKeyOrder) {
        rank += 1;
        ranks[node] = rank;
        order[rank] = node;
      }
      const edges = yield* collected.edges.finish(lastNode);
      const columns = yield* collected.columns.finish(lastNode);
      const references = yield* collected.references.finish(lastNode);
      const links = { edges, columns, references };
      return { position, facts, sources, standing, standings: [...numbers.keys()].join("\n"), ranks, order, links };
    },
  };
}

/** Numbers of nodes that are read together. It takes some ten milliseconds. */
const PART = 4_000;

/**
 * Reads the whole lineage of a store. This takes about a second for a million edges.
 * @param maxBytes the most that it may keep, also while it is read
 * @returns null if it needs more
 */
export function loadSharedLineage(rows: LineageRows, maxBytes: number): SharedLineage | null {
  const position = rows.position();
  const lastNode = rows.lastNode();
  const collector = createLineageCollector(lastNode, maxBytes);
  if (collector.isTooLarge()) return null;
  for (let first = 1; first <= lastNode; first += PART) {
    const range = { first, last: first + PART - 1 };
    collector.addNodes(rows.loadNodes(range));
    for (const kind of LINK_KINDS) collector.addLinks(kind, rows.loadLinks(kind, range));
    if (collector.isTooLarge()) return null;
  }
  return runAtOnce(collector.finish(position, rows.inKeyOrder()));
}

function sharedNumbers(amount: NodeNumber): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(amount * Uint32Array.BYTES_PER_ELEMENT));
}
