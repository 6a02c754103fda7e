/** What each connector states about a node, one `:Claim` for each scope. */
import { hash } from "node:crypto";

import { int } from "neo4j-driver";

import { EXISTENCES, NODE_TYPES, type NodeType } from "../../catalog/asset.ts";
import { type ConnectorLayer, isHeld, PEOPLE } from "../../catalog/layers.ts";
import type { NodeFacts } from "../../catalog/statement.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { type NodeId, toConnectorId, type WorkspaceId } from "../../ids.ts";
import type { CrawlStamp, NodeWrite } from "../catalog-writes.ts";
import type { Run } from "./bolt.ts";
import { integer, oneOf, text } from "./values.ts";

/** A short key made from several words. */
export function keyOf(...words: readonly string[]): string {
  return hash("sha256", JSON.stringify(words), "hex").slice(0, 32);
}

/** The id of the source. Everything that one connector states in one scope has the same source. */
export function sourceOf(stamp: CrawlStamp, scope: string): string {
  return keyOf(stamp.workspace, stamp.connectorId, scope);
}

export const LAYERS = `
UNWIND $ids AS id
MATCH (c:Claim {nodeId: id})
WHERE c.workspace = $workspace AND c.sourceId <> $without
RETURN c.nodeId AS nodeId, c.connectorId AS connectorId, c.connectorName AS connectorName, c.scope AS scope,
  c.precedence AS precedence, c.lineagePrecedence AS lineagePrecedence, c.connectorCreatedAt AS connectorCreatedAt,
  c.type AS type, c.existence AS existence, c.facts AS facts`;

export const SAVE_CLAIMS = `
UNWIND $rows AS row
MERGE (c:Claim {id: row.claim.id})
ON CREATE SET c.firstSyncId = row.claim.syncId, c.since = row.at
SET c += row.claim`;

/** The properties of a `:Claim`, in the order of a row that creates one. */
const CLAIM_PROPERTIES = [
  "id",
  "nodeId",
  "type",
  "precedence",
  "lineagePrecedence",
  "existence",
  "facts",
  "changedBy",
] as const;

/** For nodes that are new. All claims of a call have the same connector, scope and sync. */
export const ADD_CLAIMS = `
UNWIND $rows AS row
CREATE (c:Claim {workspace: $workspace, sourceId: $sourceId, connectorId: $connectorId, connectorName: $connectorName,
  connectorCreatedAt: $connectorCreatedAt, scope: $scope, syncId: $syncId, firstSyncId: $syncId, since: $at,
  ${CLAIM_PROPERTIES.map((name, i) => `${name}: row[${i}]`).join(", ")}})`;

export const HELD = `
UNWIND $ids AS id
MATCH (c:Claim {nodeId: id})
WHERE c.workspace = $workspace AND c.connectorId = $connectorId
RETURN DISTINCT c.nodeId AS nodeId, c.type AS type`;

/** The layers of each node, without those of one source. A node without layers has no entry. */
export async function loadLayers(
  run: Run,
  workspace: WorkspaceId,
  ids: readonly NodeId[],
  without = "",
): Promise<Map<string, ConnectorLayer[]>> {
  const layers = new Map<string, ConnectorLayer[]>();
  for (const [nodeId, connectorId, connectorName, scope, ...more] of await run(LAYERS, { workspace, ids, without })) {
    const [precedence, lineagePrecedence, connectorCreatedAt, type, existence, facts] = more;
    const layer: ConnectorLayer = {
      connectorId: toConnectorId(text(connectorId)),
      connectorName: text(connectorName),
      scope: text(scope),
      precedence: integer(precedence),
      lineagePrecedence: integer(lineagePrecedence),
      connectorCreatedAt: text(connectorCreatedAt),
      type: oneOf(NODE_TYPES, type),
      existence: oneOf(EXISTENCES, existence),
      // Only claimRow writes this text, from NodeFacts.
      facts: JSON.parse(text(facts)) as NodeFacts,
    };
    layers.set(text(nodeId), [...(layers.get(text(nodeId)) ?? []), layer]);
  }
  return layers;
}

/** The types of the nodes that the connector states or names in any scope. */
export async function loadHeld(
  run: Run,
  { workspace, connectorId }: CrawlStamp,
  ids: readonly NodeId[],
): Promise<Map<string, NodeType>> {
  const rows = await run(HELD, { workspace, connectorId, ids });
  return new Map(rows.map(([nodeId, type]) => [text(nodeId), oneOf(NODE_TYPES, type)]));
}

/** Records what the connector states about nodes in this scope. */
export async function saveClaims(
  run: Run,
  stamp: CrawlStamp,
  scope: string,
  stated: readonly { write: NodeWrite; shown: { isNew: boolean; changed: boolean } }[],
): Promise<void> {
  const rows = stated.map(({ write, shown }) => ({ ...claimRow(stamp, scope, write, shown.changed), ...shown }));
  // A node that is new has no claim yet.
  const added = rows
    .filter(({ isNew }) => isNew)
    .map(({ claim }) => CLAIM_PROPERTIES.map((name) => claim[name] ?? null));
  if (added.length > 0) {
    const { workspace, connectorId, connectorName, connectorCreatedAt, syncId, at } = stamp;
    const shared = { workspace, connectorId, connectorName, connectorCreatedAt, syncId, at, scope };
    await run(ADD_CLAIMS, { ...shared, sourceId: sourceOf(stamp, scope), rows: added });
  }
  const known = rows.filter(({ isNew }) => !isNew).map(({ claim, at }) => ({ claim, at }));
  if (known.length > 0) await run(SAVE_CLAIMS, { rows: known });
}

/** A `:Claim` to save. If the sync changed nothing now, the note of an earlier change is kept. */
function claimRow(
  stamp: CrawlStamp,
  scope: string,
  write: NodeWrite,
  changed: boolean,
): { claim: Record<string, unknown>; at: string } {
  const sourceId = sourceOf(stamp, scope);
  const claim = {
    id: keyOf(sourceId, write.id),
    workspace: stamp.workspace,
    sourceId,
    nodeId: write.id,
    type: write.type,
    connectorId: stamp.connectorId,
    connectorName: stamp.connectorName,
    precedence: int(stamp.precedence),
    lineagePrecedence: int(stamp.lineagePrecedence),
    connectorCreatedAt: stamp.connectorCreatedAt,
    existence: write.existence ?? "held",
    scope,
    syncId: stamp.syncId,
    facts: JSON.stringify(write.facts),
    ...(changed ? { changedBy: stamp.syncId } : {}),
  };
  return { claim, at: stamp.at };
}

/**
 * The sources that state a node, as one text: a list of `[connector, source]`. People have no crawls, so they are not
 * listed.
 */
export function holdersText(workspace: WorkspaceId, layers: readonly ConnectorLayer[]): string {
  const holders = layers
    .filter((layer) => isHeld(layer) && layer.connectorId !== PEOPLE)
    .map(({ connectorId, scope }) => [connectorId, keyOf(workspace, connectorId, scope)]);
  return JSON.stringify(holders.toSorted(([, a = ""], [, b = ""]) => compareCodePoints(a, b)));
}
