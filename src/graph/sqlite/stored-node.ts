/** Writes a node's row, and with it the rows by which it is found: its full-text row and its facets. */
import { isDeepStrictEqual } from "node:util";

import { type Curation, lineageOwner, type NodeIdentity, showNode, type ShownNode } from "../../catalog/layers.ts";
import { certificationRank, toSearchFields } from "../../catalog/search.ts";
import { type ConnectorId, type NodeId, toConnectorId, toNodeId, toWorkspaceId, type WorkspaceId } from "../../ids.ts";
import { type ClaimedLayer, holderSet } from "./claims.ts";
import { FACET_KINDS, facetsOf } from "./filter.ts";
import { parseStored, type StoredNode } from "./node-row.ts";
import { scopeToken } from "./search-match.ts";
import { integer, type Parameters, type Row, type Statements, text, textOrNull } from "./statements.ts";
import { fqnTail } from "../text-range.ts";

/** A node as it is stored. */
export interface NodeState {
  seq: number;
  identity: NodeIdentity;
  curation: Curation;
  shown: StoredNode;
  columnNames: string[];
  /** The connector whose SQL and lineage are shown for the node and its columns; null if there is none. */
  lineageOwner: string | null;
  /** A rowid of `holder_sets`. */
  holders: number;
}

/** What is kept of a node after its removal. */
export interface NodePast {
  identity: NodeIdentity;
  createdAt: string;
  curation: Curation;
}

function toIdentity(row: Row): NodeIdentity {
  const parent = textOrNull(row, "parent");
  return {
    id: toNodeId(text(row, "id")),
    workspace: toWorkspaceId(text(row, "workspace")),
    platform: text(row, "platform"),
    parentId: parent === null ? null : toNodeId(parent),
  };
}

export function findNode(sql: Statements, workspace: WorkspaceId, id: NodeId): NodeState | undefined {
  const row = sql.get("SELECT * FROM nodes WHERE workspace = $workspace AND id = $id", { workspace, id });
  if (row === undefined) return undefined;
  return toState(row);
}

export function getNode(sql: Statements, seq: number): NodeState {
  const row = sql.get("SELECT * FROM nodes WHERE seq = $seq", { seq });
  if (row === undefined) throw new Error(`a claim names the node ${seq}, which does not exist`);
  return toState(row);
}

function toState(row: Row): NodeState {
  return {
    seq: integer(row, "seq"),
    identity: toIdentity(row),
    curation: parseCuration(text(row, "curation")),
    shown: parseStored(row),
    columnNames: JSON.parse(text(row, "column_names")) as string[],
    lineageOwner: textOrNull(row, "lineage_owner"),
    holders: integer(row, "holders"),
  };
}

/** The lineage holder for a column: that of its table or model. */
function parentsLineageOwner(sql: Statements, { workspace, parentId }: NodeIdentity): ConnectorId | null {
  if (parentId === null) return null;
  const row = sql.get("SELECT lineage_owner FROM nodes WHERE workspace = $workspace AND id = $parentId", {
    workspace,
    parentId,
  });
  const holder = row === undefined ? null : textOrNull(row, "lineage_owner");
  return holder === null ? null : toConnectorId(holder);
}

/** The content of a node's row, worked out from its layers. */
interface Merged {
  shown: StoredNode;
  columnNames: string[];
  lineageOwner: string | null;
  holders: number;
}

function merge(sql: Statements, identity: NodeIdentity, layers: readonly ClaimedLayer[], curation: Curation): Merged {
  const merged: ShownNode = showNode(identity, layers, curation, parentsLineageOwner(sql, identity));
  const { columnNames, ...shown } = merged;
  return { shown, columnNames, lineageOwner: lineageOwner(layers), holders: holderSet(sql, layers) };
}

