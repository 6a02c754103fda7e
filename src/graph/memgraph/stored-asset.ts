/**
 * What is stored of a node while it is visible, and after its removal. It is read for a merge, and the result is
 * written.
 */
import { hash } from "node:crypto";

import { int } from "neo4j-driver";

import type { Curation, NodeIdentity, ShownNode } from "../../catalog/layers.ts";
import { fold } from "../../catalog/text.ts";
import { usageRank } from "../../catalog/usage.ts";
import { type ConnectorId, type NodeId, toConnectorId, type WorkspaceId } from "../../ids.ts";
import type { NodeChange, NodePast, NodeRow } from "../rows.ts";
import type { Run } from "./bolt.ts";
import { columns } from "./columns.ts";
import { listKeyOf } from "./list-ranges.ts";
import { beginText } from "./moment-texts.ts";
import { deleteUnused, loadTerms, saveTerms } from "./save-terms.ts";
import { searchEntry, type Term } from "./search-index.ts";
import { orderText, recount } from "./sort-nodes.ts";
import { SINCE } from "./stated-nodes.ts";
import * as read from "./values.ts";

const PAST = {
  id: read.nodeId,
  platform: read.text,
  parentId: read.nodeIdOrNull,
  curation: read.json<Curation>,
  createdAt: read.text,
};
const PAST_ROW = columns(PAST);
/** A visible node, with the hash of its terms; null if it has none. */
const PRESENT_ROW = columns(
  {
    ...PAST,
    updatedAt: read.text,
    fingerprint: read.text,
    lineageOwner: toOwner,
    sources: read.text,
    termsHash: read.textOrNull,
    since: read.integer,
    usage: read.usageOrNull,
  },
  { ...SINCE, sources: (a) => `${a}.holders` },
);

export const PRESENT = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
RETURN ${PRESENT_ROW.of("a")}`;

export const LINEAGE_OWNERS = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
RETURN a.id AS id, a.lineageOwner AS lineageOwner`;

export const REMOVED = `
UNWIND $ids AS id
MATCH (r:Removed {id: id, workspace: $workspace})
RETURN ${PAST_ROW.of("r")}`;

/**
 * All properties of an `:Asset`, in the order of a row that creates one. `holders` is the text of the sources that state
 * it.
 */
export const ASSET_PROPERTIES: readonly string[] = `
  id type existence key name fqn platform parentId ordinal dataType inferred description tags certification
  certifiedBy certifiedAt owner ownerName ownerFolded sourceConnector connectors lineageConnector url sql
  columnLineage gap materialization resourceTypes meta metric usage createdAt updatedAt since beganAt fingerprint lineageOwner
  holders curation listKey searchName searchFqn searchPrefix nameTerms tagTerms descriptionTerms nameAt
  beginsAt fqnAt standing personAt termsHash byName byUpdate byDownstream byUsage usageRank downstream`
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
MATCH (r:Removed {id: id, workspace: $workspace})
DELETE r`;

export const REMEMBER = `
UNWIND $rows AS row
MERGE (r:Removed {id: row.id, workspace: row.workspace})
SET r = row`;

export const SOURCES_OF = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})<-[:FEEDS|FEEDS_COLUMN]-(b)
RETURN DISTINCT b.id AS id`;

