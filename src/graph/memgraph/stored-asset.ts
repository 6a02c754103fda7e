/**
 * What is stored of a node while it is visible, and after its removal. It is read for a merge, and the result is
 * written.
 */
import { hash } from "node:crypto";

import { int } from "neo4j-driver";

import {
  type ConnectorLayer,
  type Curation,
  lineageOwner,
  type NodeIdentity,
  showNode,
  type ShownNode,
} from "../../catalog/layers.ts";
import { fold } from "../../catalog/text.ts";
import { type NodeId, toConnectorId, toNodeId, type WorkspaceId } from "../../ids.ts";
import type { Run } from "./bolt.ts";
import { holdersText } from "./claims.ts";
import { listKeyOf } from "./list-ranges.ts";
import { deleteUnused, loadTerms, saveTerms } from "./save-terms.ts";
import { searchEntry, type Term } from "./search-index.ts";
import { nodeIdOrNull, text, textOrNull } from "./values.ts";

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
  lineageOwner: string;
  /** As `holdersText` writes it. */
  holders: string;
  /** The hash of its terms; null if it has none. */
  termsHash: string | null;
}

export const PRESENT = `
UNWIND $ids AS id
MATCH (a:Asset {id, workspace: $workspace})
RETURN a.id AS id, a.platform AS platform, a.parentId AS parentId, a.curation AS curation, a.createdAt AS createdAt,
  a.updatedAt AS updatedAt, a.fingerprint AS fingerprint, a.lineageOwner AS lineageOwner, a.holders AS holders,
  a.termsHash AS termsHash`;

export const LINEAGE_HOLDERS = `
UNWIND $ids AS id
MATCH (a:Asset {id, workspace: $workspace})
RETURN a.id AS id, a.lineageOwner AS lineageOwner`;

export const REMOVED = `
UNWIND $ids AS id
MATCH (r:Removed {id, workspace: $workspace})
RETURN r.id AS id, r.curation AS curation, r.createdAt AS createdAt`;

/** All properties of an `:Asset`, in the order of a row that creates one. */
export const ASSET_PROPERTIES: readonly string[] = `
  id type existence key name fqn platform parentId ordinal dataType inferred description tags certification
  certifiedBy certifiedAt owner ownerName ownerFolded sourceConnector connectors lineageConnector url sql
  columnLineage gap materialization resourceTypes meta metric createdAt updatedAt fingerprint lineageOwner
  holders curation listKey searchName searchFqn searchPrefix nameTerms tagTerms descriptionTerms nameAt
  beginsAt fqnAt standing termsHash`
  .trim()
  .split(/\s+/);

/** Rows are lists: the server reads them faster than maps. A null is not stored. */
export const ADD = `
UNWIND $rows AS row
CREATE (a:Asset {workspace: $workspace, ${ASSET_PROPERTIES.map((name, i) => `${name}: row[${i}]`).join(", ")}})`;

export const SAVE = `
UNWIND $rows AS row
MERGE (a:Asset {id: row.id, workspace: row.workspace})
SET a = row`;

export const FORGET = `
UNWIND $ids AS id
MATCH (r:Removed {id, workspace: $workspace})
DELETE r`;

export const REMEMBER = `
UNWIND $rows AS row
MERGE (r:Removed {id: row.id, workspace: row.workspace})
SET r = row`;

export const REMOVE = `
UNWIND $ids AS id
MATCH (a:Asset {id, workspace: $workspace})
DETACH DELETE a`;

export async function loadPresent(
  run: Run,
  workspace: WorkspaceId,
  ids: readonly NodeId[],
): Promise<Map<string, Present>> {
  const rows = await run(PRESENT, { workspace, ids });
  return new Map(
    rows.map(([id, platform, parentId, curation, createdAt, updatedAt, fingerprint, owner, ...more]) => [
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
        lineageOwner: text(owner),
        holders: text(more[0]),
        termsHash: textOrNull(more[1]),
      },
    ]),
  );
}

