/** Writes a scope's edges and references in batches, and tells those that the graph refuses. */
import type { Reference } from "../catalog/reference.ts";
import type { CrawlStamp, EdgeWrite, GraphWriter } from "../graph/catalog-writes.ts";
import type { ErrorList } from "./error-list.ts";

const BATCH = 500;

/** An edge, and what is told where it is refused. */
export interface ToldEdge {
  write: EdgeWrite;
  told: string;
  object: string;
}

export interface ScopeEdges {
  /** Takes an edge between nodes that are written, or that `writeNodes` writes. */
  add(edge: ToldEdge): void;
  addReference(reference: Reference): void;
  /** Writes what is due, if it fills a batch. */
  writeFull(): Promise<void>;
  writeAll(): Promise<void>;
}

/** @param writeNodes writes the nodes that wait: the graph takes an edge only when it has both ends */
export function createScopeEdges(
  graph: Pick<GraphWriter, "writeEdges" | "writeReferences">,
  { stamp, scope, errors }: { stamp: CrawlStamp; scope: string; errors: ErrorList },
  writeNodes: () => Promise<void>,
): ScopeEdges {
  const edges: ToldEdge[] = [];
  const references: Reference[] = [];

  async function writeBatch(batch: readonly ToldEdge[]): Promise<void> {
    const refused = await graph.writeEdges(
      stamp,
      scope,
      batch.map(({ write }) => write),
    );
    const keys = new Set(refused.map(edgeKey));
    for (const { write, told, object } of batch) {
      if (keys.has(edgeKey(write))) {
        errors.add({
          code: "refused_edge",
          message: `The edge ${told} was left out: this connector does not state both ends, or they cannot be joined so.`,
          object,
          stage: "write",
          severity: "error",
          retryable: false,
        });
      }
    }
  }

  async function writeAll(): Promise<void> {
    if (edges.length + references.length > 0) await writeNodes();
    while (edges.length > 0) await writeBatch(edges.splice(0, BATCH));
    // A reference repeats what the SQL of an asset says, which is told where it is read.
    while (references.length > 0) await graph.writeReferences(stamp, scope, references.splice(0, BATCH));
  }

  return {
    add: (edge) => void edges.push(edge),
    addReference: (reference) => void references.push(reference),
    async writeFull() {
      if (edges.length + references.length >= BATCH) await writeAll();
    },
    writeAll,
  };
}

function edgeKey({ from, to, kind }: EdgeWrite): string {
  return `${from} ${to} ${kind}`;
}
