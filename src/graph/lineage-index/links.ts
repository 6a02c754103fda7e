/**
 * Links between nodes in both directions. All threads share lists of one state of the store, which never change. Each
 * thread notes by itself what has changed since.
 */
import type { NodeNumber } from "./rows.ts";

/** The links of a node `n` are at the positions from `starts[n]` until `starts[n + 1]`. */
export interface Lists {
  starts: Uint32Array<SharedArrayBuffer>;
  ends: Uint32Array<SharedArrayBuffer>;
  marks: Uint16Array<SharedArrayBuffer>;
}

/** From each node, and to it. */
export interface SharedLinks {
  out: Lists;
  in: Lists;
}

/** The links of one node: the positions from `start` until `end` of two lists. */
export interface Span {
  ends: ArrayLike<number>;
  marks: ArrayLike<number>;
  start: number;
  end: number;
}

interface ChangedList {
  ends: number[];
  marks: number[];
}

/** The links of nodes that have changed. */
type Changed = Record<"out" | "in", Map<NodeNumber, ChangedList>>;

export type Links = ReturnType<typeof createLinks>;

/** Links that are replaced in some milliseconds. */
const PIECE = 2_000;

const NOTHING = { ends: [], marks: [], start: 0, end: 0 };

export function createLinks(shared: SharedLinks, changed: Changed = { out: new Map(), in: new Map() }) {
  /** Nodes whose list of links to them was made here, so it may be changed: a copy shares all earlier lists. */
  const own = new Set<NodeNumber>();

  const spanOf = (direction: "out" | "in", node: NodeNumber): Span => {
    const list = changed[direction].size === 0 ? undefined : changed[direction].get(node);
    if (list !== undefined) return { ends: list.ends, marks: list.marks, start: 0, end: list.ends.length };
    const { starts, ends, marks } = shared[direction];
    const [start, end] = [starts[node], starts[node + 1]];
    return start === undefined || end === undefined ? NOTHING : { ends, marks, start, end };
  };

  const incoming = (node: NodeNumber): ChangedList => {
    const known = own.has(node) ? changed.in.get(node) : undefined;
    if (known !== undefined) return known;
    const { ends, marks, start, end } = spanOf("in", node);
    const list = {
      ends: Array.prototype.slice.call(ends, start, end) as number[],
      marks: Array.prototype.slice.call(marks, start, end) as number[],
    };
    changed.in.set(node, list);
    own.add(node);
    return list;
  };

  return {
    /** The links from a node, in the order of their ends. */
    out: (node: NodeNumber) => spanOf("out", node),
    /** The links to a node, in any order. */
    in: (node: NodeNumber) => spanOf("in", node),
    /** Replaces all links from a node. It yields after at most some milliseconds. */
    *replace(from: NodeNumber, ends: number[], marks: number[]): Generator<void, void> {
      const before = linksIn(spanOf("out", from));
      const now = linksIn({ ends, marks, start: 0, end: ends.length });
      changed.out.set(from, { ends, marks });
      let amount = 0;
      for (const link of before.symmetricDifference(now)) {
        if (amount++ % PIECE === 0) yield;
        const [list, mark] = [incoming(Math.floor(link / MARKS)), link % MARKS];
        if (before.has(link)) {
          const at = list.ends.findIndex((node, i) => node === from && list.marks[i] === mark);
          list.ends.splice(at, 1);
          list.marks.splice(at, 1);
        } else {
          list.ends.push(from);
          list.marks.push(mark);
        }
      }
    },
    /** The same links, which can be replaced without changing these. From then on, nothing may be replaced in these. */
    copy: () => createLinks(shared, { out: new Map(changed.out), in: new Map(changed.in) }),
  };
}

/** More than any mark. */
const MARKS = 2 ** 16;

/** Each end and mark, as one number. */
function linksIn({ ends, marks, start, end }: Span): Set<number> {
  const links = new Set<number>();
  for (let i = start; i < end; i++) links.add((ends[i] ?? 0) * MARKS + (marks[i] ?? 0));
  return links;
}
