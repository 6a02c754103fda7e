/** The embedded engine of the graph store: one SQLite file, read here and in threads, written in another. */
import type { ImpactQuery } from "../../catalog/impact.ts";
import { unavailable } from "../../errors.ts";
import { toAppError } from "../../sqlite/database.ts";
import type { CatalogGraph, NeighbourQuery, WalkQuery } from "../catalog-graph.ts";
import { asksForFacet } from "./filter.ts";
import { createReads, type GraphReads } from "./graph-reads.ts";
import type { GraphWrites } from "./graph-writes.ts";
import { assessWithin } from "./impact.ts";
import { loadNeighboursWithin } from "./neighbours.ts";
import { graphFile, openGraphFile } from "./schema.ts";
import { createStatements } from "./statements.ts";
import { createThread } from "./thread.ts";
import { walkWithin } from "./walk.ts";

/** Edges of a walk that takes about a millisecond: less than it costs to go to another thread and back. */
const SHORT_WALK = 500;

/** Edges and columns behind an impact that takes a few milliseconds. */
const SMALL_IMPACT = 100;

/** Neighbours that are counted and put in order in about two milliseconds. */
const FEW_NEIGHBOURS = 2_000;

/**
 * Opens the graph's file and makes it where there is none; several processes may have it open.
 * @param options.path the file, in a folder that exists
 * @throws AppError `unavailable` for a file that is damaged, not writable, another application's or a newer version's
 */
export async function openSqliteGraph(options: { path: string }): Promise<CatalogGraph> {
  const { path } = options;
  const db = openGraphFile(path);
  db.exec("PRAGMA query_only = ON");
  const sql = createStatements(db);
  const reads = createReads(sql);
  const reader = createThread<GraphReads>(new URL("./reader-thread.ts", import.meta.url), path);
  // Impact can take seconds, which no search should wait for.
  const assessor = createThread<GraphReads>(new URL("./reader-thread.ts", import.meta.url), path);
  const writer = createThread<GraphWrites>(new URL("./writer-thread.ts", import.meta.url), path);
  let closing: Promise<void> | undefined;

  const here =
    <A extends unknown[], R>(read: (...args: A) => R) =>
    async (...args: A): Promise<R> => {
      if (closing !== undefined) throw unavailable("The graph store is closed.");
      try {
        return read(...args);
      } catch (error) {
        throw toAppError(error, graphFile(path));
      }
    };
  const neighboursHere = here((workspace: string, queries: readonly NeighbourQuery[]) =>
    loadNeighboursWithin(sql, workspace, queries, FEW_NEIGHBOURS),
  );
  const listHere = here(reads.listNodes);
  const walkHere = here((workspace: string, query: WalkQuery) => walkWithin(sql, workspace, query, SHORT_WALK));
  const impactHere = here((workspace: string, query: ImpactQuery) => assessWithin(sql, workspace, query, SMALL_IMPACT));

  const graph: CatalogGraph = {
    readerFor: () => graph,
    loadNodes: here(reads.loadNodes),
    findByFqn: here(reads.findByFqn),
    loadColumns: here(reads.loadColumns),
    listNodes: (workspace, filter, page) =>
      asksForFacet(filter) ? reader.call("listNodes", workspace, filter, page) : listHere(workspace, filter, page),
    async loadNeighbours(workspace, queries) {
      return (await neighboursHere(workspace, queries)) ?? reader.call("loadNeighbours", workspace, queries);
    },
    check: here(reads.check),
    searchNodes: (...args) => reader.call("searchNodes", ...args),
    async walk(workspace, query) {
      const short = await walkHere(workspace, query);
      return short === undefined ? reader.call("walk", workspace, query) : short;
    },
    loadTrails: here(reads.loadTrails),
    loadStandings: (...args) => reader.call("loadStandings", ...args),
    async assessImpact(workspace, query) {
      const small = await impactHere(workspace, query);
      return small === undefined ? assessor.call("assessImpact", workspace, query) : small;
    },
    countNodes: (...args) => reader.call("countNodes", ...args),
    listValues: (...args) => reader.call("listValues", ...args),
    writeNodes: (...args) => writer.call("writeNodes", ...args),
    writeEdges: (...args) => writer.call("writeEdges", ...args),
    sweep: (...args) => writer.call("sweep", ...args),
    tally: (...args) => writer.call("tally", ...args),
    curate: (...args) => writer.call("curate", ...args),
    stateByHand: (...args) => writer.call("stateByHand", ...args),
    certify: (...args) => writer.call("certify", ...args),
    checkWrites: () => writer.call("checkWrites"),
    close() {
      closing ??= Promise.all([reader.close(), assessor.close(), writer.close()]).then(() => db.close());
      return closing;
    },
  };
  return graph;
}