/** Makes a node's row. */
export function insertNode(
  sql: Statements,
  past: NodePast,
  layers: readonly ClaimedLayer[],
  at: string,
): Pick<NodeState, "seq" | "identity" | "lineageOwner"> {
  const { identity } = past;
  const merged = merge(sql, identity, layers, past.curation);
  const row = sql.get(
    `INSERT INTO nodes (workspace, id, platform, parent, created_at, updated_at, curation, column_names, shown, type, held,
       lineage_owner, lineage_status, gap, holders, key, certification_rank, name, name_folded, name_prefix, fqn_tail, ordinal)
     VALUES ($workspace, $id, $platform, $parent, $created, $at, $curation, $columns, $shown, $type, $held,
       $holder, $status, $gap, $holders, $key, $rank, $name, $folded, $prefix, $tail, $ordinal) RETURNING seq`,
    {
      workspace: identity.workspace,
      id: identity.id,
      platform: identity.platform,
      parent: identity.parentId,
      created: past.createdAt,
      at,
      curation: JSON.stringify(past.curation),
      ...shownColumns(merged),
    },
  );
  if (row === undefined) throw new Error("no rowid was returned for an inserted node");
  const seq = integer(row, "seq");
  writeSearch(sql, seq, null, merged);
  changeFacets(sql, seq, null, merged.shown);
  return { seq, identity, lineageOwner: merged.lineageOwner };
}

/**
 * Merges a node's layers and curation again, and writes the result if it differs.
 * @returns whether what is shown changed, and the connector whose lineage is shown now
 */
export function updateNode(
  sql: Statements,
  node: NodeState,
  layers: readonly ClaimedLayer[],
  curation: Curation,
  at: string,
): { changed: boolean; lineageOwner: string | null } {
  const merged = merge(sql, node.identity, layers, curation);
  const { shown, columnNames, lineageOwner: holder, holders } = merged;
  const changed = !isDeepStrictEqual([shown, columnNames], [node.shown, node.columnNames]);
  const isSame = !changed && holder === node.lineageOwner && holders === node.holders;
  if (isSame && isDeepStrictEqual(curation, node.curation)) return { changed, lineageOwner: holder };
  sql.run(
    `UPDATE nodes SET curation = $curation, column_names = $columns, shown = $shown, type = $type, held = $held,
       lineage_owner = $holder, lineage_status = $status, gap = $gap, holders = $holders, key = $key,
       certification_rank = $rank, name = $name, name_folded = $folded, name_prefix = $prefix, fqn_tail = $tail,
       ordinal = $ordinal, updated_at = iif($changed, $at, updated_at)
     WHERE seq = $seq`,
    { seq: node.seq, at, changed: Number(changed), curation: JSON.stringify(curation), ...shownColumns(merged) },
  );
  writeSearch(sql, node.seq, node, merged);
  changeFacets(sql, node.seq, node.shown, shown);
  return { changed, lineageOwner: holder };
}

/** Removes a node that no connector states or names, and keeps what it needs if it returns. */
export function removeNode(sql: Statements, node: NodeState): void {
  sql.run(
    `INSERT INTO removed_nodes (workspace, id, platform, parent, created_at, curation)
     SELECT workspace, id, platform, parent, created_at, curation FROM nodes WHERE seq = $seq`,
    { seq: node.seq },
  );
  changeFacets(sql, node.seq, node.shown, null);
  // They went with the statements of those who named it. An edge that stayed would be another node's: SQLite gives the
  // number to the next one.
  for (const table of ["edges", "column_references"] as const) {
    sql.run(`DELETE FROM ${table} WHERE from_node = $seq`, { seq: node.seq });
    sql.run(`DELETE FROM ${table} WHERE to_node = $seq`, { seq: node.seq });
  }
  sql.run("DELETE FROM search WHERE rowid = $seq", { seq: node.seq });
  sql.run("DELETE FROM nodes WHERE seq = $seq", { seq: node.seq });
}

/** Keeps what a node that no connector states or names needs if it returns. */
export function putRemoved(sql: Statements, { identity, createdAt, curation }: NodePast): void {
  sql.run(
    `INSERT INTO removed_nodes (workspace, id, platform, parent, created_at, curation)
     VALUES ($workspace, $id, $platform, $parentId, $createdAt, $curation) ON CONFLICT DO NOTHING`,
    { ...identity, createdAt, curation: JSON.stringify(curation) },
  );
}

