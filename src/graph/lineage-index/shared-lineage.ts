/** One state of the lineage of a store, as lists of numbers that all threads share. It never changes. */
import type { SharedLinks } from "./links.ts";
import { bytesOfLinks, createLinkCollector } from "./lists.ts";
import { shareTexts, type SharedTexts } from "./texts.ts";
import { LINK_KINDS, type LineageRows, type LinkKind, type NodeNumber } from "./rows.ts";

export interface SharedLineage {
  /** The position of the store, as `LineageRows` gives it. */
  position: number;
  /** For each node what `facts.ts` packs; 0 if there is no such node. */
  facts: Uint8Array<SharedArrayBuffer>;
  /** For each node the set of sources that state it. */
  sources: Uint32Array<SharedArrayBuffer>;
  /** For each node the number of a text of `standings`. */
  standing: Uint32Array<SharedArrayBuffer>;
  standings: SharedTexts;
  /** For each node its place in the order of keys, from 1; 0 if there is no such node. */
  ranks: Uint32Array<SharedArrayBuffer>;
  /** The node at each place. */
  order: Uint32Array<SharedArrayBuffer>;
  links: Record<LinkKind, SharedLinks>;
}

/** Numbers of nodes that are read together. It takes some ten milliseconds. */
const PART = 4_000;
const NODE_BYTES = 17;

/**
 * Reads the whole lineage of a store. This takes about a second for a million edges.
 * @param maxBytes the most that it may keep
 * @returns null if it needs more
 */
export function loadSharedLineage(rows: LineageRows, maxBytes: number): SharedLineage | null {
  const position = rows.position();
  const lastNode = rows.lastNode();
  const collected = { edges: createLinkCollector(), columns: createLinkCollector(), references: createLinkCollector() };
  const isTooLarge = (): boolean =>
    LINK_KINDS.reduce((sum, kind) => sum + bytesOfLinks(collected[kind].count(), lastNode), lastNode * NODE_BYTES) >
    maxBytes;
  if (isTooLarge()) return null;
  const places = lastNode + 1;
  const facts = new Uint8Array(new SharedArrayBuffer(places));
  const [sources, standing] = [sharedNumbers(places), sharedNumbers(places)];
  const [ranks, order] = [sharedNumbers(places), sharedNumbers(places)];
  const numbers = new Map<string, number>();
  for (let first = 1; first <= lastNode; first += PART) {
    const range = { first, last: first + PART - 1 };
    for (const row of rows.loadNodes(range)) {
      facts[row.node] = row.facts;
      sources[row.node] = row.sources;
      standing[row.node] = numbers.getOrInsert(row.standing, numbers.size);
    }
    for (const kind of LINK_KINDS) collected[kind].add(rows.loadLinks(kind, range));
    if (isTooLarge()) return null;
  }
  let rank = 0;
  for (const node of rows.inKeyOrder()) {
    rank += 1;
    ranks[node] = rank;
    order[rank] = node;
  }
  const finish = (kind: LinkKind): SharedLinks => collected[kind].finish(lastNode);
  const links = { edges: finish("edges"), columns: finish("columns"), references: finish("references") };
  return { position, facts, sources, standing, standings: shareTexts([...numbers.keys()]), ranks, order, links };
}

function sharedNumbers(amount: NodeNumber): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(amount * Uint32Array.BYTES_PER_ELEMENT));
}
