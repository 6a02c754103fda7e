/** Records edges, and which columns the SQL of assets names. */
import { carriesValues, edgeLevels, isOriginKind, usesText } from "../../catalog/edge.ts";
import { canReference, type Reference } from "../../catalog/reference.ts";
import type { ConnectorId, NodeId } from "../../ids.ts";
import type { CrawlStamp, EdgeWrite } from "../catalog-writes.ts";
import type { Stated } from "../graph-copy.ts";
import type { EdgeRow, EdgeText, End, RowStore } from "../rows.ts";
import { openSource } from "./open-source.ts";

export function toEdgeText({ uses, ...edge }: EdgeWrite): EdgeText {
  return { ...edge, uses: usesText(uses), carriesValues: carriesValues(uses) };
}

/**
 * Records what one connector states in one scope, as far as it is not stated exactly as before.
 * @returns a write that answers for each item whether it was recorded; false if it was refused
 */
function inScope<Item extends EdgeText | Reference>(
  record: (store: RowStore, items: readonly (Item & Stated)[]) => Promise<boolean[]>,
) {
  return async (store: RowStore, stamp: CrawlStamp, scope: string, items: readonly Item[]): Promise<boolean[]> => {
    if (items.length === 0) return [];
    await openSource(store, stamp, scope);
    const { connectorId, syncId } = stamp;
    const isKnown = await store.restate({ connectorId, scope, syncId }, items);
    const rest = items.filter((_, i) => isKnown[i] !== true);
    if (rest.length === 0) return isKnown;
    const stated = Array.from(rest, (item) => ({ ...item, connectorId, scope, syncId }));
    const isRecorded = (await record(store, stated)).values();
    return isKnown.map((is) => is || isRecorded.next().value === true);
  };
}

export const writeEdges = inScope<EdgeText>(recordEdges);
export const writeReferences = inScope<Reference>(recordReferences);

/** Records edges of any connectors and scopes. The sources must exist. */
export async function recordEdges(
  store: RowStore,
  edges: readonly (EdgeText & Stated & Pick<EdgeRow, "since">)[],
): Promise<boolean[]> {
  const ends = await loadEnds(store, edges);
  const rows = edges.map((edge, i): EdgeRow | null => {
    const [from, to] = ends[i] ?? [];
    const levels = from === undefined || to === undefined ? null : edgeLevels(from.type, to.type);
    if (to === undefined || levels === null) return null;
    return { ...edge, levels, owner: isOriginKind(edge.kind) ? to.lineageOwner : null };
  });
  await store.saveEdges(rows.filter((row) => row !== null));
  return rows.map((row) => row !== null);
}

/** Records references of any connectors and scopes. The sources must exist. */
export async function recordReferences(
  store: RowStore,
  references: readonly (Reference & Stated & Pick<EdgeRow, "since">)[],
): Promise<boolean[]> {
  const ends = await loadEnds(store, references);
  const isSound = ends.map((pair) => pair !== null && canReference(pair[0].type, pair[1].type));
  const rows = references.map((reference, i) => ({ ...reference, owner: ends[i]?.[1].lineageOwner ?? null }));
  await store.saveReferences(rows.filter((_, i) => isSound[i] === true));
  return isSound;
}

/** Both ends of each pair; null for a pair with an end that its connector neither states nor names in any scope. */
async function loadEnds(
  store: RowStore,
  pairs: readonly (Pick<Stated, "connectorId"> & { from: NodeId; to: NodeId })[],
): Promise<([from: End, to: End] | null)[]> {
  const ends = new Map<ConnectorId, ReadonlyMap<NodeId, End>>();
  for (const [connectorId, own] of Map.groupBy(pairs, (pair) => pair.connectorId)) {
    const ids = new Set(own.flatMap(({ from, to }) => [from, to]));
    ends.set(connectorId, await store.loadEnds(connectorId, [...ids]));
  }
  return pairs.map(({ connectorId, from, to }) => {
    const own = ends.get(connectorId);
    const [a, b] = [own?.get(from), own?.get(to)];
    return a === undefined || b === undefined ? null : [a, b];
  });
}