/** The lineage holders of these nodes. An id without a node has no entry; "" if a node has no holder. */
export async function loadLineageOwners(
  run: Run,
  workspace: WorkspaceId,
  ids: readonly NodeId[],
): Promise<Map<string, string>> {
  const rows = ids.length === 0 ? [] : await run(LINEAGE_HOLDERS, { workspace, ids: [...new Set(ids)] });
  return new Map(rows.map(([id, owner]) => [text(id), text(owner)]));
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

/** Only this file writes the text, from a Curation. */
export function toCuration(value: unknown): Curation {
  return JSON.parse(text(value)) as Curation;
}

/** An `:Asset` to save. */
export interface Shown {
  id: NodeId;
  properties: Record<string, unknown>;
  /** The words by which it is found; none if it is only named. */
  terms: readonly Term[];
  /** Whether the store has no such node. */
  isNew: boolean;
  /** The hash of the terms that it has in the store; null if it has none. */
  termsHashBefore: string | null;
  /** Whether anything that is shown or searched has changed. */
  changed: boolean;
  /** Whether there is anything to save. */
  stale: boolean;
  lineageOwner: string;
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
  { parentLineageOwner, at }: { parentLineageOwner: string; at: string },
): Shown {
  const curation = before?.curation ?? {};
  const node = showNode(
    identity,
    layers,
    curation,
    parentLineageOwner === "" ? null : toConnectorId(parentLineageOwner),
  );
  const owner = lineageOwner(layers) ?? "";
  const holders = holdersText(identity.workspace, layers);
  const fingerprint = fingerprintOf(node);
  const present = before !== null && "fingerprint" in before ? before : null;
  const changed = present === null || present.fingerprint !== fingerprint;
  const { properties: own, terms } = toProperties(node);
  const properties = {
    ...own,
    fingerprint,
    lineageOwner: owner,
    holders,
    curation: JSON.stringify(curation),
    createdAt: before?.createdAt ?? at,
    updatedAt: changed ? at : present.updatedAt,
  };
  const stale = changed || present.lineageOwner !== owner || present.holders !== holders;
  const termsHashBefore = present?.termsHash ?? null;
  const isNew = present === null;
  return { id: identity.id, isNew, properties, terms, termsHashBefore, changed, stale, lineageOwner: owner };
}

/** A node as properties, without nulls. They replace all earlier properties. */
function toProperties(node: ShownNode): { properties: Record<string, unknown>; terms: Term[] } {
  const { columnNames: _, columnLineage, meta, metric, ordinal, ...shown } = node;
  const { texts, places, terms } = searchEntry(node, node.existence === "held");
  const properties = {
    ...shown,
    ...texts,
    ...places,
    ordinal: ordinal === null ? null : int(ordinal),
    meta: JSON.stringify(meta),
    metric: metric === null ? null : JSON.stringify(metric),
    columnLineage: columnLineage === null ? null : JSON.stringify(columnLineage),
    ownerFolded: fold(node.owner),
    // A node without the key is in no list, search or count.
    listKey: node.existence === "held" ? listKeyOf(node.workspace, node.type, node.key) : null,
  };
  return { properties: Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null)), terms };
}

/** A hash that changes if anything shown or searched changes. */
function fingerprintOf(node: ShownNode): string {
  return hash("sha256", JSON.stringify(node), "hex");
}

/** Saves assets with their terms. */
export async function saveAssets(run: Run, workspace: WorkspaceId, assets: readonly Shown[]): Promise<void> {
  if (assets.length === 0) return;
  const [created, known] = [true, false].map((isNew) => assets.filter((asset) => asset.isNew === isNew));
  if (created !== undefined && created.length > 0) {
    const rows = created.map(({ properties }) => ASSET_PROPERTIES.map((name) => properties[name] ?? null));
    await run(ADD, { workspace, rows });
  }
  if (known !== undefined && known.length > 0) await run(SAVE, { rows: known.map(({ properties }) => properties) });
  const changes = assets.filter(({ properties, termsHashBefore }) => {
    return (properties["termsHash"] ?? null) !== termsHashBefore;
  });
  await saveTerms(
    run,
    workspace,
    changes.map(({ id, terms, termsHashBefore }) => ({ id, terms, isNew: termsHashBefore === null })),
  );
}

/** Keeps what nodes need if they return. They must not be visible. */
export async function rememberRemoved(run: Run, nodes: readonly (Past & { identity: NodeIdentity })[]): Promise<void> {
  if (nodes.length === 0) return;
  const rows = nodes.map(({ identity: { id, workspace, platform, parentId }, curation, createdAt }) => ({
    id,
    workspace,
    platform,
    ...(parentId !== null && { parentId }),
    curation: JSON.stringify(curation),
    createdAt,
  }));
  await run(REMEMBER, { rows });
}

/** Removes nodes with their edges and terms, and keeps what they need if they return. */
export async function removeAssets(run: Run, workspace: WorkspaceId, nodes: readonly Present[]): Promise<void> {
  if (nodes.length === 0) return;
  const ids = nodes.map(({ identity }) => identity.id);
  const places = [...(await loadTerms(run, workspace, ids)).values()].flat();
  await rememberRemoved(run, nodes);
  await run(REMOVE, { workspace, ids });
  await deleteUnused(run, workspace, places);
}

/** Deletes what was kept of removed nodes that have returned. */
export async function forgetRemoved(run: Run, workspace: WorkspaceId, ids: readonly NodeId[]): Promise<void> {
  if (ids.length > 0) await run(FORGET, { workspace, ids });
}
