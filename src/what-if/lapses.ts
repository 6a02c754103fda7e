/**
 * Finds the certifications that would lapse: those of metrics that depend on something that a new project computes in
 * another way. The rules are those of a crawl.
 */
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import { type ClosureReader, readClosure } from "../catalog/dependencies/closure.ts";
import { compareDependencies } from "../catalog/dependencies/compare.ts";
import { dependenciesOf } from "../catalog/dependencies/dependencies.ts";
import { toNote } from "../catalog/dependencies/differences.ts";
import { listMetrics } from "../metrics/list-metrics.ts";
import { parseDependencies } from "../metrics/kept-dependencies.ts";
import { RESOLVER_VERSION } from "../sql-lineage/statement-key.ts";
import type { Slicer } from "../work/slicer.ts";
import { createNewClosureReader, type NewState } from "./new-closure.ts";

/** A certification that would lapse. */
export interface Lapse {
  /** Those of the metric. */
  id: NodeId;
  name: string;
  fqn: string;
  owner: string;
  ownerName: string;
  /** Whoever certified it, and would do so again; null if that is not known. */
  certifiedBy: string | null;
  /** What would be computed otherwise. */
  reason: string;
}

export interface Lapses {
  total: number;
  /** In the order of the metrics' keys. */
  metrics: Lapse[];
  truncated: boolean;
}

export const NO_LAPSES: Lapses = { total: 0, metrics: [], truncated: false };

const MAX_LISTED = 1_000;
const BATCH = 100;

export async function findLapses(
  graph: Pick<GraphReader, "listNodes" | "loadDependencies" | "loadNeighbours" | "loadNodes">,
  workspace: WorkspaceId,
  state: NewState,
  slicer: Slicer,
): Promise<Lapses> {
  const { feeds, present } = state;
  // The certification of a metric that the project no longer has goes with the metric.
  const certified = (await listMetrics(graph, workspace)).filter(
    ({ certification, id }) => certification === "certified" && (feeds.nodes.has(id) || !present.has(id)),
  );
  const ids = certified.map(({ id }) => id);
  const reader = paced(createNewClosureReader(graph, workspace, state), slicer);
  const roots = await reader.loadNodes(ids);
  const closure = await readClosure(
    reader,
    roots.filter((root) => root !== null),
  );
  /** Whether the metric's definition is over what could not be read. */
  const isUnclear = (id: string): boolean => {
    // Kept dependencies have ids as plain texts.
    const node = present.get(id as NodeId);
    return node !== undefined && feeds.isIncomplete(node);
  };
  const metrics: Lapse[] = [];
  let total = 0;
  for (let start = 0; start < certified.length; start += BATCH) {
    await slicer.next();
    const texts = await graph.loadDependencies(workspace, ids.slice(start, start + BATCH));
    for (const [i, text] of texts.entries()) {
      if (slicer.isDue()) await slicer.next();
      const metric = certified[start + i];
      if (text === null || metric === undefined || (roots[start + i]?.metric ?? null) === null) continue;
      const now = dependenciesOf(metric.id, closure, RESOLVER_VERSION);
      const before = parseDependencies(text);
      if ([metric.id, ...Object.keys(before?.metrics ?? {})].some(isUnclear)) continue;
      const { differences } = await compareDependencies(before, now, reader);
      if (differences.length === 0) continue;
      total += 1;
      const { id, name, fqn, owner, ownerName, certifiedBy } = metric;
      const reason = toNote(differences);
      if (metrics.length < MAX_LISTED) metrics.push({ id, name, fqn, owner, ownerName, certifiedBy, reason });
    }
  }
  return { total, metrics, truncated: total > metrics.length };
}

/** The same reader, which gives others a turn between two batches. */
function paced(reader: ClosureReader, slicer: Slicer): ClosureReader {
  return {
    async loadSources(nodes) {
      await slicer.next();
      return reader.loadSources(nodes);
    },
    async loadNodes(ids) {
      await slicer.next();
      return reader.loadNodes(ids);
    },
  };
}
