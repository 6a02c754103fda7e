/** All reads that threads do, by name. */
import type { CauseQuery } from "../../catalog/causes/cause.ts";
import type { ImpactQuery } from "../../catalog/impact.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { GraphReader, PastReader, WalkQuery } from "../catalog-graph.ts";
import { findPastCauses } from "../history/past-causes.ts";
import { readPast } from "../history/past-reader.ts";
import { loadSharedLineage, type SharedLineage } from "../lineage-index/shared-lineage.ts";
import { listChanges } from "../history/list-changes.ts";
import { changeRows } from "./change-rows.ts";
import { loadChecks } from "./checks.ts";
import { copyOut, countRows } from "./copy-out.ts";
import { assessImpact } from "./impact.ts";
import { loadSources } from "./claims.ts";
import { lineageRows } from "./lineage-rows.ts";
import { listNodes, listStatements } from "./list.ts";
import { loadNeighbours } from "./neighbours.ts";
import { type PackedImpact, packImpact } from "./packed-impact.ts";
import type { PackedLineage } from "../packed-lineage.ts";
import { pastRows } from "./past-rows.ts";
import {
  countNodes,
  countValues,
  listFolders,
  listValues,
  loadColumns,
  loadEdits,
  loadNodes,
  loadOwnerNames,
} from "./read-nodes.ts";
import { searchNodes } from "./search.ts";
import { sortNodes } from "./sort-nodes.ts";
import { longSnapshot, snapshot, type Statements } from "./statements.ts";
import { loadDependencies, loadTrails } from "./trails.ts";
import { indexedWalk, walk } from "./walk.ts";
import { createLineageIndex, type LineageIndex } from "../lineage-index/lineage-index.ts";
import { MOST_CHANGES } from "../lineage-index/named-lineage.ts";

/** An answer, and whether it would have come sooner with newer lineage in memory. */
export interface ByLineage<T> {
  answer: T | null;
  isOutdated: boolean;
}

/** Nodes of an answer for which it is worth while to load all lineage. */
const MANY_NODES = 2_000;

/** Reads that only need the statements of a thread. */
const PLAIN = {
  loadNodes,
  loadColumns,
  listNodes,
  listStatements,
  sortNodes,
  searchNodes,
  loadNeighbours,
  loadSources,
  loadEdits,
  loadChecks,
  loadTrails,
  loadDependencies,
  loadOwnerNames,
  countNodes,
  countValues,
  listFolders,
  listValues,
  copyOut,
  countRows,
};

type Plain<T> = {
  [Name in keyof T]: T[Name] extends (sql: Statements, ...args: infer Args) => infer Answer
    ? (...args: Args) => Answer
    : never;
};

function bind<T extends Record<string, (sql: Statements, ...args: never) => unknown>>(sql: Statements, reads: T) {
  const bound = Object.entries(reads).map(([name, read]) => [name, (...args: never) => read(sql, ...args)]);
  return Object.fromEntries(bound) as Plain<T>;
}

export type GraphReads = ReturnType<typeof createReads>;

export function createReads(sql: Statements) {
  const lineage = createThreadLineage(sql);
  return {
    ...bind(sql, PLAIN),
    /** @param shared the lineage in memory, if it was loaded */
    walk: (workspace: WorkspaceId, query: WalkQuery, shared: SharedLineage | null): ByLineage<PackedLineage> =>
      snapshot(sql.db, () => {
        const index = lineage.at(shared);
        const answer =
          index === null ? (walk(sql, workspace, query) ?? null) : indexedWalk(sql, index, workspace, query);
        return { answer, isOutdated: lineage.isOutdated() && (answer?.totalNodes ?? 0) > MANY_NODES };
      }),
    /** Reads all lineage of the file; returns null if it needs more than `maxBytes`. */
    loadLineage: (maxBytes: number) => snapshot(sql.db, () => loadSharedLineage(lineageRows(sql), maxBytes)),
    // The reads below hold a transaction until they are done.
    /** @param shared the lineage in memory, if it was loaded */
    assessImpact: (
      workspace: WorkspaceId,
      query: ImpactQuery,
      shared: SharedLineage | null,
    ): Promise<ByLineage<PackedImpact>> =>
      longSnapshot(sql.db, async () => {
        const impact = await assessImpact(sql, lineage.at(shared), workspace, query);
        const isOutdated = lineage.isOutdated() && (impact?.summary.total ?? 0) > MANY_NODES;
        return { answer: impact && packImpact(impact), isOutdated };
      }),
    readPast: (
      at: string,
      read: keyof PastReader,
      args: Parameters<PastReader[keyof PastReader]>,
      maxRows?: number,
    ): Promise<unknown> => longSnapshot(sql.db, () => readPast(pastRows(sql, args[0]), at, read, args, maxRows)),
    findCauses: (workspace: WorkspaceId, query: CauseQuery, maxRows?: number) =>
      longSnapshot(sql.db, () => findPastCauses(pastRows(sql, workspace), query, maxRows)),
    listChanges: ([workspace, ...args]: Parameters<GraphReader["listChanges"]>, maxRows?: number) =>
      longSnapshot(sql.db, () => listChanges(changeRows(sql, workspace), ...args, maxRows)),
  };
}

function createThreadLineage(sql: Statements) {
  const rows = lineageRows(sql);
  let own: { position: number; index: LineageIndex } | null = null;
  return {
    /**
     * The index at the state of the transaction, which has begun.
     * @param shared the lists that the threads share, if there are any
     * @returns null if it cannot be brought to that state; then the file itself must be read
     */
    at(shared: SharedLineage | null): LineageIndex | null {
      if (shared === null) own = null;
      else if (own?.position !== shared.position) {
        own = { position: shared.position, index: createLineageIndex(shared) };
      }
      return own?.index.catchUp(rows) === true ? own.index : null;
    },
    /** Whether newer lists are needed. */
    isOutdated: () => own === null || own.index.changes() > MOST_CHANGES,
  };
}
