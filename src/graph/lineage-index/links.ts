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

export interface Links {
  /** The links from a node, in the order of their ends. */
  out: (node: NodeNumber) => Span;
  /** The links to a node, in any order. */
  in: (node: NodeNumber) => Span;
  /** Replaces all links from a node. */
  replace: (from: NodeNumber, ends: number[], marks: number[]) => void;
}

const NOTHING = { ends: [], marks: [], start: 0, end: 0 };

export function createLinks(shared: SharedLinks): Links {
  const changed = { out: new Map<NodeNumber, ChangedList>(), in: new Map<NodeNumber, ChangedList>() };

  const spanOf = (direction: "out" | "in", node: NodeNumber): Span => {
    const own = changed[direction].size === 0 ? undefined : changed[direction].get(node);
    if (own !== undefined) return { ends: own.ends, marks: own.marks, start: 0, end: own.ends.length };
    const { starts, ends, marks } = shared[direction];
    const [start, end] = [starts[node], starts[node + 1]];
    return start === undefined || end === undefined ? NOTHING : { ends, marks, start, end };
  };

  const incoming = (node: NodeNumber): ChangedList =>
    changed.in.getOrInsertComputed(node, () => {
      const { ends, marks, start, end } = spanOf("in", node);
      return {
        ends: Array.prototype.slice.call(ends, start, end) as number[],
        marks: Array.prototype.slice.call(marks, start, end) as number[],
      };
    });

  return {
    out: (node) => spanOf("out", node),
    in: (node) => spanOf("in", node),
    replace(from, ends, marks) {
      const before = linksIn(spanOf("out", from));
      const now = linksIn({ ends, marks, start: 0, end: ends.length });
      changed.out.set(from, { ends, marks });
      for (const [link, { end, mark }] of before) {
        if (now.has(link)) continue;
        const list = incoming(end);
        const at = list.ends.findIndex((node, i) => node === from && list.marks[i] === mark);
        list.ends.splice(at, 1);
        list.marks.splice(at, 1);
      }
      for (const [link, { end, mark }] of now) {
        if (before.has(link)) continue;
        const list = incoming(end);
        list.ends.push(from);
        list.marks.push(mark);
      }
    },
  };
}

/** More than any mark. */
const MARKS = 2 ** 16;

/** Each end and mark, by a number that stands for both. */
function linksIn({ ends, marks, start, end }: Span): Map<number, { end: NodeNumber; mark: number }> {
  const links = new Map<number, { end: NodeNumber; mark: number }>();
  for (let i = start; i < end; i++) {
    const link = { end: ends[i] ?? 0, mark: marks[i] ?? 0 };
    links.set(link.end * MARKS + link.mark, link);
  }
  return links;
}
