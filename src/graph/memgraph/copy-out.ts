/**
 * Reads a workspace's graph as the rows of a copy: see `graph-copy.ts`. Each page is a range of the index over the ids,
 * which is in order, so all pages together read each row once. Rows of other workspaces are skipped.
 */
import { int } from "neo4j-driver";

import { type ColumnUse, EDGE_KINDS } from "../../catalog/edge.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { toConnectorId, toNodeId, type WorkspaceId } from "../../ids.ts";
import { toCopiedClaims } from "../core/copy-in.ts";
import type { CopiedClaim, CopiedNode, CopyPage, CopyPart, CopyRows, Stated } from "../graph-copy.ts";
import type { Row, Run } from "./bolt.ts";
import { toCheck } from "./checks.ts";
import { loadClaims } from "./claims.ts";
import { KEPT_COLUMNS, MOMENT_COLUMNS, toKeptNode, toMoment } from "./history.ts";
import { toCuration } from "./stored-asset.ts";
import { loadDependencies, loadTrails } from "./trails.ts";
import { integer, nodeIdOrNull, oneOf, text } from "./values.ts";

export const RUNS_PAGE = `
MATCH (f:Run)
WHERE f.id > $after AND f.workspace = $workspace
WITH f ORDER BY f.id LIMIT $limit
RETURN f.id AS key, f.connectorId AS connectorId, f.run AS run`;

export const SCOPES_PAGE = `
MATCH (s:Source)
WHERE s.id > $after AND s.workspace = $workspace
WITH s ORDER BY s.id LIMIT $limit
OPTIONAL MATCH (i:IncompleteSource {id: s.id, workspace: $workspace})
RETURN s.id AS key, s.connectorId AS connectorId, s.scope AS scope, i.id AS incomplete, coalesce(s.run, 0) AS run
ORDER BY key`;

export const REMOVED_PAGE = `
MATCH (r:Removed)
WHERE r.id > $after AND r.workspace = $workspace
WITH r ORDER BY r.id LIMIT $limit
RETURN r.id AS key, r.platform AS platform, r.parentId AS parentId, r.createdAt AS createdAt, r.createdAt AS updatedAt,
  r.curation AS curation, 0 AS since`;

/** The test of the parent is no plain one for null, so that no index but that of the ids can be taken. */
const nodesPage = (parent: "=" | "<>"): string => `
MATCH (a:Asset)
WHERE a.id > $after AND a.workspace = $workspace AND coalesce(a.parentId, '') ${parent} ''
WITH a ORDER BY a.id LIMIT $limit
RETURN a.id AS key, a.platform AS platform, a.parentId AS parentId, a.createdAt AS createdAt, a.updatedAt AS updatedAt,
  a.curation AS curation, coalesce(a.since, 0) AS since`;

export const ASSETS_PAGE = nodesPage("=");
export const COLUMNS_PAGE = nodesPage("<>");

export const EDGES_PAGE = `
MATCH (e:EdgeClaim)
WHERE e.id > $after AND e.workspace = $workspace
WITH e ORDER BY e.id LIMIT $limit
RETURN e.id AS key, e.connectorId AS connectorId, e.scope AS scope, e.syncId AS syncId, e.fromId AS fromId,
  e.toId AS toId, e.kind AS kind, e.uses AS uses, coalesce(e.since, 0) AS since`;

/** A reference has no scope of its own, but its source has one. */
export const REFERENCES_PAGE = `
MATCH (r:Reference)
WHERE r.id > $after AND r.workspace = $workspace
WITH r ORDER BY r.id LIMIT $limit
OPTIONAL MATCH (s:Source {id: r.sourceId, workspace: $workspace})
RETURN r.id AS key, r.connectorId AS connectorId, s.scope AS scope, r.syncId AS syncId, r.fromId AS fromId,
  r.toId AS toId, coalesce(r.since, 0) AS since
ORDER BY key`;

export const CHECKS_PAGE = `
MATCH (c:Check)
WHERE c.id > $after AND c.workspace = $workspace
WITH c ORDER BY c.id LIMIT $limit
RETURN c.id AS key, c.connectorId AS connectorId, c.scope AS scope, c.syncId AS syncId, c.precedence AS precedence,
  c.definition AS definition, c.result AS result`;

