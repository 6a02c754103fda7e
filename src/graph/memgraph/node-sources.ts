/** Reads what each connector calls a node. */
import { EXISTENCES, NODE_TYPES } from "../../catalog/asset.ts";
import { joinSources, type NodeSource } from "../../catalog/node-source.ts";
import type { NodeFacts } from "../../catalog/statement.ts";
import { type NodeId, toConnectorId, type WorkspaceId } from "../../ids.ts";
import type { Run } from "./bolt.ts";
import { oneOf, text } from "./values.ts";

export const NODE_SOURCES = `
UNWIND $ids AS id
MATCH (c:Claim {nodeId: id})
WHERE c.workspace = $workspace
RETURN c.nodeId AS nodeId, c.connectorId AS connectorId, c.connectorName AS name, c.existence AS existence,
  c.type AS type, c.since AS since, c.facts AS facts`;

export async function loadSources(run: Run, workspace: WorkspaceId, ids: readonly NodeId[]): Promise<NodeSource[][]> {
  const byNode = new Map<string, NodeSource[]>();
  for (const row of await run(NODE_SOURCES, { workspace, ids: [...new Set(ids)] })) {
    const [nodeId, connectorId, name, existence, type, since, facts] = row;
    // Only `claimOf` writes this text, from NodeFacts.
    const { fqn, instance, alikeNames } = JSON.parse(text(facts)) as NodeFacts;
    const source: NodeSource = {
      connectorId: toConnectorId(text(connectorId)),
      connectorName: text(name),
      existence: oneOf(EXISTENCES, existence),
      type: oneOf(NODE_TYPES, type),
      fqn,
      instance,
      alikeNames,
      since: text(since),
    };
    const known = byNode.get(text(nodeId));
    if (known === undefined) byNode.set(text(nodeId), [source]);
    else known.push(source);
  }
  return ids.map((id) => joinSources(byNode.get(id) ?? []));
}