export const REMOVE = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
DETACH DELETE a`;

export async function loadPresent(
  run: Run,
  workspace: WorkspaceId,
  ids: readonly NodeId[],
): Promise<Map<NodeId, NodeRow & { termsHash: string | null }>> {
  return byId(workspace, (await run(PRESENT, { workspace, ids })).map(PRESENT_ROW.read));
}

/** The lineage owners of these nodes. An id without a node has no entry. */
export async function loadLineageOwners(
  run: Run,
  workspace: WorkspaceId,
  ids: readonly NodeId[],
): Promise<Map<NodeId, ConnectorId | null>> {
  const rows = ids.length === 0 ? [] : await run(LINEAGE_OWNERS, { workspace, ids });
  return new Map(rows.map(([id, owner]) => [read.nodeId(id), toOwner(owner)]));
}

/** Stored as "" if there is none. */
export function toOwner(value: unknown): ConnectorId | null {
  const owner = read.text(value);
  return owner === "" ? null : toConnectorId(owner);
}

export async function loadRemoved(
  run: Run,
  workspace: WorkspaceId,
  ids: readonly NodeId[],
): Promise<Map<NodeId, NodePast>> {
  return byId(workspace, (await run(REMOVED, { workspace, ids })).map(PAST_ROW.read));
}

function byId<T extends Omit<NodeIdentity, "workspace">>(workspace: WorkspaceId, rows: readonly T[]) {
  return new Map(
    rows.map(({ id, platform, parentId, ...row }) => [id, { identity: { id, workspace, platform, parentId }, ...row }]),
  );
}

/** What is written of a node: the properties of its `:Asset`, and the terms by which it is found. */
export function toAsset({ before, now, shown }: NodeChange): {
  id: NodeId;
  isNew: boolean;
  properties: Record<string, unknown>;
  terms: Term[];
} {
  const { curation, createdAt, updatedAt, since, fingerprint, lineageOwner, sources, usage } = now;
  const { properties: own, terms } = toProperties(shown);
  const stored = {
    curation: JSON.stringify(curation),
    createdAt,
    updatedAt,
    since: int(since),
    beganAt: beginText(shown.workspace, since),
    fingerprint,
    holders: sources,
    usage: usage === null ? null : JSON.stringify(usage),
  };
  const properties = { ...own, ...withoutNulls(stored), lineageOwner: lineageOwner ?? "", ...toPlaces(shown, now) };
  return { id: shown.id, isNew: before === null, properties, terms };
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
  return { properties: withoutNulls(properties), terms };
}

function withoutNulls(properties: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
}

/** The places of a node in the orders of lists, as if it had no consumers. Those of a known node are counted again. */
function toPlaces(
  { workspace, type, key, name, existence }: ShownNode,
  { updatedAt, usage }: Pick<NodeRow, "updatedAt" | "usage">,
): Record<string, unknown> {
  const downstream = int(0);
  if (existence !== "held" || type === "column") return { downstream };
  return {
    downstream,
    byName: orderText(workspace, type, "name", { value: fold(name), key }),
    byUpdate: orderText(workspace, type, "updated", { value: updatedAt, key }),
    byDownstream: orderText(workspace, type, "downstream", { value: 0, key }),
    byUsage: orderText(workspace, type, "usage", { value: usageRank(usage), key }),
    usageRank: int(usageRank(usage)),
  };
}

/** A hash that changes if anything shown or searched changes. */
export function fingerprintOf(node: ShownNode): string {
  return hash("sha256", JSON.stringify(node), "hex");
}

/**
 * Saves assets with their terms.
 * @param termsHashOf the hash of the terms that a node has in the store; null if it has none
 */
export async function saveAssets(
  run: Run,
  workspace: WorkspaceId,
  changes: readonly NodeChange[],
  termsHashOf: (id: NodeId) => string | null,
): Promise<void> {
  if (changes.length === 0) return;
  const assets = changes.map(toAsset);
  const created = assets.filter(({ isNew }) => isNew);
  if (created.length > 0) {
    const rows = created.map(({ properties }) => ASSET_PROPERTIES.map((name) => properties[name] ?? null));
    await run(ADD, { workspace, rows });
  }
  const known = assets.filter(({ isNew }) => !isNew);
  if (known.length > 0) {
    await run(SAVE, { rows: known.map(({ properties }) => properties) });
    const ids = known.map(({ id }) => id);
    await recount(run, workspace, ids);
  }
  const changed = assets
    .filter(({ id, properties }) => (properties["termsHash"] ?? null) !== termsHashOf(id))
    .map(({ id, terms }) => ({ id, terms, isNew: termsHashOf(id) === null }));
  await saveTerms(run, workspace, changed);
}

/** Keeps what nodes need if they return. They must not be visible. */
export async function rememberRemoved(run: Run, nodes: readonly NodePast[]): Promise<void> {
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
export async function removeAssets(run: Run, workspace: WorkspaceId, nodes: readonly NodePast[]): Promise<void> {
  if (nodes.length === 0) return;
  const ids = nodes.map(({ identity }) => identity.id);
  const places = [...(await loadTerms(run, workspace, ids)).values()].flat();
  await rememberRemoved(run, nodes);
  const sources = (await run(SOURCES_OF, { workspace, ids })).map(([id]) => read.text(id));
  await run(REMOVE, { workspace, ids });
  await recount(run, workspace, sources);
  await deleteUnused(run, workspace, places);
}

/** Deletes what was kept of removed nodes that have returned. */
export async function forgetRemoved(run: Run, workspace: WorkspaceId, ids: readonly NodeId[]): Promise<void> {
  if (ids.length > 0) await run(FORGET, { workspace, ids });
}
