/** A reader of the graph as it was at a time, for those who know only readers. */
import { stepsUntil } from "../../catalog/certification.ts";
import { badField } from "../../errors.ts";
import { createSemaphore } from "../../work/semaphore.ts";
import type { GraphReader, PastReader } from "../catalog-graph.ts";

/**
 * Reads that have no history are refused with a fault of the field `asOf`, because they would answer about the present.
 * @param asOf ISO 8601, UTC
 */
export function readerAt(graph: GraphReader, asOf: string): GraphReader {
  // Each read takes a thread. A request that asked for many at once would fill its own queue and be refused.
  const oneByOne = createSemaphore(1);
  const past =
    <K extends keyof PastReader>(read: K) =>
    (...args: Parameters<PastReader[K]>) =>
      oneByOne(() => graph.readPast(asOf, read, ...args));
  const loadNodes = past("loadNodes");
  const assessImpact = past("assessImpact");
  return {
    loadNodes,
    loadByFqn: past("loadByFqn"),
    loadColumns: past("loadColumns"),
    listNodes: past("listNodes"),
    sortNodes: past("sortNodes"),
    countNodes: past("countNodes"),
    loadNeighbours: past("loadNeighbours"),
    walk: past("walk"),
    assessImpact: (workspace, query) =>
      query.maxChecks === undefined ? assessImpact(workspace, query) : refuse(CHECKS)(),
    async loadTrails(workspace, metricIds) {
      const trails = await graph.loadTrails(workspace, metricIds);
      const metrics = await loadNodes(workspace, metricIds);
      return trails.map(({ steps }, i) => ({ steps: stepsUntil(asOf, metrics[i] ?? null, steps), fingerprint: null }));
    },
    searchNodes: refuse("a search, which finds what is there now"),
    loadChecks: refuse(CHECKS),
    loadSources: refuse("identities, which tell the connectors of today"),
    loadEdits: refuse("edits, of which only the last ones are kept"),
    listStatements: refuse("what connectors state, which has no history"),
    loadDependencies: refuse("what certifications depend on, which has no history"),
    countValues: refuse("counts of values, which have no history"),
    listValues: refuse("lists of values, which have no history"),
    // A person is called as today.
    loadOwnerNames: (...args) => graph.loadOwnerNames(...args),
    listChanges: (...args) => graph.listChanges(...args),
    listMoments: (...args) => graph.listMoments(...args),
    listFolders: refuse("folders, which have no history"),
    findCauses: refuse("causes, which are of a span of their own"),
    readPast: (...args) => graph.readPast(...args),
    check: () => graph.check(),
  };
}

const refuse = (what: string) => () => Promise.reject(badField("asOf", `cannot be given with ${what}`));

const CHECKS = "checks, which have no history";
