/**
 * Sources: one `:Source` for each scope of a connector, and a `:RemovedConnector` for each connector that was removed.
 */
import { int } from "neo4j-driver";

import { compareCodePoints } from "../../catalog/text.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import { overtakenRun, removedConnector } from "../removed-connector.ts";
import type { Run } from "./bolt.ts";
import { keyOf, sourceOf } from "./claims.ts";
import { integer, text } from "./values.ts";

type Owner = Pick<CrawlStamp, "workspace" | "connectorId">;

export const OPEN_SOURCE = `
OPTIONAL MATCH (r:RemovedConnector {id: $connectorKey, workspace: $workspace})
WITH count(r) AS removed
OPTIONAL MATCH (f:Run {id: $connectorKey, workspace: $workspace})
WITH removed, coalesce(max(f.run), 0) AS latest
MERGE (s:Source {id: $sourceId, workspace: $workspace})
ON CREATE SET s.connectorKey = $connectorKey, s.connectorId = $connectorId, s.scope = $scope
RETURN removed, latest, coalesce(s.run, 0) AS latestInScope`;

export const NOTE_RUN = `
MERGE (f:Run {id: $connectorKey, workspace: $workspace})
SET f.connectorId = $connectorId, f.run = $run`;

export const NOTE_RUN_OF_SCOPE = `
MATCH (s:Source {id: $sourceId})
WHERE s.workspace = $workspace
SET s.run = $run`;

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

export function connectorKeyOf({ workspace, connectorId }: Owner): string {
  return keyOf(workspace, connectorId);
}

/**
 * Makes sure that the scope is known as one of the connector's. It must run in the transaction that writes in the
 * scope.
 * @throws AppError `conflict` for a connector that was removed, and for a run that was overtaken
 */
export async function openSource(run: Run, stamp: CrawlStamp, scope: string): Promise<void> {
  const { workspace, connectorId, runsByScope = false } = stamp;
  const connectorKey = connectorKeyOf(stamp);
  const sourceId = sourceOf(stamp, scope);
  const [row] = await run(OPEN_SOURCE, { workspace, connectorKey, connectorId, sourceId, scope });
  const [removed, latest, latestInScope] = row ?? [];
  if (integer(removed ?? 0) > 0) throw removedConnector();
  const known = integer((runsByScope ? latestInScope : latest) ?? 0);
  if (stamp.run === 0 || stamp.run === known) return;
  if (stamp.run < known) throw overtakenRun();
  if (runsByScope) await run(NOTE_RUN_OF_SCOPE, { workspace, sourceId, run: int(stamp.run) });
  else await run(NOTE_RUN, { workspace, connectorKey, connectorId, run: int(stamp.run) });
}

/** From then on, writes in the connector's name are refused. */
export async function markRemoved(run: Run, owner: Owner): Promise<void> {
  const { workspace, connectorId } = owner;
  await run(MARK_REMOVED, { workspace, connectorId, connectorKey: connectorKeyOf(owner) });
}

/** @throws AppError `conflict` for a connector that was removed */
export async function refuseRemoved(run: Run, stamp: Owner): Promise<void> {
  const found = await run(FIND_REMOVED, { workspace: stamp.workspace, connectorKey: connectorKeyOf(stamp) });
  if (found.length > 0) throw removedConnector();
}

export async function listScopes(run: Run, stamp: Owner): Promise<string[]> {
  const { workspace } = stamp;
  const rows = await run(SCOPES, { workspace, connectorKey: connectorKeyOf(stamp) });
  return rows.map(([scope]) => text(scope)).toSorted(compareCodePoints);
}

/** The sources of all scopes that the connector has written in. */
export async function listSources(run: Run, stamp: Owner): Promise<string[]> {
  const { workspace } = stamp;
  const rows = await run(SOURCES, { workspace, connectorKey: connectorKeyOf(stamp) });
  return rows.map(([id]) => text(id));
}