export const TRAILS_PAGE = `
MATCH (t:TrailStep)
WHERE t.metricId > $after AND t.workspace = $workspace AND t.place = 1
WITH t ORDER BY t.metricId LIMIT $limit
RETURN t.metricId AS key`;

export const DEPENDENCIES_PAGE = `
MATCH (d:Dependencies)
WHERE d.id > $after AND d.workspace = $workspace
WITH d ORDER BY d.id LIMIT $limit
RETURN d.id AS key`;

export const MOMENTS_PAGE = `
MATCH (m:Moment)
WHERE m.position > $after AND m.workspace = $workspace
WITH m ORDER BY m.position LIMIT $limit
RETURN m.position AS key, ${MOMENT_COLUMNS}`;

export const KEPT_NODES_PAGE = `
MATCH (k:KeptNode)
WHERE k.id > $after AND k.workspace = $workspace
WITH k ORDER BY k.id LIMIT $limit
RETURN k.id AS id, ${KEPT_COLUMNS}`;

export const KEPT_LINKS_PAGE = `
MATCH (k:KeptLink)
WHERE k.id > $after AND k.workspace = $workspace
WITH k ORDER BY k.id LIMIT $limit
RETURN k.id AS key, k.fromId AS fromId, k.toId AS toId, k.kind AS kind, k.connectorId AS connectorId, k.uses AS uses,
  k.since AS since, k.until AS until`;

export const REMOVED_CONNECTORS_PAGE = `
MATCH (r:RemovedConnector)
WHERE r.id > $after AND r.workspace = $workspace
WITH r ORDER BY r.id LIMIT $limit
RETURN r.id AS key, r.connectorId AS connectorId`;

/** How a part is read. The first column of each row is its key. Rows are in the order of keys. */
interface Part<R> {
  /** The rows after `$after`, at most `$limit`. If there are several statements, their keys are merged. */
  pages: readonly string[];
  toRows: (rows: readonly Row[], run: Run, workspace: WorkspaceId) => R[] | Promise<R[]>;
}

const PARTS: { [P in CopyPart]: Part<CopyRows[P]> } = {
  runs: {
    pages: [RUNS_PAGE],
    toRows: (rows) => rows.map(([, id, run]) => ({ connectorId: toConnectorId(text(id)), run: integer(run) })),
  },
  scopes: {
    pages: [SCOPES_PAGE],
    toRows: (rows) =>
      rows.map(([, connectorId, scope, incomplete, run]) => ({
        connectorId: toConnectorId(text(connectorId)),
        scope: text(scope),
        incomplete: incomplete !== null,
        run: integer(run),
      })),
  },
  removedNodes: { pages: [REMOVED_PAGE], toRows: (rows) => rows.map((row) => toNode(row, [])) },
  assets: { pages: [ASSETS_PAGE], toRows: withClaims },
  columns: { pages: [COLUMNS_PAGE], toRows: withClaims },
  edges: {
    pages: [EDGES_PAGE],
    toRows: (rows) =>
      rows.map(([, connectorId, scope, syncId, fromId, toId, kind, uses, since]) => ({
        from: toNodeId(text(fromId)),
        to: toNodeId(text(toId)),
        kind: oneOf(EDGE_KINDS, kind),
        // Only `saveEdges` writes this text.
        uses: JSON.parse(text(uses)) as ColumnUse[],
        since: integer(since),
        ...toStated(connectorId, scope, syncId),
      })),
  },
  references: {
    pages: [REFERENCES_PAGE],
    toRows: (rows) =>
      rows.map(([, connectorId, scope, syncId, fromId, toId, since]) => ({
        from: toNodeId(text(fromId)),
        to: toNodeId(text(toId)),
        since: integer(since),
        ...toStated(connectorId, scope, syncId),
      })),
  },
  checks: {
    pages: [CHECKS_PAGE],
    toRows: (rows) =>
      rows.map(([, connectorId, scope, syncId, precedence, ...check]) => ({
        precedence: integer(precedence),
        check: toCheck(check),
        ...toStated(connectorId, scope, syncId),
      })),
  },
  certifications: { pages: [TRAILS_PAGE, DEPENDENCIES_PAGE], toRows: toCertifications },
  moments: { pages: [MOMENTS_PAGE], toRows: (rows) => rows.map(([, ...moment]) => toMoment(moment)) },
  keptNodes: { pages: [KEPT_NODES_PAGE], toRows: (rows) => rows.map(([, ...kept]) => toKeptNode(kept)) },
  keptLinks: {
    pages: [KEPT_LINKS_PAGE],
    toRows: (rows) =>
      rows.map(([, fromId, toId, kind, connectorId, uses, since, until]) => ({
        from: toNodeId(text(fromId)),
        to: toNodeId(text(toId)),
        kind: kind === "" ? null : oneOf(EDGE_KINDS, kind),
        // Only the claims of edges and `saveKeptLinks` have this text, from the uses of edges.
        uses: JSON.parse(text(uses)) as ColumnUse[],
        since: integer(since),
        until: integer(until),
        connectorId: toConnectorId(text(connectorId)),
      })),
  },
  removedConnectors: {
    pages: [REMOVED_CONNECTORS_PAGE],
    toRows: (rows) => rows.map(([, connectorId]) => ({ connectorId: toConnectorId(text(connectorId)) })),
  },
};

