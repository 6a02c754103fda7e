/** Writes a node's row together with all that finds it: its full-text row and its facets. */
import { isDeepStrictEqual } from "node:util";

import type { NodeType } from "../../catalog/asset.ts";
import { type ConnectorLayer, type Curation, type NodeIdentity, showNode } from "../../catalog/layers.ts";
import { certificationRank, toSearchFields } from "../../catalog/search.ts";
import { FACET_KINDS, facetsOf } from "./filter.ts";
import { parseStored, type StoredNode } from "./node-row.ts";
import { scopeToken } from "./search-match.ts";
import { integer, type Parameters, type Row, type Statements, text, textOrNull } from "./statements.ts";
import { fqnTail } from "./text-range.ts";

/** A node as it stands in the file. */
export interface NodeState {
  seq: number;
  identity: NodeIdentity;
  curation: Curation;
  shown: StoredNode;
  columnNames: string[];
}

/** What outlives a node's removal. */
export interface NodePast {
  identity: NodeIdentity;
  createdAt: string;
  curation: Curation;
}

function toIdentity(row: Row): NodeIdentity {
  return {
    id: text(row, "id"),
    workspace: text(row, "workspace"),
    type: text(row, "type") as NodeType,
    platform: text(row, "platform"),
    parentId: textOrNull(row, "parent"),
  };
}

export function findNode(sql: Statements, workspace: string, id: string): NodeState | undefined {
  const row = sql.get("SELECT * FROM nodes WHERE workspace = $workspace AND id = $id", { workspace, id });
  if (row === undefined) return undefined;
  return toState(row);
}

export function getNode(sql: Statements, seq: number): NodeState {
  const row = sql.get("SELECT * FROM nodes WHERE seq = $seq", { seq });
  if (row === undefined) throw new Error(`a claim names the node ${seq}, which is not there`);
  return toState(row);
}

function toState(row: Row): NodeState {
  return {
    seq: integer(row, "seq"),
    identity: toIdentity(row),
    curation: parseCuration(text(row, "curation")),
    shown: parseStored(row),
    columnNames: JSON.parse(text(row, "column_names")) as string[],
  };
}

/** Makes a node's row. */
export function insertNode(sql: Statements, past: NodePast, layers: readonly ConnectorLayer[], at: string): number {
  const { columnNames, ...shown } = showNode(past.identity, layers, past.curation);
  const row = sql.get(
    `INSERT INTO nodes (workspace, id, type, platform, parent, created_at, updated_at, curation, column_names, shown,
       key, certification_rank, name, name_folded, name_prefix, fqn_tail, ordinal)
     VALUES ($workspace, $id, $type, $platform, $parent, $created, $at, $curation, $columns, $shown,
       $key, $rank, $name, $folded, $prefix, $tail, $ordinal) RETURNING seq`,
    {
      workspace: shown.workspace,
      id: shown.id,
      type: shown.type,
      platform: shown.platform,
      parent: shown.parentId,
      created: past.createdAt,
      at,
      curation: JSON.stringify(past.curation),
      ...shownColumns(shown, columnNames),
    },
  );
  if (row === undefined) throw new Error("an inserted node answered no rowid");
  const seq = integer(row, "seq");
  sql.run(
    "INSERT INTO search (rowid, name, tags, description, scope) VALUES ($seq, $name, $tags, $description, $scope)",
    {
      seq,
      scope: `${scopeToken("workspace", shown.workspace)} ${scopeToken("type", shown.type)}`,
      ...searchColumns(shown, columnNames),
    },
  );
  changeFacets(sql, seq, null, shown);
  return seq;
}

/**
 * Merges a node's layers and its curation anew and writes what came out differently.
 * @returns whether what is shown changed
 */
