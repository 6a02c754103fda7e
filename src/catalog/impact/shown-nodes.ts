/** Nodes as they are shown, each loaded once. */
import type { Handle, Judged, Shown } from "./source.ts";
import type { LoadedGraph } from "./loaded-graph.ts";
import { eachOnce, NodeMap } from "./node-map.ts";
import type { Subject } from "./words.ts";

export type ShownNodes = ReturnType<typeof createShownNodes>;

export function createShownNodes(graph: LoadedGraph) {
  const known = new NodeMap<Shown>();
  const get = (node: Handle): Shown => {
    const found = known.get(node);
    if (found === undefined) throw new Error(`the node ${node} was not loaded`);
    return found;
  };
  const judged = new NodeMap<Judged>();
  /** Of a node that was loaded or judged. */
  const judgedOf = (node: Handle): Judged => judged.get(node) ?? get(node);

  /** Those of the nodes, and of the tables and models of columns, that are not in the list yet. */
  async function missingIn(list: NodeMap<object>, nodes: Iterable<Handle>): Promise<readonly Handle[]> {
    const missing = eachOnce(nodes, list);
    await graph.load(missing);
    const parents = missing.flatMap((node) => graph.get(node).parent ?? []);
    await graph.load(parents);
    return eachOnce([...missing, ...parents], list);
  }

  /** Loads nodes, and the tables and models of columns. */
  async function load(nodes: Iterable<Handle>): Promise<void> {
    const asked = await missingIn(known, nodes);
    if (asked.length > 0) keep(known, asked, await graph.source.show(asked));
  }

  return {
    get,
    load,
    /** Loads what a risk and the groups need of nodes. There may be many of them. */
    async judge(nodes: Iterable<Handle>): Promise<void> {
      if (graph.source.judge === undefined) return load(nodes);
      const asked = await missingIn(judged, nodes);
      keep(judged, asked, await graph.source.judge(asked));
    },
    judgedOf,
    /** A column without an owner has its table's. */
    ownerOf(node: Handle): Pick<Judged, "owner" | "ownerName"> {
      const own = judgedOf(node);
      const { parent } = graph.get(node);
      return own.owner === "" && own.ownerName === "" && parent !== null ? judgedOf(parent) : own;
    },
    subjectOf(node: Handle): Subject {
      const { parent } = graph.get(node);
      return { ...get(node), table: parent === null ? null : get(parent).name };
    },
  };
}

function keep<T extends object>(list: NodeMap<T>, nodes: readonly Handle[], found: readonly T[]): void {
  nodes.forEach((node, i) => {
    const one = found[i];
    if (one !== undefined) list.set(node, one);
  });
}
