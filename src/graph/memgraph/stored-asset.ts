/**
 * What is stored of a node while it is visible, and after its removal. It is read for a merge, and the result is
 * written.
 */
import { hash } from "node:crypto";

import { int } from "neo4j-driver";

import {
  type ConnectorLayer,
  type Curation,
  lineageHolder,
  type NodeIdentity,
  showNode,
  type ShownNode,
} from "../../catalog/layers.ts";
import { fold } from "../../catalog/text.ts";
import { type NodeId, toConnectorId, toNodeId, type WorkspaceId } from "../../ids.ts";
import type { Run } from "./bolt.ts";
import { holdersText } from "./claims.ts";
import { searchProperties } from "./search.ts";
import { listKeyOf } from "./list-ranges.ts";
import { nodeIdOrNull, text } from "./values.ts";

/** What is kept of a node after its removal. */
export interface Past {
  curation: Curation;
  createdAt: string;
}

/** A visible node. */
export interface Present extends Past {
  identity: NodeIdentity;
  updatedAt: string;
  fingerprint: string;
  /** The connector whose SQL and lineage are shown for the node and its columns; "" if there is none. */
  lineageHolder: string;
  /** As `holdersText` writes it. */
  holders: string;
}

export const PRESENT = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
RETURN a.id AS id, a.platform AS platform, a.parentId AS parentId, a.curation AS curation, a.createdAt AS createdAt,
  a.updatedAt AS updatedAt, a.fingerprint AS fingerprint, a.lineageHolder AS lineageHolder, a.holders AS holders`;

export const LINEAGE_HOLDERS = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
RETURN a.id AS id, a.lineageHolder AS lineageHolder`;

export const REMOVED = `
UNWIND $ids AS id
MATCH (r:Removed {id: id, workspace: $workspace})
RETURN r.id AS id, r.curation AS curation, r.createdAt AS createdAt`;

export const SAVE = `
UNWIND $rows AS row
MERGE (a:Asset {id: row.id, workspace: row.workspace})
SET a = row`;

export const FORGET = `
UNWIND $ids AS id
MATCH (r:Removed {id: id, workspace: $workspace})
DELETE r`;

export const REMEMBER = `
UNWIND $rows AS row
MERGE (r:Removed {id: row.id, workspace: row.workspace})
SET r = row`;

export const REMOVE = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
DETACH DELETE a`;

export async function loadPresent(
  run: Run,
  workspace: WorkspaceId,
  ids: readonly NodeId[],
): Promise<Map<string, Present>> {
  const rows = await run(PRESENT, { workspace, ids });
  return new Map(
    rows.map(([id, platform, parentId, curation, createdAt, updatedAt, fingerprint, holder, holders]) => [
      text(id),
      {
        identity: {
          id: toNodeId(text(id)),
          workspace,
          platform: text(platform),
          parentId: nodeIdOrNull(parentId),
        },
        curation: toCuration(curation),
        createdAt: text(createdAt),
        updatedAt: text(updatedAt),
        fingerprint: text(fingerprint),
        lineageHolder: text(holder),
        holders: text(holders),
      },
    ]),
  );
}

/** The lineage holders of these nodes. An id without a node has no entry; "" if a node has no holder. */
export async function loadLineageHolders(
  run: Run,
  workspace: WorkspaceId,
  ids: readonly NodeId[],
): Promise<Map<string, string>> {
  const rows = ids.length === 0 ? [] : await run(LINEAGE_HOLDERS, { workspace, ids: [...new Set(ids)] });
  return new Map(rows.map(([id, holder]) => [text(id), text(holder)]));
}

export async function loadRemoved(
  run: Run,
  workspace: WorkspaceId,
  ids: readonly NodeId[],
): Promise<Map<NodeId, Past>> {
  const rows = await run(REMOVED, { workspace, ids });
  return new Map(
    rows.map(([id, curation, createdAt]) => [
      toNodeId(text(id)),
      { curation: toCuration(curation), createdAt: text(createdAt) },
    ]),
  );
}

function toCuration(value: unknown): Curation {
  // Only this file writes the text, from a Curation.
  return JSON.parse(text(value)) as Curation;
}

/** An `:Asset` to save. */
export interface Shown {
  properties: Record<string, unknown>;
  /** Whether anything that is shown or searched has changed. */
  changed: boolean;
  /** Whether there is anything to save. */
  stale: boolean;
  lineageHolder: string;
}

/**
 * Merges the layers and the curation of a node.
 * @param before the node as it is stored; null for a new node
 * @param parentHolder for a column: its parent's lineage holder; "" if there is none
 * @param at becomes `updatedAt` if anything changed, and `createdAt` of a new node
 */
export function show(
  identity: NodeIdentity,
  layers: readonly ConnectorLayer[],
  before: Past | Present | null,
  { parentHolder, at }: { parentHolder: string; at: string },
): Shown {
  const curation = before?.curation ?? {};
  const node = showNode(identity, layers, curation, parentHolder === "" ? null : toConnectorId(parentHolder));
  const holder = lineageHolder(layers) ?? "";
  const holders = holdersText(identity.workspace, layers);
  const fingerprint = fingerprintOf(node);
  const present = before !== null && "fingerprint" in before ? before : null;
  const changed = present === null || present.fingerprint !== fingerprint;
  const properties = {
    ...toProperties(node),
    fingerprint,
    lineageHolder: holder,
    holders,
    curation: JSON.stringify(curation),
    createdAt: before?.createdAt ?? at,
    updatedAt: changed ? at : present.updatedAt,
  };
  const stale = changed || present.lineageHolder !== holder || present.holders !== holders;
  return { properties, changed, stale, lineageHolder: holder };
}

/** A node as properties, without nulls. They replace all earlier properties. */
function toProperties(node: ShownNode): Record<string, unknown> {
  const { columnNames: _, columnLineage, meta, metric, ordinal, ...shown } = node;
  const properties = {
    ...shown,
    ...searchProperties(node),
    ordinal: ordinal === null ? null : int(ordinal),
    meta: JSON.stringify(meta),
    metric: metric === null ? null : JSON.stringify(metric),
    columnLineage: columnLineage === null ? null : JSON.stringify(columnLineage),
    ownerFolded: fold(node.owner),
    // A node without the key is in no list, search or count.
    listKey: node.existence === "held" ? listKeyOf(node.workspace, node.type, node.key) : null,
  };
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
}

/** A hash that changes if anything shown or searched changes. */
function fingerprintOf(node: ShownNode): string {
  return hash("sha256", JSON.stringify(node), "hex");
}

export async function saveAssets(run: Run, rows: readonly Record<string, unknown>[]): Promise<void> {
  if (rows.length > 0) await run(SAVE, { rows });
}

/** Removes nodes with their edges, and keeps what they need if they return. */
export async function removeAssets(run: Run, workspace: WorkspaceId, nodes: readonly Present[]): Promise<void> {
  if (nodes.length === 0) return;
  const rows = nodes.map(({ identity: { id }, curation, createdAt }) => ({
    id,
    workspace,
    curation: JSON.stringify(curation),
    createdAt,
  }));
  await run(REMEMBER, { rows });
  await run(REMOVE, { workspace, ids: rows.map((row) => row.id) });
}

/** Deletes what was kept of removed nodes that have returned. */
export async function forgetRemoved(run: Run, workspace: WorkspaceId, ids: readonly NodeId[]): Promise<void> {
  if (ids.length > 0) await run(FORGET, { workspace, ids });
}
