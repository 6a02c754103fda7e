/**
 * Reads a workspace's graph as the rows of a copy: see `graph-copy.ts`. Each page is a range of the index over the ids,
 * which is in order, so all pages together read each row once. Rows of other workspaces are skipped.
 */
import { int } from "neo4j-driver";

import type { Curation } from "../../catalog/layers.ts";
import { EDGE_KINDS } from "../../catalog/edge.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { toNodeId, type WorkspaceId } from "../../ids.ts";
import { toCopiedClaims } from "../core/copy-in.ts";
import type { CopiedNode, CopyPage, CopyPart, CopyRows } from "../graph-copy.ts";
import type { Row, Run } from "./bolt.ts";
import { toCheck } from "./checks.ts";
import { loadClaims } from "./claims.ts";
import { columns } from "./columns.ts";
import { KEPT, MOMENT } from "./history.ts";
import { RESULT_CHANGE, toResultChange } from "./result-changes.ts";
import { LINK, LINK_STORED, SINCE } from "./stated-nodes.ts";
import { loadDependencies, loadTrails } from "./trails.ts";
import * as read from "./values.ts";

const RUN = columns({ connectorId: read.connectorId, run: read.integer });
const SCOPE = columns(
  { connectorId: read.connectorId, scope: read.text, incomplete: (id) => id !== null, run: read.integer },
  { incomplete: () => "i.id", run: (s) => `coalesce(${s}.run, 0)` },
);
const FIELDS = {
  id: read.nodeId,
  platform: read.text,
  parentId: read.nodeIdOrNull,
  createdAt: read.text,
  updatedAt: read.text,
  curation: read.json<Curation>,
  since: read.integer,
};
const NODE = columns(FIELDS, SINCE);
const REMOVED = columns(FIELDS, { updatedAt: (r) => `${r}.createdAt`, since: () => "0" });
const STATED = { connectorId: read.connectorId, scope: read.text, syncId: read.text };
const EDGE = columns({ ...LINK, ...STATED, kind: read.word(EDGE_KINDS) }, LINK_STORED);
const { from, to, since } = LINK;
const REFERENCE = columns({ ...STATED, from, to, since }, { ...LINK_STORED, scope: () => "s.scope" });
const CHECK = columns({ ...STATED, precedence: read.integer, definition: read.text, result: read.textOrNull });
const KEPT_LINK = columns({ ...LINK, until: read.integer }, LINK_STORED);

/**
 * The rows of a label after `$after`, at most `$limit`. The first column is the key.
 * @param also begins with ` AND `
 * @param more a clause for what the row itself lacks
 */
function pageCypher(label: string, returned: string, { key = "id", also = "", more = "" } = {}): string {
  return `
MATCH (r:${label})
WHERE r.${key} > $after AND r.workspace = $workspace${also}
WITH r ORDER BY r.${key} LIMIT $limit${more}
RETURN r.${key} AS place${returned === "" ? "" : `, ${returned}`}${more === "" ? "" : "\nORDER BY place"}`;
}

export const RUNS_PAGE = pageCypher("Run", RUN.of("r"));
export const SCOPES_PAGE = pageCypher("Source", SCOPE.of("r"), {
  more: "\nOPTIONAL MATCH (i:IncompleteSource {id: r.id, workspace: $workspace})",
});
export const REMOVED_PAGE = pageCypher("Removed", REMOVED.of("r"));
/** The test of the parent is no plain one for null, so that no index but that of the ids can be taken. */
export const ASSETS_PAGE = pageCypher("Asset", NODE.of("r"), { also: " AND coalesce(r.parentId, '') = ''" });
export const COLUMNS_PAGE = pageCypher("Asset", NODE.of("r"), { also: " AND coalesce(r.parentId, '') <> ''" });
export const EDGES_PAGE = pageCypher("EdgeClaim", EDGE.of("r"));
/** A reference has no scope of its own, but its source has one. */
export const REFERENCES_PAGE = pageCypher("Reference", REFERENCE.of("r"), {
  more: "\nOPTIONAL MATCH (s:Source {id: r.sourceId, workspace: $workspace})",
});
export const CHECKS_PAGE = pageCypher("Check", CHECK.of("r"));
export const TRAILS_PAGE = pageCypher("TrailStep", "", { key: "metricId", also: " AND r.place = 1" });
export const DEPENDENCIES_PAGE = pageCypher("Dependencies", "");
export const MOMENTS_PAGE = pageCypher("Moment", MOMENT.of("r"), { key: "position" });
export const KEPT_NODES_PAGE = pageCypher("KeptNode", KEPT.of("r"));
export const KEPT_LINKS_PAGE = pageCypher("KeptLink", KEPT_LINK.of("r"));
export const RESULT_CHANGES_PAGE = pageCypher("ResultChange", RESULT_CHANGE.of("r"));
export const REMOVED_CONNECTORS_PAGE = pageCypher("RemovedConnector", "r.connectorId AS connectorId");

