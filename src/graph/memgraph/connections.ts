/**
 * Writes edges, and which columns the SQL of assets names: one `:Reference` for each reference that a connector states
 * in one scope. References are nodes and not relationships, so that no walk follows them.
 */
import { int } from "neo4j-driver";

import type { WorkspaceId } from "../../ids.ts";
import type { Stated } from "../graph-copy.ts";
import type { ConnectionRows } from "../rows.ts";
import type { Run } from "./bolt.ts";
import { keyOf, sourceOf } from "./claims.ts";
import { END, loadClaims, show, toEnds } from "./edges.ts";
import { beginText } from "./moment-texts.ts";
import type { History } from "./history.ts";
import { text } from "./values.ts";

/** All claims of a call have the same connector, scope and sync. */
export const ADD_EDGE_CLAIMS = `
UNWIND $rows AS row
CREATE (e:EdgeClaim {workspace: $workspace, sourceId: $sourceId, connectorId: $connectorId, scope: $scope,
  syncId: $syncId, id: row[0], edgeId: row[1], fromId: row[2], toId: row[3], kind: row[4], uses: row[5],
  since: row[6], beganAt: row[7]})`;

/** Claims that the connector has made in this scope before. */
export const REPEAT_EDGE_CLAIMS = `
UNWIND $rows AS row
MATCH (e:EdgeClaim {id: row[0]})
WHERE e.workspace = $workspace
SET e.syncId = $syncId, e.uses = row[1], e.since = coalesce(row[2], e.since, 0),
  e.beganAt = CASE WHEN row[2] IS NULL THEN e.beganAt ELSE row[3] END`;

/** Only ends that the connector states or names in any scope. */
export const STATED_ENDS = `
UNWIND $ids AS asked
MATCH (c:Claim {nodeId: asked})
WHERE c.workspace = $workspace AND c.connectorId = $connectorId
WITH DISTINCT c.nodeId AS id${END}`;

export const REPEAT_REFERENCES = `
UNWIND $ids AS id
MATCH (r:Reference {id: id})
WHERE r.workspace = $workspace
SET r.syncId = $syncId
RETURN r.id AS id`;

export const ADD_REFERENCES = `
UNWIND $rows AS row
MERGE (r:Reference {id: row[0], workspace: $workspace})
SET r.sourceId = $sourceId, r.connectorId = $connectorId, r.syncId = $syncId,
  r.fromId = row[1], r.toId = row[2], r.since = row[3]`;

export function connectionRows(run: Run, workspace: WorkspaceId, { openMoment, keep }: History): ConnectionRows {
  /** Since when a row is stated so, and its place in the index. */
  const beginOf = async ({ since: before }: { since?: number }) => {
    const since = before ?? (await openMoment()).number;
    return [int(since), beginText(workspace, since)] as const;
  };
  return {
    loadEnds: async (connectorId, ids) => toEnds(await run(STATED_ENDS, { workspace, connectorId, ids })),
    // It stamps each edge by itself.
    restate: (_stated, items) => items.map(() => false),
    async saveEdges(edges) {
      if (edges.length === 0) return;
      const stated = edges.map((edge) => {
        const edgeId = keyOf(workspace, edge.from, edge.to, edge.kind);
        return { ...edge, id: keyOf(sourceOf({ ...edge, workspace }, edge.scope), edgeId), edgeId };
      });
      const claims = [...new Map(stated.map((claim) => [claim.id, claim])).values()];
      const before = await loadClaims(run, workspace, claims);
      const known = new Map(before.map(({ id, uses }) => [id, uses]));
      // Rows of a copy bring their moments along, and nothing is kept of what they replace.
      const changed = claims.filter(
        ({ id, uses, since }) => since === undefined && known.has(id) && known.get(id) !== uses,
      );
      await keep(
        "EdgeClaim",
        changed.map(({ id }) => id),
      );
      const isChanged = new Set<unknown>(changed);
      const isKnown = ({ id }: { id: string }): boolean => known.has(id);
      const unknown = claims.filter((claim) => !isKnown(claim));
      for (const { shared, rows } of groupStated(workspace, unknown)) {
        const added = await Promise.all(
          rows.map(async (row) => {
            const [since, beganAt] = await beginOf(row);
            return [row.id, row.edgeId, row.from, row.to, row.kind, row.uses, since, beganAt];
          }),
        );
        await run(ADD_EDGE_CLAIMS, { ...shared, rows: added });
      }
      for (const { shared, rows } of groupStated(workspace, claims.filter(isKnown))) {
        const again = await Promise.all(
          rows.map(async (row) => {
            const isNew = isChanged.has(row) || row.since !== undefined;
            const [since, beganAt] = isNew ? await beginOf(row) : [null, null];
            return [row.id, row.uses, since, beganAt];
          }),
        );
        await run(REPEAT_EDGE_CLAIMS, { ...shared, rows: again });
      }
      const own = new Set(claims.map(({ id }) => id));
      const now = [...before.filter(({ id }) => !own.has(id)), ...claims];
      // What is stated again as before is shown as before.
      const others = claims.filter(({ id, uses, since }) => since !== undefined || known.get(id) !== uses);
      if (others.length > 0) await show(run, workspace, others, now, new Set(before.map(({ edgeId }) => edgeId)));
    },
    async saveReferences(references) {
      for (const { shared, rows } of groupStated(workspace, references)) {
        const idOf = ({ from, to }: (typeof rows)[number]): string => keyOf(shared.sourceId, from, to);
        const distinct = new Map(rows.map((row) => [idOf(row), row]));
        const again = await run(REPEAT_REFERENCES, { ...shared, ids: [...distinct.keys()] });
        for (const [id] of again) distinct.delete(text(id));
        if (distinct.size === 0) continue;
        const added = await Promise.all(
          [...distinct].map(async ([id, row]) => [id, row.from, row.to, (await beginOf(row))[0]]),
        );
        await run(ADD_REFERENCES, { ...shared, rows: added });
      }
    },
  };
}

/** The rows of each connector, scope and sync, with what all of them share. */
function groupStated<T extends Stated>(workspace: WorkspaceId, stated: readonly T[]) {
  const groups = Map.groupBy(stated, ({ connectorId, scope, syncId }) => JSON.stringify([connectorId, scope, syncId]));
  return [...groups.values()].flatMap((rows) => {
    const [first] = rows;
    if (first === undefined) return [];
    const { connectorId, scope, syncId } = first;
    const sourceId = sourceOf({ workspace, connectorId }, scope);
    return [{ shared: { workspace, sourceId, connectorId, scope, syncId }, rows }];
  });
}
