/** A map from nodes in the order in which they were added. Engines choose small numbers for nodes, so lists are faster than hashes. */
import type { Handle } from "./source.ts";

/** Nodes of one list. Few, because the nodes of a change may have any numbers. */
const PAGE_BITS = 6;
const PAGE = 1 << PAGE_BITS;

export class NodeMap<T extends object | true> {
  readonly #nodes: Handle[] = [];
  readonly #pages: (T | undefined)[][] = [];

  get size(): number {
    return this.#nodes.length;
  }

  get(node: Handle): T | undefined {
    return this.#pages[node >>> PAGE_BITS]?.[node & (PAGE - 1)];
  }

  has(node: Handle): boolean {
    return this.get(node) !== undefined;
  }

  set(node: Handle, value: T): void {
    const page = (this.#pages[node >>> PAGE_BITS] ??= []);
    if (page[node & (PAGE - 1)] === undefined) this.#nodes.push(node);
    page[node & (PAGE - 1)] = value;
  }

  keys(): readonly Handle[] {
    return this.#nodes;
  }

  values(): T[] {
    const values: T[] = [];
    for (const node of this.#nodes) {
      const value = this.get(node);
      if (value !== undefined) values.push(value);
    }
    return values;
  }
}

/** The nodes that a map does not have, each once. */
export function eachOnce(nodes: Iterable<Handle>, except: NodeMap<object>): readonly Handle[] {
  const found = new NodeMap<true>();
  for (const node of nodes) if (!except.has(node)) found.set(node, true);
  return found.keys();
}
