/** What each connector states about a node, one `:Claim` for each scope. */
import { hash } from "node:crypto";
import { int } from "neo4j-driver";

import { EXISTENCES } from "../../catalog/asset.ts";
import { NODE_TYPES } from "../../catalog/node-types.ts";
import { isHeld, PEOPLE } from "../../catalog/layers.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { ClaimRow } from "../rows.ts";
import type { Read, Run } from "./bolt.ts";
import { columns } from "./columns.ts";
import * as read from "./values.ts";
import { toSources } from "../core/merge-nodes.ts";

/** A short key made from several words. */
export function keyOf(...words: readonly string[]): string {
  return hash("sha256", JSON.stringify(words), "hex").slice(0, 32);
}

/** The id of the source. Everything that one connector states in one scope has the same source. */
export function sourceOf(owner: Pick<CrawlStamp, "workspace" | "connectorId">, scope: string): string {
  return keyOf(owner.workspace, owner.connectorId, scope);
}

const CLAIM = columns({
  nodeId: read.nodeId,
  connectorId: read.connectorId,
  connectorName: read.text,
  precedence: read.integer,
  lineagePrecedence: read.integer,
  connectorCreatedAt: read.text,
  scope: read.text,
  type: read.word(NODE_TYPES),
  existence: read.word(EXISTENCES),
  facts: read.text,
  syncId: read.text,
  firstSyncId: read.textOrNull,
  since: read.text,
  changedBy: read.textOrNull,
});

/** All properties of a `:Claim` but its workspace, in the order of a row that creates one. */
const CLAIM_PROPERTIES = ["id", "sourceId", ...CLAIM.names] as const;

export const CLAIMS = `
UNWIND $ids AS id
MATCH (c:Claim {nodeId: id})
WHERE c.workspace = $workspace
RETURN ${CLAIM.of("c")}`;

/** For nodes that are new. */
export const ADD_CLAIMS = `
UNWIND $rows AS row
CREATE (c:Claim {workspace: $workspace, ${CLAIM_PROPERTIES.map((name, i) => `${name}: row[${i}]`).join(", ")}})`;

/** A row of a claim that says the same as before has only its id and the sync. */
export const SAVE_CLAIMS = `
UNWIND $rows AS row
MERGE (c:Claim {id: row.id})
SET c += row`;

export const MARK_CHANGED = `
UNWIND $ids AS id
MATCH (c:Claim {nodeId: id})
WHERE c.workspace = $workspace AND c.connectorId = $connectorId
SET c.changedBy = $syncId`;

/** The claims about each node. A node without claims has no entry. */
export async function loadClaims(
  run: Run,
  workspace: WorkspaceId,
  ids: readonly NodeId[],
): Promise<Map<NodeId, ClaimRow[]>> {
  const rows = await run(CLAIMS, { workspace, ids });
  return Map.groupBy(rows.map(CLAIM.read), ({ nodeId }) => nodeId);
}

/** The id of a claim. */
function idOf(workspace: WorkspaceId, { connectorId, scope, nodeId }: ClaimRow): string {
  return keyOf(sourceOf({ workspace, connectorId }, scope), nodeId);
}

/**
 * @param claims.saved claims that are new or say something else than before
 * @param claims.restated claims that say the same
 * @param isNew whether a node is new, and so has no claim in the store
 */
export async function saveClaims(
  run: Run,
  workspace: WorkspaceId,
  { saved, restated }: { saved: readonly ClaimRow[]; restated: readonly ClaimRow[] },
  isNew: (node: NodeId) => boolean,
): Promise<void> {
  const rows = saved.map((claim) => {
    const { connectorId, scope, precedence, lineagePrecedence } = claim;
    const numbers = { precedence: int(precedence), lineagePrecedence: int(lineagePrecedence) };
    const sourceId = sourceOf({ workspace, connectorId }, scope);
    return { ...claim, ...numbers, sourceId, id: idOf(workspace, claim) };
  });
  const added = rows.filter(({ nodeId }) => isNew(nodeId));
  if (added.length > 0) {
    await run(ADD_CLAIMS, { workspace, rows: added.map((row) => CLAIM_PROPERTIES.map((name) => row[name])) });
  }
  const changed = rows
    .filter(({ nodeId }) => !isNew(nodeId))
    .map((row) => Object.fromEntries([["workspace", workspace], ...CLAIM_PROPERTIES.map((name) => [name, row[name]])]));
  const again = restated.map((claim) => ({ id: idOf(workspace, claim), syncId: claim.syncId }));
  const known = [...changed, ...again];
  if (known.length > 0) await run(SAVE_CLAIMS, { rows: known });
}

/**
 * The sources that state a node, as one text: a list of `[connector, source]`. People have no crawls, so they are not
 * listed.
 */
export function sourcesText(workspace: WorkspaceId, claims: readonly ClaimRow[]): string {
  const sources = claims
    .filter((claim) => isHeld(claim) && claim.connectorId !== PEOPLE)
    .map(({ connectorId, scope }) => [connectorId, sourceOf({ workspace, connectorId }, scope)]);
  return JSON.stringify(sources.toSorted(([, a = ""], [, b = ""]) => compareCodePoints(a, b)));
}

export const loadSources: Read<"loadSources"> = async (run, workspace, ids) => {
  const claims = await loadClaims(run, workspace, [...new Set(ids)]);
  return ids.map((id) => toSources(claims.get(id) ?? []));
};