/** The number of all rows of a page's statement, if `$after` is "". */
export function countCypher(page: string): string {
  const [match = ""] = page.split("\nWITH r ORDER BY");
  return `${match}
RETURN count(r) AS amount`;
}

/** The number of rows of `DEPENDENCIES_PAGE` that have the key of a row of `TRAILS_PAGE`. */
export const COUNT_SHARED_KEYS = `
MATCH (r:Dependencies)
WHERE r.id > $after AND r.workspace = $workspace
MATCH (t:TrailStep {metricId: r.id})
WHERE t.workspace = $workspace AND t.place = 1
RETURN count(t) AS amount`;

/** How a part is read. The first column of each row is its key. Rows are in the order of keys. */
interface Part<R> {
  /** The rows after `$after`, at most `$limit`. If there are several statements, their keys are merged. */
  pages: readonly string[];
  /** Counts the rows of the second statement that have the key of a row of the first one. */
  shared?: string;
  toRows: (rows: readonly Row[], run: Run, workspace: WorkspaceId) => R[] | Promise<R[]>;
}

const PARTS: { [P in CopyPart]: Part<CopyRows[P]> } = {
  runs: { pages: [RUNS_PAGE], toRows: (rows) => rows.map(RUN.read) },
  scopes: { pages: [SCOPES_PAGE], toRows: (rows) => rows.map(SCOPE.read) },
  removedNodes: { pages: [REMOVED_PAGE], toRows: (rows) => rows.map((row) => ({ ...REMOVED.read(row), claims: [] })) },
  assets: { pages: [ASSETS_PAGE], toRows: withClaims },
  columns: { pages: [COLUMNS_PAGE], toRows: withClaims },
  edges: { pages: [EDGES_PAGE], toRows: (rows) => rows.map(EDGE.read) },
  references: { pages: [REFERENCES_PAGE], toRows: (rows) => rows.map(REFERENCE.read) },
  checks: {
    pages: [CHECKS_PAGE],
    toRows: (rows) =>
      rows
        .map(CHECK.read)
        .map(({ definition, result, ...stated }) => Object.assign(stated, { check: toCheck(definition, result) })),
  },
  certifications: { pages: [TRAILS_PAGE, DEPENDENCIES_PAGE], shared: COUNT_SHARED_KEYS, toRows: toCertifications },
  moments: { pages: [MOMENTS_PAGE], toRows: (rows) => rows.map(MOMENT.read) },
  keptNodes: { pages: [KEPT_NODES_PAGE], toRows: (rows) => rows.map(KEPT.read) },
  keptLinks: { pages: [KEPT_LINKS_PAGE], toRows: (rows) => rows.map(KEPT_LINK.read) },
  resultChanges: { pages: [RESULT_CHANGES_PAGE], toRows: (rows) => rows.map(toResultChange) },
  removedConnectors: {
    pages: [REMOVED_CONNECTORS_PAGE],
    toRows: (rows) => rows.map(([, connectorId]) => ({ connectorId: read.connectorId(connectorId) })),
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
    for (const row of rows) found.set(read.text(row[0]), row);
  }
  const page = [...found].toSorted(([a], [b]) => compareCodePoints(a, b)).slice(0, limit);
  const rows = page.map(([, row]) => row);
  return { rows: await toRows(rows, run, workspace), next: page.length < limit ? null : (page.at(-1)?.[0] ?? null) };
}

/** @param run reads where no write is missing */
export async function countRows(run: Run, workspace: WorkspaceId, part: CopyPart): Promise<number> {
  const { pages, shared } = PARTS[part];
  const count = async (statement: string): Promise<number> => {
    const [row] = await run(statement, { workspace, after: "" });
    return read.integer(row?.[0] ?? 0);
  };
  let amount = shared === undefined ? 0 : -(await count(shared));
  for (const page of pages) amount += await count(countCypher(page));
  return amount;
}

async function withClaims(rows: readonly Row[], run: Run, workspace: WorkspaceId): Promise<CopiedNode[]> {
  const nodes = rows.map(NODE.read);
  const ids = nodes.map(({ id }) => id);
  const claims = ids.length === 0 ? new Map<never, never>() : await loadClaims(run, workspace, ids);
  return nodes.map((node) => Object.assign(node, { claims: toCopiedClaims(claims.get(node.id) ?? []) }));
}

async function toCertifications(
  rows: readonly Row[],
  run: Run,
  workspace: WorkspaceId,
): Promise<CopyRows["certifications"][]> {
  const metrics = rows.map(([metric]) => toNodeId(read.text(metric)));
  const trails = await loadTrails(run, workspace, metrics);
  const dependencies = await loadDependencies(run, workspace, metrics);
  return metrics.map((metric, i) => {
    const { steps, fingerprint } = trails[i] ?? { steps: [], fingerprint: null };
    const kept = dependencies[i] ?? null;
    return { metric, steps, dependencies: fingerprint === null || kept === null ? null : { fingerprint, text: kept } };
  });
}
