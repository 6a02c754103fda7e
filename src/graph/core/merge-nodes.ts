/** Works out what is shown of nodes whose claims or curation have changed. */
import { type ConnectorLayer, isHeld, lineageOwner, showNode, showUsage } from "../../catalog/layers.ts";
import { joinSources, type NodeSource } from "../../catalog/node-source.ts";
import type { NodeFacts } from "../../catalog/statement.ts";
import { isSameUsage } from "../../catalog/usage.ts";
import type { ConnectorId } from "../../ids.ts";
import { statedBy } from "../history/kept-node.ts";
import type { ClaimRow, NodeChange, NodePast, NodeRow, RowStore } from "../rows.ts";

export interface NodeToMerge {
  past: NodePast;
  /** The node as it is stored; null if it is not visible yet. */
  before: NodeRow | null;
  /** All claims about it; at least one. */
  claims: readonly ClaimRow[];
  /** Becomes `updatedAt` if anything changes. */
  at: string;
}

export interface MergedNode extends NodeChange {
  /** Whether anything that is shown or searched has changed. */
  isChanged: boolean;
  /** Whether there is anything to save. */
  isStale: boolean;
}

export async function mergeNodes(store: RowStore, nodes: readonly NodeToMerge[]): Promise<MergedNode[]> {
  const layered = nodes.map((node) => ({ ...node, layers: node.claims.map(toLayer) }));
  const owners = new Map(layered.map(({ past, layers }) => [past.identity.id, lineageOwner(layers)]));
  const parents = new Set(nodes.flatMap(({ past }) => past.identity.parentId ?? [])).difference(owners);
  const stored = parents.size === 0 ? new Map() : await store.loadLineageOwners([...parents]);

  return layered.map(({ past, before, claims, layers, at }) => {
    const { identity, curation, createdAt } = past;
    const parentId = identity.parentId ?? identity.id;
    const shown = showNode(identity, layers, curation, owners.get(parentId) ?? stored.get(parentId) ?? null);
    const fingerprint = store.fingerprintOf(shown);
    const sources = store.sourcesOf(claims);
    const usage = showUsage(layers);
    const owner = owners.get(identity.id) ?? null;
    const isChanged = before?.fingerprint !== fingerprint;
    const isStale =
      isChanged || before.lineageOwner !== owner || before.sources !== sources || !isSameUsage(before.usage, usage);
    const updatedAt = isChanged ? at : before.updatedAt;
    const since = before?.since ?? 0;
    const now = { identity, curation, createdAt, updatedAt, since, lineageOwner: owner, usage, fingerprint, sources };
    return { before, now, shown, statedBy: statedBy(held(claims)), isChanged, isStale };
  });
}

function held(claims: readonly ClaimRow[]): ConnectorId[] {
  return claims.filter(isHeld).map(({ connectorId }) => connectorId);
}

/**
 * Merges visible nodes again.
 * @param curation what people say now; as before if absent
 */
export async function mergeAgain(
  store: RowStore,
  rows: readonly NodeRow[],
  at: string,
  curation?: NodeRow["curation"],
): Promise<MergedNode[]> {
  if (rows.length === 0) return [];
  const claims = await store.loadClaims(rows.map(({ identity }) => identity.id));
  const nodes = rows.map((before) => ({
    past: curation === undefined ? before : { ...before, curation },
    before,
    claims: claims.get(before.identity.id) ?? [],
    at,
  }));
  return mergeNodes(store, nodes);
}

/** What each connector says about which asset a node is. */
export function toSources(claims: readonly ClaimRow[]): NodeSource[] {
  return joinSources(
    claims.map((claim) => {
      const { connectorId, connectorName, existence, type, since } = claim;
      const { fqn, instance, alikeNames } = toLayer(claim).facts;
      return { connectorId, connectorName, existence, type, fqn, instance, alikeNames, since };
    }),
  );
}

export function toLayer({ facts, ...claim }: ClaimRow): ConnectorLayer {
  // Only `toClaim` and `copyIn` write this text, from NodeFacts.
  return { ...claim, facts: JSON.parse(facts) as NodeFacts };
}
