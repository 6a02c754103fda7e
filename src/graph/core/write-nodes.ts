/** Records the nodes that a crawl states. */
import type { NodeId } from "../../ids.ts";
import type { CrawlStamp, NodeWrite } from "../catalog-writes.ts";
import type { ClaimRow, Write } from "../rows.ts";
import { showLineage } from "./lineage-owner.ts";
import { mergeNodes } from "./merge-nodes.ts";
import { openSource } from "./open-source.ts";
import { saveChange } from "./save-change.ts";

/** Each node or check once. If an id occurs twice, the last one wins. */
export function lastOfEach<T extends { id: string }>(writes: readonly T[]): T[] {
  return [...new Map(writes.map((write) => [write.id, write])).values()];
}

/** @param writes each node once */
export const writeNodes: Write<"writeNodes"> = async (store, stamp, scope, writes) => {
  if (writes.length === 0) return;
  await openSource(store, stamp, scope);
  const { workspace, syncId, at } = stamp;
  const stored = await store.loadClaims(writes.map(({ id }) => id));
  const restated: ClaimRow[] = [];
  const changed: { write: NodeWrite; claim: ClaimRow; others: ClaimRow[] }[] = [];
  for (const write of writes) {
    const all = stored.get(write.id) ?? [];
    const before = all.find((claim) => claim.connectorId === stamp.connectorId && claim.scope === scope);
    const claim = toClaim(stamp, scope, write, before);
    if (before !== undefined && saysTheSame(before, claim)) restated.push(claim);
    else changed.push({ write, claim, others: all.filter((other) => other !== before) });
  }
  if (changed.length === 0) return store.save({ restated });

  const [known, unknown] = [true, false].map((is) =>
    changed.map(({ write }) => write.id).filter((id) => stored.has(id) === is),
  ) as [NodeId[], NodeId[]];
  const rows = await (known.length === 0 ? new Map<never, never>() : store.loadNodes(known));
  const removed = await (unknown.length === 0 ? new Map<never, never>() : store.loadRemoved(unknown));
  const merged = await mergeNodes(
    store,
    changed.map(({ write: { id, platform, parentId }, claim, others }) => {
      const before = rows.get(id) ?? null;
      const made = { identity: { id, workspace, platform, parentId }, createdAt: at, curation: {} };
      return { past: before ?? removed.get(id) ?? made, before, claims: [...others, claim], at };
    }),
  );
  for (const [i, { claim, others }] of changed.entries()) {
    // The tally looks for the note at claims that the sync stated, and another claim of this sync may have it.
    const hasNote = others.some(({ changedBy }) => changedBy === syncId);
    if (hasNote || merged[i]?.isChanged === true) claim.changedBy = syncId;
  }
  const claims = changed.map(({ claim }) => claim);
  const nodes = merged.filter(({ isStale }) => isStale);
  await saveChange(store, { returned: [...removed.keys()], nodes, claims, restated });
  await showLineage(store, stamp, merged);
};

/** The claim of a write. It keeps when the connector stated the node first. */
function toClaim(
  { connectorId, connectorName, precedence, lineagePrecedence, connectorCreatedAt, syncId, at }: CrawlStamp,
  scope: string,
  { id: nodeId, type, existence = "held", facts }: NodeWrite,
  before: ClaimRow | undefined,
): ClaimRow {
  const { firstSyncId = syncId, since = at, changedBy = null } = before ?? {};
  const whose = { connectorId, connectorName, precedence, lineagePrecedence, connectorCreatedAt, scope, syncId };
  return { ...whose, nodeId, type, existence, facts: JSON.stringify(facts), firstSyncId, since, changedBy };
}

/** Both are claims of one connector in one scope about one node. */
function saysTheSame(a: ClaimRow, b: ClaimRow): boolean {
  return (
    a.facts === b.facts &&
    a.type === b.type &&
    a.existence === b.existence &&
    a.connectorName === b.connectorName &&
    a.precedence === b.precedence &&
    a.lineagePrecedence === b.lineagePrecedence &&
    a.connectorCreatedAt === b.connectorCreatedAt
  );
}