/** Takes what is kept of a removed node. Returns undefined if there never was one. */
export function takeRemoved(sql: Statements, workspace: WorkspaceId, id: NodeId): NodePast | undefined {
  const row = sql.get("DELETE FROM removed_nodes WHERE workspace = $workspace AND id = $id RETURNING *", {
    workspace,
    id,
  });
  if (row === undefined) return undefined;
  return {
    identity: toIdentity(row),
    createdAt: text(row, "created_at"),
    curation: parseCuration(text(row, "curation")),
  };
}

/** Only this file writes the text, from a Curation. */
export function parseCuration(curation: string): Curation {
  return JSON.parse(curation) as Curation;
}

function shownColumns({ shown, columnNames, lineageOwner: holder, holders }: Merged): Parameters {
  const fields = toSearchFields({ ...shown, description: "", tags: [], columnNames: [], owner: "", ownerName: "" });
  return {
    shown: JSON.stringify(shown),
    columns: JSON.stringify(columnNames),
    type: shown.type,
    held: Number(shown.existence === "held"),
    holder,
    status: shown.columnLineage?.status ?? null,
    gap: Number(shown.gap !== ""),
    holders,
    key: shown.key,
    rank: certificationRank(shown.certification),
    name: shown.name,
    folded: fields.name,
    prefix: fields.namePrefix,
    tail: fqnTail(fields.fqn),
    ordinal: shown.ordinal,
  };
}

type Searched = Pick<Merged, "shown" | "columnNames">;

/** A node's full-text row; null for a node that no search may find. */
function searchColumns({ shown, columnNames }: Searched): Parameters | null {
  if (shown.existence !== "held") return null;
  const fields = toSearchFields({ ...shown, columnNames });
  return {
    name: fields.nameTerms.join(" "),
    tags: fields.tagTerms.join(" "),
    description: fields.descriptionTerms.join(" "),
    scope: `${scopeToken("workspace", shown.workspace)} ${scopeToken("type", shown.type)}`,
  };
}

function writeSearch(sql: Statements, seq: number, before: Searched | null, after: Searched): void {
  const [old, now] = [before === null ? null : searchColumns(before), searchColumns(after)];
  if (isDeepStrictEqual(old, now)) return;
  if (now === null) sql.run("DELETE FROM search WHERE rowid = $seq", { seq });
  else if (old === null) {
    sql.run(
      "INSERT INTO search (rowid, name, tags, description, scope) VALUES ($seq, $name, $tags, $description, $scope)",
      { seq, ...now },
    );
  } else {
    sql.run(
      "UPDATE search SET name = $name, tags = $tags, description = $description, scope = $scope WHERE rowid = $seq",
      { seq, ...now },
    );
  }
}

/** Adds nothing if no node has had the value yet. */
const ADD_FACET = `
  INSERT INTO node_facets (facet, type, key, node) SELECT seq, $type, $key, $node FROM facets
  WHERE workspace = $workspace AND kind = $kind AND value = $value`;

function changeFacets(sql: Statements, node: number, before: StoredNode | null, after: StoredNode | null): void {
  const workspace = (after ?? before)?.workspace ?? "";
  const hasMoved = before?.type !== after?.type || before?.key !== after?.key;
  for (const kind of FACET_KINDS) {
    const old = new Set(before?.existence === "held" ? facetsOf(before)[kind] : []);
    const now = new Set(after?.existence === "held" ? facetsOf(after)[kind] : []);
    for (const value of hasMoved ? old : old.difference(now)) {
      sql.run(
        `DELETE FROM node_facets WHERE node = $node AND type = $type AND key = $key
           AND facet = (SELECT seq FROM facets WHERE workspace = $workspace AND kind = $kind AND value = $value)`,
        { node, workspace, kind, value, type: before?.type ?? "", key: before?.key ?? "" },
      );
    }
    for (const value of hasMoved ? now : now.difference(old)) {
      const row = { workspace, kind, value, node, type: after?.type ?? "", key: after?.key ?? "" };
      if (sql.run(ADD_FACET, row) > 0) continue;
      sql.run("INSERT INTO facets (workspace, kind, value) VALUES ($workspace, $kind, $value)", row);
      sql.run(ADD_FACET, row);
    }
  }
}
