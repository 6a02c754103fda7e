/**
 * Which columns the SQL of assets names: one `:Reference` for each reference that a connector states in one scope. They
 * are nodes of their own and not relationships, so that no walk follows them.
 */
import { canReference, type Reference } from "../../catalog/reference.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { Stated } from "../graph-copy.ts";
import type { Run } from "./bolt.ts";
import { groupStated, keyOf, loadEndTypes, sourceOf } from "./claims.ts";
import { openSource } from "./sources.ts";

export const SAVE_REFERENCES = `
UNWIND $rows AS row
MERGE (r:Reference {id: row[0]})
ON CREATE SET r.workspace = $workspace, r.sourceId = $sourceId, r.connectorId = $connectorId,
  r.fromId = row[1], r.toId = row[2]
SET r.syncId = $syncId`;

export const DELETE_STALE_REFERENCES = `
MATCH (r:Reference {sourceId: $sourceId})
WHERE r.workspace = $workspace AND r.syncId <> $syncId
DELETE r`;

/** The connector's references, in any scope, that have one of the given nodes at this end. */
export function deleteReferencesAtCypher(end: "fromId" | "toId"): string {
  return `
UNWIND $ids AS id
MATCH (r:Reference {${end}: id})
WHERE r.workspace = $workspace AND r.connectorId = $connectorId
DELETE r`;
}

/** Records references and returns those that were refused. */
export async function writeReferences(
  run: Run,
  stamp: CrawlStamp,
  scope: string,
  references: readonly Reference[],
): Promise<Reference[]> {
  if (references.length === 0) return [];
  await openSource(run, stamp, scope);
  const { workspace, connectorId, syncId } = stamp;
  const isRecorded = await recordReferences(
    run,
    workspace,
    references.map((reference) => ({ ...reference, connectorId, scope, syncId })),
  );
  return references.filter((_, i) => isRecorded[i] !== true);
}

/**
 * Records references of any connectors and scopes. The sources must exist.
 * @returns for each reference, whether it was recorded; false if it was refused
 */
export async function recordReferences(
  run: Run,
  workspace: WorkspaceId,
  references: readonly (Reference & Stated)[],
): Promise<boolean[]> {
  const ends = await loadEndTypes(run, workspace, references);
  const isSound = ends.map((types) => types !== null && canReference(...types));
  for (const own of groupStated(references.filter((_, i) => isSound[i] === true))) {
    const [{ connectorId, scope, syncId }] = own;
    const sourceId = sourceOf({ workspace, connectorId }, scope);
    const rows = new Map(
      own.map(({ from, to }) => {
        const id = keyOf(sourceId, from, to);
        return [id, [id, from, to]];
      }),
    );
    await run(SAVE_REFERENCES, { workspace, sourceId, connectorId, syncId, rows: [...rows.values()] });
  }
  return isSound;
}

/** Removes the connector's references in this scope that this sync did not state. */
export async function sweepReferences(run: Run, stamp: CrawlStamp, scope: string): Promise<void> {
  const { workspace, syncId } = stamp;
  await run(DELETE_STALE_REFERENCES, { workspace, syncId, sourceId: sourceOf(stamp, scope) });
}

/** Removes the connector's references, in every scope, at nodes that it no longer states or names. */
export async function dropReferencesAt(
  run: Run,
  { workspace, connectorId }: Pick<CrawlStamp, "workspace" | "connectorId">,
  ids: readonly NodeId[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const end of ["fromId", "toId"] as const) {
    await run(deleteReferencesAtCypher(end), { workspace, connectorId, ids });
  }
}
