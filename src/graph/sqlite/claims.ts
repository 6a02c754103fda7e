/** Claims: what each connector states about a node, one row for each of its scopes. */
import { type ConnectorLayer, isHeld, PEOPLE } from "../../catalog/layers.ts";
import { type ConnectorId, type NodeId, toConnectorId, toNodeId, type WorkspaceId } from "../../ids.ts";
import { toLayer, toSources } from "../core/merge-nodes.ts";
import type { ClaimRow, Owner } from "../rows.ts";
import { type Rows, stampOf } from "./rowids.ts";
import { integer, type Read, type Row, type Statements, text, textOrNull } from "./statements.ts";

/** The connector's sources: one for each of its scopes. */
export const OWN_SOURCES = "SELECT seq FROM sources WHERE workspace = $workspace AND connector = $connector";

/** The plus keeps SQLite from using the index by source, which would read all rows of the connector. */
export const IS_OWN = `+source IN (${OWN_SOURCES})`;

export function ownerKey({ workspace }: Rows, { connectorId }: Owner): { workspace: string; connector: string } {
  return { workspace, connector: connectorId };
}

const CLAIMS = `
  SELECT n.id, c.node, c.source, c.since, c.layer, s.connector, s.scope, y.id AS sync, f.id AS first_sync,
    g.id AS changed_by
  FROM json_each($ids) AS asked CROSS JOIN nodes AS n ON n.workspace = $workspace AND n.id = asked.value
    CROSS JOIN claims AS c ON c.node = n.seq CROSS JOIN sources AS s ON s.seq = c.source
    CROSS JOIN syncs AS y ON y.seq = c.sync LEFT JOIN syncs AS f ON f.seq = c.first_sync
    LEFT JOIN syncs AS g ON g.seq = c.changed_by`;

/** What all connectors state about the nodes. */
export function loadClaims(sql: Statements, workspace: WorkspaceId, ids: readonly NodeId[]): Row[] {
  return sql.all(CLAIMS, { workspace, ids: JSON.stringify(ids) });
}

export function toClaim(row: Row): ClaimRow {
  return {
    nodeId: toNodeId(text(row, "id")),
    connectorId: toConnectorId(text(row, "connector")),
    scope: text(row, "scope"),
    syncId: text(row, "sync"),
    firstSyncId: textOrNull(row, "first_sync"),
    since: text(row, "since"),
    changedBy: textOrNull(row, "changed_by"),
    ...parseLayer(text(row, "layer")),
  };
}

/** The part of a claim in `claims.layer`. The text of the facts comes last, so that it can be cut out. */
type LayerPart = Pick<
  ClaimRow,
  "connectorName" | "precedence" | "lineagePrecedence" | "connectorCreatedAt" | "type" | "existence" | "facts"
>;

const FACTS = ',"facts":';

function layerText(claim: LayerPart): string {
  const { connectorName, precedence, lineagePrecedence, connectorCreatedAt, type, existence, facts } = claim;
  const rest = { connectorName, precedence, lineagePrecedence, connectorCreatedAt, type, existence };
  return `${JSON.stringify(rest).slice(0, -1)}${FACTS}${facts}}`;
}

/** The first characters of what `layerText` writes for a connector of this name. */
export function namePrefix(connectorName: string): string {
  return `{"connectorName":${JSON.stringify(connectorName)},`;
}

/** Inside a text, the quotes of `FACTS` would have backslashes before them. */
function parseLayer(layer: string): LayerPart {
  const end = layer.indexOf(FACTS);
  const rest = JSON.parse(`${layer.slice(0, end)}}`) as Omit<LayerPart, "facts">;
  return { ...rest, facts: layer.slice(end + FACTS.length, -1) };
}

const PUT = `
  INSERT INTO claims (node, source, sync, first_sync, since, held, layer, changed_by)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
  ON CONFLICT (node, source) DO UPDATE SET sync = excluded.sync, first_sync = excluded.first_sync,
    since = excluded.since, held = excluded.held, layer = excluded.layer, changed_by = excluded.changed_by`;

export function putClaim(rows: Rows, node: number, claim: ClaimRow): void {
  const { source, sync } = stampOf(rows, claim);
  const { firstSyncId, since, changedBy } = claim;
  rows.sql.runWith(PUT, [
    node,
    source,
    sync,
    firstSyncId === null ? 0 : rows.sync(firstSyncId),
    since,
    Number(isHeld(claim)),
    layerText(claim),
    changedBy === null ? null : rows.sync(changedBy),
  ]);
}

export function restateClaim(rows: Rows, node: number, claim: ClaimRow): void {
  const { source, sync } = stampOf(rows, claim);
  rows.sql.runWith("UPDATE claims SET sync = ?1 WHERE node = ?2 AND source = ?3", [sync, node, source]);
}

/** What one connector states about a node, one layer for each scope. */
export function layersFrom(
  sql: Statements,
  workspace: WorkspaceId,
  node: NodeId,
  connector: ConnectorId,
): ConnectorLayer[] {
  const claims = loadClaims(sql, workspace, [node]).map(toClaim);
  return claims.filter(({ connectorId }) => connectorId === connector).map(toLayer);
}

/** The rowid of the set of sources that state the node. People have no crawls, so their sources are in no set. */
export function sourceSet(rows: Rows, claims: readonly ClaimRow[]): number {
  const stating = claims.filter((claim) => isHeld(claim) && claim.connectorId !== PEOPLE);
  const seqs = stating.map(({ connectorId, scope }) => rows.source(connectorId, scope));
  const sources = JSON.stringify(seqs.toSorted((a, b) => a - b));
  const find = () => rows.sql.get("SELECT seq FROM source_sets WHERE sources = $sources", { sources });
  const known = find();
  if (known !== undefined) return integer(known, "seq");
  rows.sql.run("INSERT INTO source_sets (sources) VALUES ($sources)", { sources });
  const made = find();
  if (made === undefined) throw new Error("a set of sources was not stored");
  return integer(made, "seq");
}

export const loadSources: Read<"loadSources"> = (sql, workspace, ids) =>
  ids.map((id) => toSources(loadClaims(sql, workspace, [id]).map(toClaim)));
