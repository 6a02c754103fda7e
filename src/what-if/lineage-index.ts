/** An index of a new project's lineage. */
import { fold } from "../catalog/text.ts";
import type { CrawlError } from "../catalog/crawl.ts";
import type { NodeId } from "../ids.ts";

export type LineageIndex = ReturnType<typeof createLineageIndex>;

export function createLineageIndex(errors: readonly CrawlError[]) {
  const owners = new Map<NodeId, NodeId | null>();
  const known = new Set<NodeId>();
  const edges = new Set<string>();
  const used = new Set<string>();
  const incomplete = new Set(
    errors
      .filter(
        ({ code, stage, severity }) => code === "missing_reference" || (stage === "parse" && severity === "error"),
      )
      .flatMap(({ object }) => [object, lastPart(object)]),
  );
  return {
    /** @param owner the table or model of a column; null for other nodes */
    addNode: (id: NodeId, owner: NodeId | null) => void owners.set(id, owner),
    /** Records that the lineage of a node is complete: it has exactly the edges that `addEdge` adds. */
    addKnown: (id: NodeId) => void known.add(id),
    addEdge(from: NodeId, to: NodeId): void {
      edges.add(`${from} ${to}`);
      used.add(`${from} ${owners.get(to) ?? to}`);
    },
    has: (id: NodeId) => owners.has(id),
    isKnown: (id: NodeId) => known.has(id),
    hasEdge: (from: NodeId, to: NodeId) => edges.has(`${from} ${to}`),
    /** Whether a column goes into this node, or into a column of it. */
    uses: (column: NodeId, id: NodeId) => used.has(`${column} ${id}`),
    /** Whether the node could not be read, or depends on something that is missing. Then its edges may be incomplete. */
    isIncomplete: ({ sourceId, fqn }: { sourceId: string; fqn: string }) =>
      incomplete.has(sourceId) || incomplete.has(lastPart(fqn)),
  };
}

/** The last part of dbt's unique id or of a fully qualified name, in lower case. */
export function lastPart(object: string): string {
  return fold(object.slice(object.lastIndexOf(".") + 1));
}
