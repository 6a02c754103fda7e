/** All reads that threads do, by name. */
import type { CauseQuery, Causes } from "../../catalog/causes/cause.ts";
import type { ImpactQuery } from "../../catalog/impact.ts";
import type { Lineage } from "../../catalog/lineage.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { GraphReader, WalkQuery, PastReader } from "../catalog-graph.ts";
import type { CopyPage, CopyPart } from "../graph-copy.ts";
import { findPastCauses } from "../history/past-causes.ts";
import { readPast } from "../history/past-reader.ts";
import { loadSharedLineage, type SharedLineage } from "../lineage-index/shared-lineage.ts";
import { type ChangePage, listChanges } from "../history/list-changes.ts";
import { changeRows } from "./change-rows.ts";
import { loadChecks } from "./checks.ts";
import { copyOut } from "./copy-out.ts";
import { assessImpact } from "./impact.ts";
import { indexedWalk } from "./indexed-walk.ts";
import { loadSources } from "./node-sources.ts";
import { listNodes } from "./list.ts";
import { lineageRows } from "./lineage-rows.ts";
import { listStatements } from "./list-statements.ts";
import { loadNeighbours } from "./neighbours.ts";
import { type PackedImpact, packImpact } from "./packed-impact.ts";
import { type PackedLineage, packLineage } from "./packed-lineage.ts";
import { pastRows } from "./past-rows.ts";
import { countNodes, countValues, listFolders, listValues, loadColumns, loadEdits, loadNodes } from "./read-nodes.ts";
import { searchNodes } from "./search.ts";
import { sortNodes } from "./sort-nodes.ts";
import { longSnapshot, snapshot, type Statements } from "./statements.ts";
import { createThreadLineage } from "./thread-lineage.ts";
import { loadDependencies, loadTrails } from "./trails.ts";
import { walk } from "./walk.ts";

/** The methods of `T` without their promises. */
type Synchronous<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : never;
};

export interface GraphReads extends Synchronous<
  Omit<
    GraphReader,
    "findByFqn" | "check" | "walk" | "assessImpact" | "readPast" | "findCauses" | "listChanges" | "listMoments"
  >
> {
  copyOut: (
    workspace: WorkspaceId,
    part: CopyPart,
    page: { after: string | null; limit: number },
  ) => CopyPage<CopyPart>;
  /** @param shared the lineage in memory, if it was loaded */
  walk: (workspace: WorkspaceId, query: WalkQuery, shared: SharedLineage | null) => ByLineage<PackedLineage>;
  /** Reads all lineage of the file; returns null if it needs more than `maxBytes`. */
  loadLineage: (maxBytes: number) => SharedLineage | null;
  /** @param shared the lineage in memory, if it was loaded */
  assessImpact: (
    workspace: WorkspaceId,
    query: ImpactQuery,
    shared: SharedLineage | null,
  ) => Promise<ByLineage<PackedImpact>>;
  /** Holds a transaction until it is done. */
  readPast: (
    at: string,
    read: keyof PastReader,
    args: Parameters<PastReader[keyof PastReader]>,
    maxRows?: number,
  ) => Promise<unknown>;
  /** Holds a transaction until it is done. */
  findCauses: (workspace: WorkspaceId, query: CauseQuery, maxRows?: number) => Promise<Causes | null>;
  /** Holds a transaction until it is done. */
  listChanges: (args: Parameters<GraphReader["listChanges"]>, maxRows?: number) => Promise<ChangePage>;
}

/** An answer, and whether it would have come sooner with newer lineage in memory. */
export interface ByLineage<T> {
  answer: T | null;
  isOutdated: boolean;
}

/** Nodes of an answer for which it is worth while to load all lineage. */
const MANY_NODES = 2_000;

export function createReads(sql: Statements): GraphReads {
  const lineage = createThreadLineage(sql);
  return {
    loadNodes: (...args) => loadNodes(sql, ...args),
    loadColumns: (...args) => loadColumns(sql, ...args),
    listNodes: (...args) => listNodes(sql, ...args),
    listStatements: (...args) => listStatements(sql, ...args),
    sortNodes: (...args) => sortNodes(sql, ...args),
    searchNodes: (...args) => searchNodes(sql, ...args),
    loadNeighbours: (...args) => loadNeighbours(sql, ...args),
    copyOut: (...args) => copyOut(sql, ...args),
    walk: (workspace, query, shared) =>
      snapshot(sql.db, () => {
        const index = lineage.at(shared);
        const answer =
          index === null ? toPacked(walk(sql, workspace, query)) : indexedWalk(sql, index, workspace, query);
        return { answer, isOutdated: lineage.isOutdated() && (answer?.totalNodes ?? 0) > MANY_NODES };
      }),
    loadLineage: (maxBytes) => snapshot(sql.db, () => loadSharedLineage(lineageRows(sql), maxBytes)),
    loadSources: (...args) => loadSources(sql, ...args),
    loadEdits: (...args) => loadEdits(sql, ...args),
    loadChecks: (...args) => loadChecks(sql, ...args),
    loadTrails: (...args) => loadTrails(sql, ...args),
    loadDependencies: (...args) => loadDependencies(sql, ...args),
    assessImpact: (workspace, query, shared) =>
      longSnapshot(sql.db, async () => {
        const impact = await assessImpact(sql, lineage.at(shared), workspace, query);
        const isOutdated = lineage.isOutdated() && (impact?.summary.total ?? 0) > MANY_NODES;
        return { answer: impact && packImpact(impact), isOutdated };
      }),
    readPast: (at, read, args, maxRows) =>
      longSnapshot(sql.db, () => readPast(pastRows(sql, args[0]), at, read, args, maxRows)),
    findCauses: (workspace, query, maxRows) =>
      longSnapshot(sql.db, () => findPastCauses(pastRows(sql, workspace), query, maxRows)),
    listChanges: ([workspace, ...args], maxRows) =>
      longSnapshot(sql.db, () => listChanges(changeRows(sql, workspace), ...args, maxRows)),
    countNodes: (...args) => countNodes(sql, ...args),
    countValues: (...args) => countValues(sql, ...args),
    listFolders: (...args) => listFolders(sql, ...args),
    listValues: (...args) => listValues(sql, ...args),
  };
}

function toPacked(lineage: Lineage | null): PackedLineage | null {
  return lineage && packLineage(lineage);
}
