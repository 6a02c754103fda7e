/**
 * Writes edges, and which columns the SQL of assets names: one `:Reference` for each reference that a connector states
 * in one scope. References are nodes and not relationships, so that no walk follows them.
 */
import type { WorkspaceId } from "../../ids.ts";
import type { Stated } from "../graph-copy.ts";
import type { ConnectionRows } from "../rows.ts";
import type { Run } from "./bolt.ts";
import { keyOf, sourceOf } from "./claims.ts";
import { END, loadClaims, show, toEnds } from "./edges.ts";

/** All claims of a call have the same connector, scope and sync. */
export const ADD_EDGE_CLAIMS = `
UNWIND $rows AS row
CREATE (e:EdgeClaim {workspace: $workspace, sourceId: $sourceId, connectorId: $connectorId, scope: $scope,
  syncId: $syncId, id: row[0], edgeId: row[1], fromId: row[2], toId: row[3], kind: row[4], uses: row[5]})`;

/** Claims that the connector has made in this scope before. */
export const REPEAT_EDGE_CLAIMS = `
UNWIND $rows AS row
MATCH (e:EdgeClaim {id: row[0]})
WHERE e.workspace = $workspace
SET e.syncId = $syncId, e.uses = row[1]`;

/** Only ends that the connector states or names in any scope. */
export const STATED_ENDS = `
UNWIND $ids AS asked
MATCH (c:Claim {nodeId: asked})
WHERE c.workspace = $workspace AND c.connectorId = $connectorId
WITH DISTINCT c.nodeId AS id${END}`;

export const SAVE_REFERENCES = `
UNWIND $rows AS row
MERGE (r:Reference {id: row[0]})
ON CREATE SET r.workspace = $workspace, r.sourceId = $sourceId, r.connectorId = $connectorId,
  r.fromId = row[1], r.toId = row[2]
SET r.syncId = $syncId`;

export function connectionRows(run: Run, workspace: WorkspaceId): ConnectionRows {
  return {
    loadEnds: async (connectorId, ids) => toEnds(await run(STATED_ENDS, { workspace, connectorId, ids })),
    async saveEdges(edges) {
      if (edges.length === 0) return;
      const stated = edges.map((edge) => {
        const edgeId = keyOf(workspace, edge.from, edge.to, edge.kind);
        return { ...edge, id: keyOf(sourceOf({ ...edge, workspace }, edge.scope), edgeId), edgeId };
      });
      const claims = [...new Map(stated.map((claim) => [claim.id, claim])).values()];
      const before = await loadClaims(run, workspace, claims);
      const known = new Set(before.map(({ id }) => id));
      for (const { shared, rows } of groupStated(
        workspace,
        claims.filter(({ id }) => !known.has(id)),
      )) {
        const added = rows.map(({ id, edgeId, from, to, kind, uses }) => [id, edgeId, from, to, kind, uses]);
        await run(ADD_EDGE_CLAIMS, { ...shared, rows: added });
      }
      for (const { shared, rows } of groupStated(
        workspace,
        claims.filter(({ id }) => known.has(id)),
      )) {
        await run(REPEAT_EDGE_CLAIMS, { ...shared, rows: rows.map(({ id, uses }) => [id, uses]) });
      }
      const own = new Set(claims.map(({ id }) => id));
      const now = [...before.filter(({ id }) => !own.has(id)), ...claims];
      await show(run, workspace, claims, now, new Set(before.map(({ edgeId }) => edgeId)));
    },
    async saveReferences(references) {
      for (const { shared, rows } of groupStated(workspace, references)) {
        const idOf = ({ from, to }: (typeof rows)[number]): string => keyOf(shared.sourceId, from, to);
        const distinct = new Map(rows.map((row) => [idOf(row), [idOf(row), row.from, row.to]]));
        await run(SAVE_REFERENCES, { ...shared, rows: [...distinct.values()] });
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
