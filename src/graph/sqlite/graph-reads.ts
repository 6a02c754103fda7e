/** All reads that threads do, by name. */
import type { ImpactQuery } from "../../catalog/impact.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { GraphReader, WalkQuery, PastReader } from "../catalog-graph.ts";
import type { CopyPage, CopyPart } from "../graph-copy.ts";
import { readPast } from "../history/past-reader.ts";
import { loadChecks } from "./checks.ts";
import { copyOut } from "./copy-out.ts";
import { assessImpact } from "./impact.ts";
import { loadSources } from "./node-sources.ts";
import { listNodes } from "./list.ts";
import { listStatements } from "./list-statements.ts";
import { loadNeighbours } from "./neighbours.ts";
import { type PackedImpact, packImpact } from "./packed-impact.ts";
import { type PackedLineage, packLineage } from "./packed-lineage.ts";
import { pastRows } from "./past-rows.ts";
import { countNodes, countValues, listFolders, listValues, loadColumns, loadEdits, loadNodes } from "./read-nodes.ts";
import { searchNodes } from "./search.ts";
import { sortNodes } from "./sort-nodes.ts";
import { longSnapshot, type Statements } from "./statements.ts";
import { loadDependencies, loadTrails } from "./trails.ts";
import { walk } from "./walk.ts";

/** The methods of `T` without their promises. */
type Synchronous<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : never;
};

export interface GraphReads extends Synchronous<
  Omit<GraphReader, "findByFqn" | "check" | "walk" | "assessImpact" | "readPast">
> {
  copyOut: (
    workspace: WorkspaceId,
    part: CopyPart,
    page: { after: string | null; limit: number },
  ) => CopyPage<CopyPart>;
  walk: (workspace: WorkspaceId, query: WalkQuery) => PackedLineage | null;
  assessImpact: (workspace: WorkspaceId, query: ImpactQuery) => Promise<PackedImpact | null>;
  /** Holds a transaction until it is done. */
  readPast: (
    at: string,
    read: keyof PastReader,
    args: Parameters<PastReader[keyof PastReader]>,
    maxRows?: number,
  ) => Promise<unknown>;
}

export function createReads(sql: Statements): GraphReads {
  return {
    loadNodes: (...args) => loadNodes(sql, ...args),
    loadColumns: (...args) => loadColumns(sql, ...args),
    listNodes: (...args) => listNodes(sql, ...args),
    listStatements: (...args) => listStatements(sql, ...args),
    sortNodes: (...args) => sortNodes(sql, ...args),
    searchNodes: (...args) => searchNodes(sql, ...args),
    loadNeighbours: (...args) => loadNeighbours(sql, ...args),
    copyOut: (...args) => copyOut(sql, ...args),
    walk(...args) {
      const lineage = walk(sql, ...args);
      return lineage && packLineage(lineage);
    },
    loadSources: (...args) => loadSources(sql, ...args),
    loadEdits: (...args) => loadEdits(sql, ...args),
    loadChecks: (...args) => loadChecks(sql, ...args),
    loadTrails: (...args) => loadTrails(sql, ...args),
    loadDependencies: (...args) => loadDependencies(sql, ...args),
    async assessImpact(...args) {
      const impact = await assessImpact(sql, ...args);
      return impact && packImpact(impact);
    },
    readPast: (at, read, args, maxRows) =>
      longSnapshot(sql.db, () => readPast(pastRows(sql, args[0]), at, read, args, maxRows)),
    countNodes: (...args) => countNodes(sql, ...args),
    countValues: (...args) => countValues(sql, ...args),
    listFolders: (...args) => listFolders(sql, ...args),
    listValues: (...args) => listValues(sql, ...args),
  };
}
