/** Loads and writes the rows of nodes, and with them the rows by which they are found: full-text rows and facets. */
import type { Curation, NodeIdentity, ShownNode } from "../../catalog/layers.ts";
import { standingOf, toSearchFields } from "../../catalog/search.ts";
import { usageRank } from "../../catalog/usage.ts";
import { type NodeId, toConnectorId, toNodeId, toWorkspaceId } from "../../ids.ts";
import type { NodeChange, NodePast, NodeRow } from "../rows.ts";
import { fqnTail } from "../text-range.ts";
import { FACET_KINDS, facetsOf } from "./filter.ts";
import { parseUsage, type StoredNode } from "./node-row.ts";
import type { Rows } from "./rowids.ts";
import { parseSearched, type Searched, type SearchChange } from "./search-rows.ts";
import { idOrNull, integer, type Parameters, type Row, type Statements, text } from "./statements.ts";

const LOAD = `
  SELECT n.seq, n.workspace, n.id, n.platform, n.parent, n.created_at, n.updated_at, n.curation, n.since,
    n.lineage_owner, n.source_set, n.usage, n.shown, n.column_names
  FROM json_each($ids) AS asked CROSS JOIN nodes AS n ON n.workspace = $workspace AND n.id = asked.value`;

export function loadNodeRows({ sql, workspace, nodes }: Rows, ids: readonly NodeId[]): Map<NodeId, NodeRow> {
  const found = sql.all(LOAD, { workspace, ids: JSON.stringify(ids) }).map((row): [NodeId, NodeRow] => {
    const past = toPast(row);
    nodes.set(past.identity.id, integer(row, "seq"));
    return [
      past.identity.id,
      {
        ...past,
        updatedAt: text(row, "updated_at"),
        since: integer(row, "since"),
        lineageOwner: idOrNull(row, "lineage_owner", toConnectorId),
        usage: parseUsage(row),
        fingerprint: `${text(row, "shown")}\n${text(row, "column_names")}`,
        sources: integer(row, "source_set"),
      },
    ];
  });
  return new Map(found);
}

/** The two texts in which a node is stored, on a line each. */
export function fingerprintOf({ columnNames, ...shown }: ShownNode): string {
  return `${JSON.stringify(shown)}\n${JSON.stringify(columnNames)}`;
}

/** Only `fingerprintOf` writes the texts. */
export function parseFingerprint(fingerprint: string): Searched {
  const [shown = "", columnNames = ""] = fingerprint.split("\n");
  return parseSearched(shown, columnNames);
}

function toPast(row: Row): NodePast {
  const identity: NodeIdentity = {
    id: toNodeId(text(row, "id")),
    workspace: toWorkspaceId(text(row, "workspace")),
    platform: text(row, "platform"),
    parentId: idOrNull(row, "parent", toNodeId),
  };
  return { identity, createdAt: text(row, "created_at"), curation: parseCuration(text(row, "curation")) };
}

/** Only this file writes the text, from a Curation. */
export function parseCuration(curation: string): Curation {
  return JSON.parse(curation) as Curation;
}

const INSERT = `
  INSERT INTO nodes (workspace, id, platform, parent, created_at, updated_at, curation, column_names, shown, type, held,
    lineage_owner, lineage_status, gap, source_set, key, standing, name, name_folded, name_prefix, fqn_tail,
    ordinal, since, usage, usage_rank)
  VALUES ($workspace, $id, $platform, $parent, $created, $updated, $curation, $columns, $shown, $type, $held,
    $owner, $status, $gap, $sources, $key, $standing, $name, $folded, $prefix, $tail, $ordinal, $since, $usage, $rank) RETURNING seq`;

const UPDATE = `
  UPDATE nodes SET curation = $curation, column_names = $columns, shown = $shown, type = $type, held = $held,
    lineage_owner = $owner, lineage_status = $status, gap = $gap, source_set = $sources, key = $key,
    standing = $standing, name = $name, name_folded = $folded, name_prefix = $prefix, fqn_tail = $tail,
    ordinal = $ordinal, updated_at = $updated, since = $since, usage = $usage, usage_rank = $rank
  WHERE seq = $seq`;

/** @returns the change that `writeSearch` has to write */
export function saveNode(rows: Rows, { before, now, shown: node }: NodeChange): SearchChange[] {
  const { sql, nodes } = rows;
  const { id, workspace, platform, parentId } = now.identity;
  const { columnNames, ...shown } = node;
  const searched = { shown, columnNames };
  const columns = toColumns(now, node);
  if (before === null) {
    const row = sql.get(INSERT, { ...columns, workspace, id, platform, parent: parentId, created: now.createdAt });
    if (row === undefined) throw new Error("no rowid was returned for an inserted node");
    const seq = integer(row, "seq");
    nodes.set(id, seq);
    changeFacets(sql, seq, null, shown);
    return [{ seq, before: null, now: searched }];
  }
  const seq = requireNode(rows, id);
  sql.run(UPDATE, { ...columns, seq });
  if (before.fingerprint === now.fingerprint) return [];
  const old = parseFingerprint(before.fingerprint);
  changeFacets(sql, seq, old.shown, shown);
  return [{ seq, before: old, now: searched }];
}

