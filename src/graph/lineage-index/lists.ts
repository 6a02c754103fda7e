/** Collects links, and makes the lists in both directions that threads share. */
import type { Lists, SharedLinks } from "./links.ts";
import { joinMarks, kindOf } from "./mark.ts";

export function createLinkCollector() {
  let links = { from: new Uint32Array(16), to: new Uint32Array(16), marks: new Uint16Array(16) };
  let amount = 0;
  return {
    /** Adds rows of [from, to, mark], in the order (from, to, kind). */
    add(rows: readonly (readonly number[])[]): void {
      for (const [from = 0, to = 0, mark = 0] of rows) {
        const last = amount - 1;
        const before = links.marks[last] ?? 0;
        if (links.from[last] === from && links.to[last] === to && kindOf(before) === kindOf(mark)) {
          links.marks[last] = joinMarks(before, mark);
          continue;
        }
        if (amount === links.from.length) links = doubled(links);
        links.from[amount] = from;
        links.to[amount] = to;
        links.marks[amount] = mark;
        amount += 1;
      }
    },
    /** How many links there are so far. */
    count: () => amount,
    /** Bytes that they take until the lists are made. */
    bytes: () => links.from.byteLength + links.to.byteLength + links.marks.byteLength,
    /**
     * It yields after at most some milliseconds.
     * @param lastNode the highest number of a node
     */
    *finish(lastNode: number): Generator<void, SharedLinks> {
      const [from, to] = [links.from.subarray(0, amount), links.to.subarray(0, amount)];
      const out = yield* toLists(from, to, links.marks, lastNode);
      return { out, in: yield* toLists(to, from, links.marks, lastNode) };
    },
  };
}

/** Bytes of the lists of both directions. */
export function bytesOfLinks(links: number, lastNode: number): number {
  return 2 * (links * (Uint32Array.BYTES_PER_ELEMENT + Uint16Array.BYTES_PER_ELEMENT) + lastNode * 4);
}

/** Links that are placed in about a millisecond. */
const PIECE = 100_000;

/** Sorts links by their near end. Those of one node keep their order. */
function* toLists(near: Uint32Array, far: Uint32Array, marks: Uint16Array, lastNode: number): Generator<void, Lists> {
  const lists: Lists = {
    starts: new Uint32Array(new SharedArrayBuffer((lastNode + 2) * Uint32Array.BYTES_PER_ELEMENT)),
    ends: new Uint32Array(new SharedArrayBuffer(near.length * Uint32Array.BYTES_PER_ELEMENT)),
    marks: new Uint16Array(new SharedArrayBuffer(near.length * Uint16Array.BYTES_PER_ELEMENT)),
  };
  const { starts } = lists;
  for (let i = 0; i < near.length; i++) {
    if (i % PIECE === 0) yield;
    const node = near[i] ?? 0;
    starts[node + 1] = (starts[node + 1] ?? 0) + 1;
  }
  for (let node = 1; node < starts.length; node++) starts[node] = (starts[node] ?? 0) + (starts[node - 1] ?? 0);
  const next = starts.slice();
  for (let i = 0; i < near.length; i++) {
    if (i % PIECE === 0) yield;
    const node = near[i] ?? 0;
    const place = next[node] ?? 0;
    next[node] = place + 1;
    lists.ends[place] = far[i] ?? 0;
    lists.marks[place] = marks[i] ?? 0;
  }
  return lists;
}

function doubled(links: { from: Uint32Array; to: Uint32Array; marks: Uint16Array }) {
  const size = links.from.length * 2;
  const [from, to, marks] = [new Uint32Array(size), new Uint32Array(size), new Uint16Array(size)];
  from.set(links.from);
  to.set(links.to);
  marks.set(links.marks);
  return { from, to, marks };
}
