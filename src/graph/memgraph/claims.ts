/** What each connector states about a node, one `:Claim` for each scope. */
import { hash } from "node:crypto";

import { int } from "neo4j-driver";

import { EXISTENCES, NODE_TYPES, type NodeType } from "../../catalog/asset.ts";
import { type ConnectorLayer, isHeld, PEOPLE } from "../../catalog/layers.ts";
import type { NodeFacts } from "../../catalog/statement.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { type NodeId, toConnectorId, type WorkspaceId } from "../../ids.ts";
import type { CrawlStamp, NodeWrite } from "../catalog-writes.ts";
import type { Stated } from "../graph-copy.ts";
import type { Row, Run } from "./bolt.ts";
import { integer, oneOf, text } from "./values.ts";

/** A short key made from several words. */
export function keyOf(...words: readonly string[]): string {
  return hash("sha256", JSON.stringify(words), "hex").slice(0, 32);
}

/** The id of the source. Everything that one connector states in one scope has the same source. */
export function sourceOf(owner: Pick<CrawlStamp, "workspace" | "connectorId">, scope: string): string {
  return keyOf(owner.workspace, owner.connectorId, scope);
}

/** The layer of a claim, as `toLayer` reads it. */
export const LAYER_COLUMNS = `c.connectorId AS connectorId, c.scope AS scope, c.connectorName AS connectorName,
  c.precedence AS precedence, c.lineagePrecedence AS lineagePrecedence, c.connectorCreatedAt AS connectorCreatedAt,
  c.type AS type, c.existence AS existence, c.facts AS facts`;

export const LAYERS = `
UNWIND $ids AS id
MATCH (c:Claim {nodeId: id})
WHERE c.workspace = $workspace AND c.sourceId <> $without
RETURN c.nodeId AS nodeId, ${LAYER_COLUMNS}`;

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
  for (const [nodeId, ...layer] of await run(LAYERS, { workspace, ids, without })) {
    layers.set(text(nodeId), [...(layers.get(text(nodeId)) ?? []), toLayer(layer)]);
  }
  return layers;
}

export function toLayer([connectorId, scope, connectorName, ...more]: Row): ConnectorLayer {
  const [precedence, lineagePrecedence, connectorCreatedAt, type, existence, facts] = more;
  return {
    connectorId: toConnectorId(text(connectorId)),
    connectorName: text(connectorName),
    scope: text(scope),
    precedence: integer(precedence),
    lineagePrecedence: integer(lineagePrecedence),
    connectorCreatedAt: text(connectorCreatedAt),
    type: oneOf(NODE_TYPES, type),
    existence: oneOf(EXISTENCES, existence),
    // Only `claimOf` writes this text, from NodeFacts.
    facts: JSON.parse(text(facts)) as NodeFacts,
  };
}

/** What a connector states about two nodes. */
interface StatedPair extends Pick<Stated, "connectorId"> {
  from: NodeId;
  to: NodeId;
}

/**
 * The types of both ends of each pair; null for a pair with an end that its connector neither states nor names in any
 * scope.
 */
export async function loadEndTypes(
  run: Run,
  workspace: WorkspaceId,
  pairs: readonly StatedPair[],
): Promise<([from: NodeType, to: NodeType] | null)[]> {
  const held = new Map<string, Map<string, NodeType>>();
  for (const [connectorId, own] of Map.groupBy(pairs, (pair) => pair.connectorId)) {
    const ids = [...new Set(own.flatMap(({ from, to }) => [from, to]))];
    const rows = await run(HELD, { workspace, connectorId, ids });
    held.set(connectorId, new Map(rows.map(([nodeId, type]) => [text(nodeId), oneOf(NODE_TYPES, type)])));
  }
  return pairs.map(({ connectorId, from, to }) => {
    const own = held.get(connectorId);
    const [a, b] = [own?.get(from), own?.get(to)];
    return a === undefined || b === undefined ? null : [a, b];
  });
}

/** The rows of each connector, scope and sync. What is created in one statement shares them. */
export function groupStated<T extends Stated>(rows: readonly T[]): [T, ...T[]][] {
  const groups = Map.groupBy(rows, ({ connectorId, scope, syncId }) => JSON.stringify([connectorId, scope, syncId]));
  // A group has the row that it was made for.
  return [...groups.values()] as [T, ...T[]][];
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
  { id, type, existence = "held", facts }: NodeWrite,
  changed: boolean,
): { claim: Record<string, unknown>; at: string } {
  const { workspace, syncId, at } = stamp;
  const claim = claimOf({ workspace, nodeId: id, syncId }, { ...stamp, scope, type, existence, facts });
  return { claim: { ...claim, ...(changed && { changedBy: syncId }) }, at };
}

/** What every `:Claim` has. */
export function claimOf(
  { workspace, nodeId, syncId }: { workspace: WorkspaceId; nodeId: NodeId; syncId: string },
  layer: ConnectorLayer,
): Record<string, unknown> {
  const { connectorId, connectorName, connectorCreatedAt, scope, type, existence, facts } = layer;
  const sourceId = keyOf(workspace, connectorId, scope);
  return {
    id: keyOf(sourceId, nodeId),
    workspace,
    sourceId,
    nodeId,
    type,
    connectorId,
    connectorName,
    precedence: int(layer.precedence),
    lineagePrecedence: int(layer.lineagePrecedence),
    connectorCreatedAt,
    existence,
    scope,
    syncId,
    facts: JSON.stringify(facts),
  };
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
