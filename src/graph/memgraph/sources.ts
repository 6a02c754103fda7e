/**
 * Sources: one `:Source` for each scope of a connector, and a `:RemovedConnector` for each connector that was removed.
 */
import { int } from "neo4j-driver";

import { compareCodePoints } from "../../catalog/text.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { Owner, Scope, SourceRows } from "../rows.ts";
import type { Run } from "./bolt.ts";
import { keyOf, sourceOf } from "./claims.ts";
import { MARK_COMPLETE, MARK_INCOMPLETE } from "./coverage.ts";
import { integer, text } from "./values.ts";

export const OPEN_SOURCE = `
OPTIONAL MATCH (r:RemovedConnector {id: $connectorKey, workspace: $workspace})
WITH count(r) AS removed
OPTIONAL MATCH (f:Run {id: $connectorKey, workspace: $workspace})
WITH removed, coalesce(max(f.run), 0) AS latest
MERGE (s:Source {id: $sourceId, workspace: $workspace})
ON CREATE SET s.connectorKey = $connectorKey, s.connectorId = $connectorId, s.scope = $scope
RETURN removed, latest, coalesce(s.run, 0) AS latestInScope`;

export const NOTE_RUNS = `
UNWIND $rows AS row
MERGE (f:Run {id: row[0], workspace: $workspace})
SET f.connectorId = row[1], f.run = CASE WHEN coalesce(f.run, 0) > row[2] THEN f.run ELSE row[2] END`;

export const NOTE_RUNS_OF_SCOPES = `
UNWIND $rows AS row
MATCH (s:Source {id: row[0], workspace: $workspace})
WHERE coalesce(s.run, 0) < row[1]
SET s.run = row[1]`;

export const MAKE_SOURCES = `
UNWIND $rows AS row
MERGE (s:Source {id: row[0], workspace: $workspace})
ON CREATE SET s.connectorKey = row[1], s.connectorId = row[2], s.scope = row[3]`;

export const FIND_REMOVED = `
MATCH (r:RemovedConnector {id: $connectorKey, workspace: $workspace})
RETURN r.id AS id`;

export const MARK_REMOVED = `
MERGE (r:RemovedConnector {id: $connectorKey, workspace: $workspace})
ON CREATE SET r.connectorId = $connectorId`;

export const SOURCES = `
MATCH (s:Source {connectorKey: $connectorKey})
WHERE s.workspace = $workspace
RETURN s.id AS id`;

export const SCOPES = `
MATCH (s:Source {connectorKey: $connectorKey})
WHERE s.workspace = $workspace
RETURN s.scope AS scope`;

export const DELETE_SOURCE = `
MATCH (s:Source {id: $sourceId})
WHERE s.workspace = $workspace
DELETE s`;

function connectorKeyOf(workspace: WorkspaceId, { connectorId }: Owner): string {
  return keyOf(workspace, connectorId);
}

export function sourceRows(run: Run, workspace: WorkspaceId): SourceRows {
  const keysOf = (owner: Owner) => {
    return { workspace, connectorId: owner.connectorId, connectorKey: connectorKeyOf(workspace, owner) };
  };
  const idOf = ({ connectorId, scope }: Scope): string => sourceOf({ workspace, connectorId }, scope);
  return {
    async openSource(stamp, scope) {
      const sourceId = sourceOf(stamp, scope);
      const [row] = await run(OPEN_SOURCE, { ...keysOf(stamp), sourceId, scope });
      const [removed, latest, latestInScope] = row ?? [];
      const lastRun = integer((stamp.runsByScope === true ? latestInScope : latest) ?? 0);
      return { isRemoved: integer(removed ?? 0) > 0, lastRun };
    },
    async makeSources(scopes) {
      const rows = new Map(
        scopes.map((row) => [idOf(row), [idOf(row), connectorKeyOf(workspace, row), row.connectorId, row.scope]]),
      );
      await run(MAKE_SOURCES, { workspace, rows: [...rows.values()] });
    },
    async noteRuns(runs) {
      const rows = runs.map((row) => [connectorKeyOf(workspace, row), row.connectorId, int(row.run)]);
      await run(NOTE_RUNS, { workspace, rows });
    },
    async noteScopeRuns(runs) {
      await run(NOTE_RUNS_OF_SCOPES, { workspace, rows: runs.map((row) => [idOf(row), int(row.run)]) });
    },
    async noteCompleteness(scopes, isComplete) {
      await run(isComplete ? MARK_COMPLETE : MARK_INCOMPLETE, { workspace, ids: scopes.map(idOf) });
    },
    async isRemoved(owner) {
      return (await run(FIND_REMOVED, keysOf(owner))).length > 0;
    },
    async markRemoved(owner) {
      await run(MARK_REMOVED, keysOf(owner));
    },
  };
}

export async function listScopes(run: Run, stamp: CrawlStamp): Promise<string[]> {
  const { workspace } = stamp;
  const rows = await run(SCOPES, { workspace, connectorKey: connectorKeyOf(workspace, stamp) });
  return rows.map(([scope]) => text(scope)).toSorted(compareCodePoints);
}

/** The sources of all scopes that the connector has written in. */
export async function listSources(run: Run, workspace: WorkspaceId, owner: Owner): Promise<string[]> {
  const rows = await run(SOURCES, { workspace, connectorKey: connectorKeyOf(workspace, owner) });
  return rows.map(([id]) => text(id));
}
