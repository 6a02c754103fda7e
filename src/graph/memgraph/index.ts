/** The graph store on a Memgraph server. */
import type { CatalogGraph } from "../catalog-graph.ts";
import { createBolt, type Run } from "./bolt.ts";
import { writeEdges } from "./edges.ts";
import { assessImpact } from "./impact.ts";
import { loadNeighbours } from "./neighbours.ts";
import { countNodes, findByFqn, listNodes, listValues, loadColumns, loadNodes } from "./read-nodes.ts";
import { readSchema } from "./schema.ts";
import { searchNodes } from "./search.ts";
import { stateByHand } from "./state-by-hand.ts";
import { sweep, tally } from "./sweep.ts";
import { certify, loadStandings, loadTrails } from "./trails.ts";
import { walk } from "./walk.ts";
import { curate, writeNodes } from "./write-nodes.ts";

/**
 * Connects to Memgraph and makes sure of its indexes and constraints.
 * @param options a Bolt URL, which may hold the credentials
 * @throws AppError `unavailable` when the server is away or refuses the credentials
 */
export async function openMemgraphGraph(options: {
  url: string;
  username?: string;
  password?: string;
}): Promise<CatalogGraph> {
  const bolt = createBolt(options);
  try {
    for (const statement of await readSchema()) await bolt.define(statement);
  } catch (error) {
    await bolt.close();
    throw error;
  }
  const graph: CatalogGraph = {
    readerFor: () => graph,
    loadNodes: (workspace, ids) => loadNodes(bolt.read, workspace, ids),
    findByFqn: (workspace, fqn, only) => findByFqn(bolt.read, workspace, fqn, only),
    loadColumns: (workspace, parentIds) => loadColumns(bolt.read, workspace, parentIds),
    listNodes: (workspace, filter, page) => listNodes(bolt.read, workspace, filter, page),
    searchNodes: (workspace, filter, query, page) => searchNodes(bolt.read, workspace, filter, query, page),
    loadNeighbours: (workspace, queries) => loadNeighbours(bolt.read, workspace, queries),
    walk: (workspace, query) => bolt.readTogether((run) => walk(run, workspace, query)),
    loadTrails: (workspace, metricIds) => bolt.readTogether((run) => loadTrails(run, workspace, metricIds)),
    loadStandings: (workspace, metricIds) => loadStandings(bolt.read, workspace, metricIds),
    assessImpact: (workspace, query) => bolt.readTogether((run) => assessImpact(run, workspace, query)),
    countNodes: (workspace, filter) => countNodes(bolt.read, workspace, filter),
    listValues: (workspace, facet, limit) => listValues(bolt.read, workspace, facet, limit),
    check: () => bolt.check(),
    checkWrites: () => bolt.write(tryWrite),
    writeNodes: (stamp, scope, nodes) => bolt.write((run) => writeNodes(run, stamp, scope, nodes)),
    writeEdges: (stamp, scope, edges) => bolt.write((run) => writeEdges(run, stamp, scope, edges)),
    sweep: (stamp, scope) => bolt.write((run) => sweep(run, stamp, scope)),
    tally: (stamp) => tally(bolt.read, stamp),
    curate: (workspace, id, change, at) => bolt.write((run) => curate(run, workspace, id, change, at)),
    stateByHand: (stamp, node, edges, expected) => bolt.write((run) => stateByHand(run, stamp, node, edges, expected)),
    certify: (workspace, id, change) => bolt.write((run) => certify(run, workspace, id, change)),
    close: () => bolt.close(),
  };
  return graph;
}

/** A node that nothing else looks for; it is there once, however often this is run. */
async function tryWrite(run: Run): Promise<void> {
  await run("MERGE (probe:WriteProbe {id: 'health'}) SET probe.tries = coalesce(probe.tries, 0) + 1", {});
}
