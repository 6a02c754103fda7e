/** Writes the rows of a copy: see `graph-copy.ts`. */
import { int } from "neo4j-driver";

import type { ConnectorLayer } from "../../catalog/layers.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { CopiedClaim, CopiedNode, CopyPart, CopyRows, Stated } from "../graph-copy.ts";
import type { Run } from "./bolt.ts";
import { recordChecks } from "./checks.ts";
import { claimOf, loadLayers, sourceOf } from "./claims.ts";
import { recordEdges } from "./edges.ts";
import { recordReferences } from "./references.ts";
import { connectorKeyOf, markRemoved } from "./sources.ts";
import {
  forgetRemoved,
  loadLineageOwners,
  loadPresent,
  rememberRemoved,
  saveAssets,
  show,
  type Past,
} from "./stored-asset.ts";
import { keepDependencies, stepRow } from "./trails.ts";

export const COPY_RUNS = `
UNWIND $rows AS row
MERGE (f:Run {id: row[0], workspace: $workspace})
SET f.connectorId = row[1], f.run = CASE WHEN coalesce(f.run, 0) > row[2] THEN f.run ELSE row[2] END`;

export const COPY_SOURCES = `
UNWIND $rows AS row
MERGE (s:Source {id: row[0], workspace: $workspace})
ON CREATE SET s.connectorKey = row[1], s.connectorId = row[2], s.scope = row[3]`;

export const COPY_RUNS_OF_SCOPES = `
UNWIND $rows AS row
MATCH (s:Source {id: row[0], workspace: $workspace})
WHERE coalesce(s.run, 0) < row[1]
SET s.run = row[1]`;

export const COPY_INCOMPLETE = `
UNWIND $ids AS id
MERGE (s:IncompleteSource {id, workspace: $workspace})`;

export const COPY_COMPLETE = `
UNWIND $ids AS id
MATCH (s:IncompleteSource {id, workspace: $workspace})
DELETE s`;

export const COPY_CLAIMS = `
UNWIND $rows AS row
MERGE (c:Claim {id: row.id, workspace: $workspace})
SET c = row`;

export const COPY_STEPS = `
UNWIND $rows AS row
MERGE (t:TrailStep {id: row.id, workspace: $workspace})
SET t = row`;

export const DROP_LATER_STEPS = `
UNWIND $rows AS row
MATCH (t:TrailStep {metricId: row[0]})
WHERE t.workspace = $workspace AND t.place > row[1]
DELETE t`;

/** Writes rows of a part, and returns how many were refused. */
type Put<R> = (run: Run, workspace: WorkspaceId, rows: readonly R[]) => Promise<number>;

const PARTS: { [P in CopyPart]: Put<CopyRows[P]> } = {
  async runs(run, workspace, runs) {
    const rows = runs.map((row) => [connectorKeyOf({ workspace, ...row }), row.connectorId, int(row.run)]);
    await run(COPY_RUNS, { workspace, rows });
    return 0;
  },
  async scopes(run, workspace, scopes) {
    await openSources(run, workspace, scopes);
    const idOf = (row: CopyRows["scopes"]): string => sourceOf({ workspace, ...row }, row.scope);
    const numbered = scopes.filter((row) => row.run > 0).map((row) => [idOf(row), int(row.run)]);
    await run(COPY_RUNS_OF_SCOPES, { workspace, rows: numbered });
    const [incomplete, complete] = [true, false].map((is) => scopes.filter((row) => row.incomplete === is).map(idOf));
    await run(COPY_INCOMPLETE, { workspace, ids: incomplete });
    await run(COPY_COMPLETE, { workspace, ids: complete });
    return 0;
  },
  async removedNodes(run, workspace, rows) {
    const visible = await loadLineageOwners(
      run,
      workspace,
      rows.map(({ id }) => id),
    );
    await rememberRemoved(
      run,
      rows.filter(({ id }) => !visible.has(id)).map((row) => pastOf(workspace, row)),
    );
    return 0;
  },
  assets: putNodes,
  columns: putNodes,
  async edges(run, workspace, rows) {
    await openSources(run, workspace, rows);
    return countRefused(await recordEdges(run, workspace, rows));
  },
  async references(run, workspace, rows) {
    await openSources(run, workspace, rows);
    return countRefused(await recordReferences(run, workspace, rows));
  },
  async checks(run, workspace, rows) {
    await openSources(run, workspace, rows);
    await recordChecks(run, workspace, rows);
    return 0;
  },
  async certifications(run, workspace, trails) {
    const lengths = trails.map(({ metric, steps }) => [metric, int(steps.length)]);
    await run(DROP_LATER_STEPS, { workspace, rows: lengths });
    const rows = trails.flatMap(({ metric, steps }) =>
      steps.map((step, i) => stepRow(workspace, metric, { index: i + 1, step })),
    );
    await run(COPY_STEPS, { workspace, rows });
    for (const { metric, dependencies } of trails) await keepDependencies(run, workspace, metric, dependencies);
    return 0;
  },
  async removedConnectors(run, workspace, rows) {
    for (const { connectorId } of rows) await markRemoved(run, { workspace, connectorId });
    return 0;
  },
};

