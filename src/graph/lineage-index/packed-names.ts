/** The ids and keys of many nodes, in a tenth of the memory that as many texts would take. */
import { compareCodePoints } from "../../catalog/text.ts";
import type { NodeId } from "../../ids.ts";
import type { NodeNumber } from "./rows.ts";

export interface PackedNames {
  /** How many there are. Their numbers are from 1 to that. */
  amount: number;
  /** Undefined if there is no such node. */
  numberOf: (id: NodeId) => NodeNumber | undefined;
  idOf: (node: NodeNumber) => NodeId;
  keyOf: (node: NodeNumber) => string;
  /** Compares the keys of two nodes as `compareCodePoints` does. */
  compareKeys: (a: NodeNumber, b: NodeNumber) => number;
}

/** Nodes whose ids are hashed in some milliseconds. */
const PIECE = 10_000;

export function createNamePacker() {
  let keys = Buffer.alloc(1024);
  /** For each number, where its key and its id begin. Both end where the next key begins. */
  let starts = new Uint32Array(1024);
  let [amount, used] = [0, 0];
  let last: NodeId | "" = "";
  const keyStart = (node: NodeNumber): number => starts[2 * node] ?? used;
  const idOf = (node: NodeNumber): NodeId =>
    keys.toString("utf8", starts[2 * node + 1] ?? used, keyStart(node + 1)) as NodeId;
  return {
    /** Gives a node the next number, from 1. Its id must be greater than that of the last one, and end the key. */
    add(id: NodeId, key: string): void {
      if (!key.endsWith(id) || compareCodePoints(id, last) <= 0)
        throw new RangeError("nodes are not listed in the order of their ids");
      last = id;
      amount += 1;
      // The start of the next key is kept, too.
      if (2 * amount + 2 >= starts.length) starts = grown(starts, new Uint32Array(2 * starts.length));
      const size = Buffer.byteLength(key);
      if (used + size > keys.length) keys = grown(keys, Buffer.alloc(2 * (keys.length + size)));
      keys.write(key, used);
      starts[2 * amount] = used;
      used += size;
      starts[2 * amount + 1] = used - Buffer.byteLength(id);
      starts[2 * amount + 2] = used;
    },
    /** Bytes that the names so far take when they are packed. */
    bytes: () => keys.length + starts.byteLength + slotsFor(amount) * Uint32Array.BYTES_PER_ELEMENT,
    /** Nothing may be added after that. It yields after at most some milliseconds. */
    *finish(): Generator<void, PackedNames> {
      /** Each number is in the slot that the hash of its id names, or in the next free one. 0: nothing is there. */
      const slots = new Uint32Array(slotsFor(amount));
      /** The slot with an id, or the one where it belongs. */
      const slotOf = (id: NodeId): number => {
        for (let slot = hashOf(id) % slots.length; ; slot = (slot + 1) % slots.length) {
          const node = slots[slot] ?? 0;
          if (node === 0 || idOf(node) === id) return slot;
        }
      };
      for (let node = 1; node <= amount; node++) {
        if (node % PIECE === 0) yield;
        slots[slotOf(idOf(node))] = node;
      }
      return {
        amount,
        numberOf: (id) => slots[slotOf(id)] || undefined,
        idOf,
        keyOf: (node) => keys.toString("utf8", keyStart(node), keyStart(node + 1)),
        // The order of code points is the order of the bytes.
        compareKeys: (a, b) => keys.compare(keys, keyStart(b), keyStart(b + 1), keyStart(a), keyStart(a + 1)),
      };
    },
  };
}

/** Half of them stay free, so that a search ends soon. */
function slotsFor(amount: number): number {
  return 2 * amount + 1;
}

/** FNV-1a of 32 bits. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function grown<T extends Uint8Array | Uint32Array>(before: T, larger: T): T {
  larger.set(before);
  return larger;
}