export function requireNode(rows: Rows, id: NodeId): number {
  const seq = rows.node(id);
  if (seq === undefined) throw new Error(`the node ${id} does not exist`);
  return seq;
}

/**
 * Removes a node that no connector states or names, and keeps what it needs if it returns.
 * @returns the change that `writeSearch` has to write
 */
export function removeNode(rows: Rows, node: NodeRow): SearchChange {
  const { sql, nodes } = rows;
  const { id } = node.identity;
  const seq = requireNode(rows, id);
  keepRemoved(rows, node);
  const before = parseFingerprint(node.fingerprint);
  changeFacets(sql, seq, before.shown, null);
  // Usually there are none: edges go when their connector states nothing more about an end. An edge that stayed would
  // soon belong to another node, because SQLite uses rowids again.
  for (const table of ["edges", "column_references"] as const) {
    sql.run(`DELETE FROM ${table} WHERE from_node = $seq`, { seq });
    sql.run(`DELETE FROM ${table} WHERE to_node = $seq`, { seq });
  }
  sql.run("DELETE FROM nodes WHERE seq = $seq", { seq });
  nodes.delete(id);
  return { seq, before, now: null };
}

/** Keeps what a node that no connector states or names needs if it returns. */
export function keepRemoved({ sql }: Rows, { identity, createdAt, curation }: NodePast): void {
  const { workspace, id, platform, parentId } = identity;
  sql.run(
    `INSERT INTO removed_nodes (workspace, id, platform, parent, created_at, curation)
     VALUES ($workspace, $id, $platform, $parentId, $createdAt, $curation) ON CONFLICT DO NOTHING`,
    { workspace, id, platform, parentId, createdAt, curation: JSON.stringify(curation) },
  );
}

export function loadRemoved({ sql, workspace }: Rows, ids: readonly NodeId[]): Map<NodeId, NodePast> {
  const rows = sql.all(
    `SELECT r.* FROM json_each($ids) AS asked
       CROSS JOIN removed_nodes AS r ON r.workspace = $workspace AND r.id = asked.value`,
    { workspace, ids: JSON.stringify(ids) },
  );
  return new Map(rows.map(toPast).map((past) => [past.identity.id, past]));
}

export function forgetRemoved({ sql, workspace }: Rows, id: NodeId): void {
  sql.run("DELETE FROM removed_nodes WHERE workspace = $workspace AND id = $id", { workspace, id });
}

function toColumns(
  { curation, updatedAt, since, lineageOwner, sources, usage, fingerprint }: NodeRow,
  shown: ShownNode,
): Parameters {
  const fields = toSearchFields({ ...shown, description: "", tags: [], columnNames: [], owner: "", ownerName: "" });
  const [stored = "", columns = ""] = fingerprint.split("\n");
  return {
    shown: stored,
    columns,
    type: shown.type,
    held: Number(shown.existence === "held"),
    owner: lineageOwner,
    status: shown.columnLineage?.status ?? null,
    gap: Number(shown.gap !== ""),
    sources,
    key: shown.key,
    standing: standingOf(shown),
    name: shown.name,
    folded: fields.name,
    prefix: fields.namePrefix,
    tail: fqnTail(fields.fqn),
    ordinal: shown.ordinal,
    curation: JSON.stringify(curation),
    updated: updatedAt,
    since,
    usage: usage === null ? null : JSON.stringify(usage),
    rank: usageRank(usage),
  };
}

/** Adds nothing if no node has had the value yet. */
const ADD_FACET = `
  INSERT INTO node_facets (facet, type, key, node) SELECT seq, $type, $key, $node FROM facets
  WHERE workspace = $workspace AND kind = $kind AND value = $value`;

const STORED_FACETS = [...FACET_KINDS, "person"] as const;

function changeFacets(sql: Statements, node: number, before: StoredNode | null, after: StoredNode | null): void {
  const workspace = (after ?? before)?.workspace ?? "";
  const hasMoved = before?.type !== after?.type || before?.key !== after?.key;
  const [past, present] = [before, after].map((at) => (at?.existence === "held" ? facetsOf(at) : null));
  for (const kind of STORED_FACETS) {
    const old = new Set(past?.[kind]);
    const now = new Set(present?.[kind]);
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
