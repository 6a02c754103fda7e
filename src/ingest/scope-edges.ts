/** Writes a scope's edges and references in batches, and reports the edges that the graph refuses. */
import type { Reference } from "../catalog/reference.ts";
import type { CrawlStamp, EdgeWrite, GraphWriter } from "../graph/catalog-writes.ts";
import type { ErrorList } from "./error-list.ts";

const BATCH = 1_000;

/** An edge, with its name and object for the error if it is refused. */
export interface NamedEdge {
  write: EdgeWrite;
  name: string;
  object: string;
}

export interface ScopeEdges {
  /** Adds an edge between nodes that are written already, or that `writeNodes` will write. */
  add(edge: NamedEdge): void;
  addReference(reference: Reference): void;
  /** Writes everything that waits, if it fills a batch. */
  writeFull(): Promise<void>;
  writeAll(): Promise<void>;
}

/** @param writeNodes writes the waiting nodes first, because the graph accepts an edge only if it has both ends */
export function createScopeEdges(
  graph: Pick<GraphWriter, "writeEdges" | "writeReferences">,
  { stamp, scope, errors }: { stamp: CrawlStamp; scope: string; errors: ErrorList },
  writeNodes: () => Promise<void>,
): ScopeEdges {
  const edges: NamedEdge[] = [];
  const references: Reference[] = [];

  async function writeBatch(batch: readonly NamedEdge[]): Promise<void> {
    const refused = await graph.writeEdges(
      stamp,
      scope,
      batch.map(({ write }) => write),
    );
    const keys = new Set(refused.map(edgeKey));
    for (const { write, name, object } of batch) {
      if (keys.has(edgeKey(write))) {
        errors.add({
          code: "refused_edge",
          message: `The edge ${name} was left out: no edge can join nodes of these types, or a name of one is not valid.`,
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
    // At the same time: neither needs the other.
    await Promise.all([writeEdges(), writeReferences()]);
  }

  async function writeEdges(): Promise<void> {
    while (edges.length > 0) await writeBatch(edges.splice(0, BATCH));
  }

  /** Refused references are not reported: problems with an asset's SQL are reported where the SQL is read. */
  async function writeReferences(): Promise<void> {
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