/**
 * Nothing else may write to the workspace, so the statements of a page need no common transaction.
 * @param run reads where no write is missing: each replica may lack other ones
 */
export async function copyOut<P extends CopyPart>(
  run: Run,
  workspace: WorkspaceId,
  part: P,
  { after, limit }: { after: string | null; limit: number },
): Promise<CopyPage<P>> {
  const { pages, toRows } = PARTS[part];
  const found = new Map<string, Row>();
  for (const page of pages) {
    const rows = await run(page, { workspace, after: after ?? "", limit: int(limit) });
    for (const row of rows) found.set(text(row[0]), row);
  }
  const page = [...found].toSorted(([a], [b]) => compareCodePoints(a, b)).slice(0, limit);
  const rows = page.map(([, row]) => row);
  return { rows: await toRows(rows, run, workspace), next: page.length < limit ? null : (page.at(-1)?.[0] ?? null) };
}

function toStated(connectorId: unknown, scope: unknown, syncId: unknown): Stated {
  return { connectorId: toConnectorId(text(connectorId)), scope: text(scope), syncId: text(syncId) };
}

function toNode(
  [id, platform, parentId, createdAt, updatedAt, curation, since]: Row,
  claims: CopiedClaim[],
): CopiedNode {
  return {
    id: toNodeId(text(id)),
    platform: text(platform),
    parentId: nodeIdOrNull(parentId),
    createdAt: text(createdAt),
    updatedAt: text(updatedAt),
    since: integer(since),
    curation: toCuration(curation),
    claims,
  };
}

async function withClaims(rows: readonly Row[], run: Run, workspace: WorkspaceId): Promise<CopiedNode[]> {
  const ids = rows.map(([id]) => toNodeId(text(id)));
  const claims = ids.length === 0 ? new Map<never, never>() : await loadClaims(run, workspace, ids);
  return ids.map((id, i) => toNode(rows[i] ?? [], toCopiedClaims(claims.get(id) ?? [])));
}

async function toCertifications(
  rows: readonly Row[],
  run: Run,
  workspace: WorkspaceId,
): Promise<CopyRows["certifications"][]> {
  const metrics = rows.map(([metric]) => toNodeId(text(metric)));
  const trails = await loadTrails(run, workspace, metrics);
  const dependencies = await loadDependencies(run, workspace, metrics);
  return metrics.map((metric, i) => {
    const { steps, fingerprint } = trails[i] ?? { steps: [], fingerprint: null };
    const kept = dependencies[i] ?? null;
    return { metric, steps, dependencies: fingerprint === null || kept === null ? null : { fingerprint, text: kept } };
  });
}