/** Runs in one transaction. */
export async function copyIn<P extends CopyPart>(
  run: Run,
  workspace: WorkspaceId,
  part: P,
  rows: readonly CopyRows[P][],
): Promise<number> {
  return PARTS[part](run, workspace, rows);
}

function countRefused(isRecorded: readonly boolean[]): number {
  return isRecorded.filter((is) => !is).length;
}

/** Makes the sources of these statements. */
async function openSources(
  run: Run,
  workspace: WorkspaceId,
  statements: readonly Pick<Stated, "connectorId" | "scope">[],
): Promise<void> {
  const rows = new Map(
    statements.map(({ connectorId, scope }) => {
      const owner = { workspace, connectorId };
      const id = sourceOf(owner, scope);
      return [id, [id, connectorKeyOf(owner), connectorId, scope]];
    }),
  );
  await run(COPY_SOURCES, { workspace, rows: [...rows.values()] });
}

const pastOf = (workspace: WorkspaceId, { id, platform, parentId, createdAt, curation }: CopiedNode) => ({
  identity: { id, workspace, platform, parentId },
  createdAt,
  curation,
});

async function putNodes(run: Run, workspace: WorkspaceId, rows: readonly CopiedNode[]): Promise<number> {
  await openSources(
    run,
    workspace,
    rows.flatMap(({ claims }) => claims),
  );
  const claims = rows.flatMap(({ id, claims: own }) => own.map((claim) => claimRow(workspace, id, claim)));
  await run(COPY_CLAIMS, { workspace, rows: claims });
  const ids = rows.map(({ id }) => id);
  const present = await loadPresent(run, workspace, ids);
  const layers = await layersOf(run, workspace, rows, present);
  const parents = await loadLineageOwners(
    run,
    workspace,
    rows.flatMap(({ parentId }) => parentId ?? []),
  );
  const changed = rows.flatMap((row) => {
    const known = present.get(row.id);
    const { identity, ...past } = pastOf(workspace, row);
    const before = known === undefined ? past : { ...known, curation: row.curation };
    const parentLineageOwner = parents.get(row.parentId ?? "") ?? "";
    const shown = show(identity, layers.get(row.id) ?? [], before, {
      parentLineageOwner,
      at: row.updatedAt,
    });
    return shown.stale || !isSame(known, row) ? [shown] : [];
  });
  await forgetRemoved(run, workspace, ids);
  await saveAssets(run, workspace, changed);
  return 0;
}

/** A node that was not there has the claims of its row alone. */
async function layersOf(
  run: Run,
  workspace: WorkspaceId,
  rows: readonly CopiedNode[],
  present: ReadonlyMap<string, Past>,
): Promise<Map<string, ConnectorLayer[]>> {
  const known = rows.filter(({ id }) => present.has(id)).map(({ id }) => id);
  const layers = known.length === 0 ? new Map<string, ConnectorLayer[]>() : await loadLayers(run, workspace, known);
  for (const { id, claims } of rows) if (!present.has(id)) layers.set(id, claims.map(toLayer));
  return layers;
}

const toLayer = ({ connectorId, scope, layer }: CopiedClaim): ConnectorLayer => ({ connectorId, scope, ...layer });

/** What people said may differ without a difference in what is shown. */
function isSame(known: Past | undefined, { curation }: CopiedNode): boolean {
  return JSON.stringify(known?.curation) === JSON.stringify(curation);
}

function claimRow(workspace: WorkspaceId, nodeId: CopiedNode["id"], claim: CopiedClaim): Record<string, unknown> {
  const { syncId, firstSyncId, since, changedBy } = claim;
  return {
    ...claimOf({ workspace, nodeId, syncId }, toLayer(claim)),
    since,
    ...(firstSyncId !== null && { firstSyncId }),
    ...(changedBy !== null && { changedBy }),
  };
}