export function updateNode(
  sql: Statements,
  node: NodeState,
  layers: readonly ConnectorLayer[],
  curation: Curation,
  at: string,
): boolean {
  const { columnNames, ...shown } = showNode(node.identity, layers, curation);
  const changed = !isDeepStrictEqual([shown, columnNames], [node.shown, node.columnNames]);
  if (!changed && isDeepStrictEqual(curation, node.curation)) return false;
  sql.run(
    `UPDATE nodes SET curation = $curation, column_names = $columns, shown = $shown, key = $key,
       certification_rank = $rank, name = $name, name_folded = $folded, name_prefix = $prefix, fqn_tail = $tail,
       ordinal = $ordinal, updated_at = iif($changed, $at, updated_at)
     WHERE seq = $seq`,
    {
      seq: node.seq,
      at,
      changed: Number(changed),
      curation: JSON.stringify(curation),
      ...shownColumns(shown, columnNames),
    },
  );
  const before = searchColumns(node.shown, node.columnNames);
  const after = searchColumns(shown, columnNames);
  if (!isDeepStrictEqual(before, after)) {
    sql.run("UPDATE search SET name = $name, tags = $tags, description = $description WHERE rowid = $seq", {
      seq: node.seq,
      ...after,
    });
  }
  changeFacets(sql, node.seq, node.shown, shown);
  return changed;
}

/** Takes a node out of sight, with what people connected it to, and keeps what its return will need. */
export function removeNode(sql: Statements, node: NodeState): void {
  sql.run(
    `INSERT INTO removed_nodes (workspace, id, type, platform, parent, created_at, curation)
     SELECT workspace, id, type, platform, parent, created_at, curation FROM nodes WHERE seq = $seq`,
    { seq: node.seq },
  );
  changeFacets(sql, node.seq, node.shown, null);
  for (const table of ["edges", "column_references"] as const) {
    sql.run(`DELETE FROM ${table} WHERE from_node = $seq`, { seq: node.seq });
    sql.run(`DELETE FROM ${table} WHERE to_node = $seq`, { seq: node.seq });
  }
  sql.run("DELETE FROM search WHERE rowid = $seq", { seq: node.seq });
  sql.run("DELETE FROM nodes WHERE seq = $seq", { seq: node.seq });
}

/** Takes up what a removed node left; undefined where it never was. */
export function takeRemoved(sql: Statements, workspace: string, id: string): NodePast | undefined {
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

function shownColumns(shown: StoredNode, columnNames: readonly string[]): Parameters {
  const fields = toSearchFields({ ...shown, description: "", tags: [], columnNames: [] });
  return {
    shown: JSON.stringify(shown),
    columns: JSON.stringify(columnNames),
    key: shown.key,
    rank: certificationRank(shown.certification),
    name: shown.name,
    folded: fields.name,
    prefix: fields.namePrefix,
    tail: fqnTail(fields.fqn),
    ordinal: shown.ordinal,
  };
}

function searchColumns(shown: StoredNode, columnNames: readonly string[]): Parameters {
  const fields = toSearchFields({ ...shown, columnNames });
  return {
    name: fields.nameTerms.join(" "),
    tags: fields.tagTerms.join(" "),
    description: fields.descriptionTerms.join(" "),
  };
}

function changeFacets(sql: Statements, node: number, before: StoredNode | null, after: StoredNode | null): void {
  const workspace = (after ?? before)?.workspace ?? "";
  for (const kind of FACET_KINDS) {
    const old = new Set(before === null ? [] : facetsOf(before)[kind]);
    const now = new Set(after === null ? [] : facetsOf(after)[kind]);
    for (const value of old.difference(now)) {
      sql.run(
        `DELETE FROM node_facets WHERE node = $node
           AND facet = (SELECT seq FROM facets WHERE workspace = $workspace AND kind = $kind AND value = $value)`,
        { node, workspace, kind, value },
      );
    }
    for (const value of now.difference(old)) {
      const facet = { workspace, kind, value };
      sql.run(
        "INSERT INTO facets (workspace, kind, value) VALUES ($workspace, $kind, $value) ON CONFLICT DO NOTHING",
        facet,
      );
      sql.run(
        `INSERT INTO node_facets (facet, node) SELECT seq, $node FROM facets
         WHERE workspace = $workspace AND kind = $kind AND value = $value`,
        { ...facet, node },
      );
    }
  }
}
