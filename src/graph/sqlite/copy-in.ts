/** Writes the rows of a copy: see `graph-copy.ts`. */
import type { WorkspaceId } from "../../ids.ts";
import type { CopiedClaim, CopiedNode, CopyPart, CopyRows, Stated } from "../graph-copy.ts";
import { writeCheck } from "./checks.ts";
import { inChunks } from "./chunks.ts";
import { layersOf, layerText, parseLayer, type Stamped, stampRows, syncRow } from "./claims.ts";
import type { Statements } from "./statements.ts";
import { findNode, insertNode, putRemoved, takeRemoved, updateNode } from "./stored-node.ts";
import { addStep, dropSteps, keepDependencies } from "./trails.ts";
import { writeEdgesOf } from "./write-edges.ts";
import { writeReferencesOf } from "./write-references.ts";

/** A few milliseconds of work. A writer in another process has to wait that long. */
const CHUNK = 50;

type Put<R> = (sql: Statements, workspace: WorkspaceId, row: R) => boolean;

/** Writes one row. Returns false if it is refused. */
const PARTS: { [P in CopyPart]: Put<CopyRows[P]> } = {
  runs(sql, workspace, row) {
    sql.run(
      `INSERT INTO runs (workspace, connector, run) VALUES ($workspace, $connectorId, $run)
       ON CONFLICT DO UPDATE SET run = max(run, excluded.run)`,
      { workspace, ...row },
    );
    return true;
  },
  scopes(sql, workspace, { connectorId, scope, incomplete, run }) {
    sql.run(
      `INSERT INTO sources (workspace, connector, scope, incomplete, run)
       VALUES ($workspace, $connectorId, $scope, $incomplete, $run)
       ON CONFLICT DO UPDATE SET incomplete = excluded.incomplete, run = max(run, excluded.run)`,
      { workspace, connectorId, scope, incomplete: Number(incomplete), run },
    );
    return true;
  },
  removedNodes(sql, workspace, row) {
    if (findNode(sql, workspace, row.id) === undefined) putRemoved(sql, pastOf(workspace, row));
    return true;
  },
  assets: putNode,
  columns: putNode,
  edges: (sql, workspace, { from, to, kind, uses, ...stated }) =>
    writeEdgesOf(sql, { workspace, ...stated }, stampOf(sql, workspace, stated), [{ from, to, kind, uses }]) === 0,
  references: (sql, workspace, { from, to, ...stated }) =>
    writeReferencesOf(sql, { workspace, ...stated }, stampOf(sql, workspace, stated), [{ from, to }]).length === 0,
  checks(sql, workspace, { precedence, check, ...stated }) {
    writeCheck(sql, { workspace, precedence }, stampOf(sql, workspace, stated), check);
    return true;
  },
  certifications(sql, workspace, { metric, steps, dependencies }) {
    dropSteps(sql, workspace, metric);
    for (const [i, step] of steps.entries()) addStep(sql, { workspace, metric, index: i + 1 }, step);
    keepDependencies(sql, workspace, metric, dependencies);
    return true;
  },
  removedConnectors(sql, workspace, row) {
    sql.run(
      "INSERT INTO removed_connectors (workspace, connector) VALUES ($workspace, $connectorId) ON CONFLICT DO NOTHING",
      { workspace, ...row },
    );
    return true;
  },
};

export function copyIn<P extends CopyPart>(
  sql: Statements,
  workspace: WorkspaceId,
  part: P,
  rows: readonly CopyRows[P][],
): number {
  const put = PARTS[part];
  let refused = 0;
  inChunks(sql.db, rows, CHUNK, (chunk) => {
    for (const row of chunk) if (!put(sql, workspace, row)) refused++;
  });
  return refused;
}

const stampOf = (sql: Statements, workspace: WorkspaceId, { connectorId, scope, syncId }: Stated): Stamped =>
  stampRows(sql, { workspace, connectorId, syncId, run: 0 }, scope);

const pastOf = (workspace: WorkspaceId, { id, platform, parentId, createdAt, curation }: CopiedNode) => ({
  identity: { id, workspace, platform, parentId },
  createdAt,
  curation,
});

function putNode(sql: Statements, workspace: WorkspaceId, row: CopiedNode): boolean {
  const claims = row.claims.map((claim) => ({ claim, stamped: stampOf(sql, workspace, claim) }));
  const layers = claims.map(({ claim, stamped: { source } }) => {
    const { connectorId, scope } = claim;
    return parseLayer(textOf(claim), { connectorId, scope, source });
  });
  const known = findNode(sql, workspace, row.id);
  takeRemoved(sql, workspace, row.id);
  const { seq } = known ?? insertNode(sql, pastOf(workspace, row), layers, row.updatedAt);
  for (const { claim, stamped } of claims) putClaim(sql, seq, claim, { ...stamped, layer: textOf(claim) });
  if (known !== undefined) updateNode(sql, known, layersOf(sql, seq), row.curation, row.updatedAt);
  return true;
}

function textOf({ layer }: CopiedClaim): string {
  const { type, existence, facts, ...stamp } = layer;
  return layerText(stamp, { type, existence, facts });
}

function putClaim(
  sql: Statements,
  node: number,
  { firstSyncId, since, changedBy, layer }: CopiedClaim,
  row: Stamped & { layer: string },
): void {
  sql.run(
    `INSERT INTO claims (node, source, sync, first_sync, since, held, layer, changed_by)
     VALUES ($node, $source, $sync, $first, $since, $held, $layer, $changedBy)
     ON CONFLICT (node, source) DO UPDATE SET sync = excluded.sync, first_sync = excluded.first_sync,
       since = excluded.since, held = excluded.held, layer = excluded.layer, changed_by = excluded.changed_by`,
    {
      node,
      ...row,
      first: firstSyncId === null ? 0 : syncRow(sql, firstSyncId),
      since,
      held: Number(layer.existence === "held"),
      changedBy: changedBy === null ? null : syncRow(sql, changedBy),
    },
  );
}
