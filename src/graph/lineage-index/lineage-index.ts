/**
 * The lineage of a store in memory: the lists that all threads share, and what one thread has read again of the nodes
 * that have changed since.
 */
import { runAtOnce } from "../../work/slicer.ts";
import { createLinks, type Links } from "./links.ts";
import { joinMarks, kindOf } from "./mark.ts";
import { type IndexedNode, LINK_KINDS, type LineageRows, type LinkKind, type NodeNumber } from "./rows.ts";
import type { SharedLineage } from "./shared-lineage.ts";

export interface LineageIndex {
  links: Record<LinkKind, Links>;
  /** What `facts.ts` packs; 0 if there is no such node. */
  facts: (node: NodeNumber) => number;
  /** The set of sources that state the node. */
  sources: (node: NodeNumber) => number;
  /** JSON of a list: its certification, its owner and the owner's name. */
  standing: (node: NodeNumber) => string;
  /**
   * The place of a node in the order of keys; 0 if it is not known, because the node is newer than the shared lists.
   */
  rank: (node: NodeNumber) => number;
  /** The node at a place. */
  nodeAt: (rank: number) => NodeNumber;
  /** More than any number of a node. */
  places: () => number;
  /** How many nodes have been read again; Infinity if the index is of no use any more. */
  changes: () => number;
  /**
   * Reads again what has changed in the store, whose transaction has begun.
   * @returns false if the store does not know that any more
   */
  catchUp: (rows: LineageRows) => boolean;
  /**
   * Replaces what is known of some nodes, and their links to others. It yields after at most some milliseconds.
   * @param rows those of them that exist
   * @param linksOf as `LineageRows.loadLinks` returns them
   */
  replace: (
    nodes: readonly NodeNumber[],
    rows: readonly IndexedNode[],
    linksOf: (kind: LinkKind) => LinkRows,
  ) => Generator<void, void>;
  /** The same index, which can change without this one. From then on, this one may not change. */
  copy: () => LineageIndex;
}

/** Of [from, to, mark]. */
type LinkRows = ReturnType<LineageRows["loadLinks"]>;

type ChangedNode = Omit<IndexedNode, "node">;

const REMOVED: ChangedNode = { facts: 0, sources: 0, standing: "" };

/** Nodes that are read again together. */
const PART = 500;

export function createLineageIndex(shared: SharedLineage): LineageIndex {
  const { edges, columns, references } = shared.links;
  return createIndex(shared, shared.standings.split("\n"), {
    position: shared.position,
    places: shared.facts.length,
    changed: new Map(),
    links: { edges: createLinks(edges), columns: createLinks(columns), references: createLinks(references) },
  });
}

/** What has changed since the shared lists. */
interface Changes extends Pick<LineageIndex, "links"> {
  position: number;
  places: number;
  changed: Map<NodeNumber, ChangedNode>;
}

function createIndex(shared: SharedLineage, standings: readonly string[], changes: Changes): LineageIndex {
  const { links, changed } = changes;
  let { position, places } = changes;
  let isUsable = true;

  const replace: LineageIndex["replace"] = function* (nodes, rows, linksOf) {
    for (const node of nodes) {
      changed.set(node, REMOVED);
      places = Math.max(places, node + 1);
    }
    for (const row of rows) changed.set(row.node, row);
    for (const kind of LINK_KINDS) {
      const own = Map.groupBy(linksOf(kind), ([from = 0]) => from);
      for (const node of nodes) {
        const joined = joinedLinks(own.get(node) ?? []);
        yield* links[kind].replace(node, joined.ends, joined.marks);
      }
    }
  };

  return {
    links,
    facts: (node) => changed.get(node)?.facts ?? shared.facts[node] ?? 0,
    sources: (node) => changed.get(node)?.sources ?? shared.sources[node] ?? 0,
    standing: (node) => changed.get(node)?.standing ?? standings[shared.standing[node] ?? 0] ?? "",
    // A key may belong to another node now, or a node's number may: then the node has changed.
    rank: (node) => (changed.has(node) ? 0 : (shared.ranks[node] ?? 0)),
    nodeAt: (rank) => shared.order[rank] ?? 0,
    places: () => places,
    changes: () => (isUsable ? changed.size : Infinity),
    catchUp(rows) {
      const now = rows.position();
      if (now === position) return true;
      const nodes = rows.changedSince(position);
      isUsable = nodes !== null;
      if (nodes === null) return false;
      const all = [...nodes];
      for (let start = 0; start < all.length; start += PART) {
        const only = all.slice(start, start + PART);
        runAtOnce(replace(only, rows.loadNodes({ only }), (kind) => rows.loadLinks(kind, { only })));
      }
      position = now;
      return true;
    },
    replace,
    copy() {
      const [edges, columns, references] = [links.edges.copy(), links.columns.copy(), links.references.copy()];
      const copied = { position, places, changed: new Map(changed), links: { edges, columns, references } };
      return createIndex(shared, standings, copied);
    },
  };
}

function joinedLinks(rows: LinkRows): { ends: number[]; marks: number[] } {
  const [ends, marks]: [number[], number[]] = [[], []];
  for (const [, to = 0, mark = 0] of rows) {
    const before = marks.at(-1);
    if (before !== undefined && ends.at(-1) === to && kindOf(before) === kindOf(mark)) {
      marks[marks.length - 1] = joinMarks(before, mark);
    } else {
      ends.push(to);
      marks.push(mark);
    }
  }
  return { ends, marks };
}
