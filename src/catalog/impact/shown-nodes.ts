/** Nodes as they are shown, each loaded once. */
import type { Handle, Shown } from "./source.ts";
import type { LoadedGraph } from "./loaded-graph.ts";
import type { Subject } from "./words.ts";

interface ShownNodes {
  get: (node: Handle) => Shown;
  /** Loads nodes, and the tables and models of columns. */
  load: (nodes: Iterable<Handle>) => Promise<void>;
  /** A column without an owner has its table's. */
  ownerOf: (node: Handle) => Pick<Shown, "owner" | "ownerName">;
  subjectOf: (node: Handle) => Subject;
}

export function createShownNodes(graph: LoadedGraph): ShownNodes {
  const known = new Map<Handle, Shown>();
  const get = (node: Handle): Shown => {
    const found = known.get(node);
    if (found === undefined) throw new Error(`the node ${node} was not loaded`);
    return found;
  };
  return {
    get,
    async load(nodes) {
      const missing = [...nodes].filter((node) => !known.has(node));
      await graph.load(missing);
      const parents = missing.flatMap((node) => graph.get(node).parent ?? []);
      await graph.load(parents);
      const asked = [...new Set([...missing, ...parents])].filter((node) => !known.has(node));
      if (asked.length === 0) return;
      const found = await graph.source.show(asked);
      asked.forEach((node, i) => {
        const one = found[i];
        if (one !== undefined) known.set(node, one);
      });
    },
    ownerOf(node) {
      const own = get(node);
      const { parent } = graph.get(node);
      return own.owner === "" && own.ownerName === "" && parent !== null ? get(parent) : own;
    },
    subjectOf(node) {
      const { parent } = graph.get(node);
      return { ...get(node), table: parent === null ? null : get(parent).name };
    },
  };
}
