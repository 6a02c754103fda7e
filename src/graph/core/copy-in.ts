/** Writes the rows of a copy: see `graph-copy.ts`. */
import type { WorkspaceId } from "../../ids.ts";
import type { NodeFacts } from "../../catalog/statement.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { CopiedClaim, CopiedNode, CopyPart, CopyRows } from "../graph-copy.ts";
import type { ClaimRow, NodePast, RowStore } from "../rows.ts";
import { mergeNodes } from "./merge-nodes.ts";
import { recordChecks } from "./write-checks.ts";
import { recordEdges, recordReferences, toEdgeText } from "./write-edges.ts";

/** Writes rows of a part, and returns how many were refused, if any can be. */
type Put<R> = (store: RowStore, workspace: WorkspaceId, rows: readonly R[]) => Promise<number | void> | void;

const PARTS: { [P in CopyPart]: Put<CopyRows[P]> } = {
  runs: (store, _, rows) => store.noteRuns(rows),
  async scopes(store, _, rows) {
    await store.makeSources(rows);
    await store.noteScopeRuns(rows.filter(({ run }) => run > 0));
    for (const is of [true, false]) {
      await store.noteCompleteness(
        rows.filter(({ incomplete }) => incomplete !== is),
        is,
      );
    }
  },
  async removedNodes(store, workspace, rows) {
    const visible = await store.loadLineageOwners(rows.map(({ id }) => id));
    await store.keepRemoved(rows.filter(({ id }) => !visible.has(id)).map((row) => toPast(workspace, row)));
  },
  assets: putNodes,
  columns: putNodes,
  async edges(store, _, rows) {
    await store.makeSources(rows);
    const edges = rows.map(({ uses, since = 0, ...row }) => ({ ...row, ...toEdgeText({ ...row, uses }), since }));
    return countRefused(await recordEdges(store, edges));
  },
  async references(store, _, rows) {
    await store.makeSources(rows);
    const references = rows.map(({ since = 0, ...row }) => ({ ...row, since }));
    return countRefused(await recordReferences(store, references));
  },
  async checks(store, _, rows) {
    await store.makeSources(rows);
    await recordChecks(store, rows);
  },
  async certifications(store, _, rows) {
    await store.replaceSteps(rows);
    for (const { metric, dependencies } of rows) await store.keepDependencies(metric, dependencies);
  },
  moments: (store, _, rows) => store.saveMoments(rows.map(({ isFirst = false, ...row }) => ({ ...row, isFirst }))),
  keptNodes: (store, _, rows) => store.saveKept(rows),
  keptLinks: (store, _, rows) => store.saveKeptLinks(rows),
  resultChanges: (store, _, rows) => store.saveResultChanges(rows),
  async removedConnectors(store, _, rows) {
    for (const row of rows) await store.markRemoved(row);
  },
};

export async function copyIn<P extends CopyPart>(
  store: RowStore,
  workspace: WorkspaceId,
  part: P,
  rows: readonly CopyRows[P][],
): Promise<number> {
  return (await PARTS[part](store, workspace, rows)) ?? 0;
}

function countRefused(isRecorded: readonly boolean[]): number {
  return isRecorded.filter((is) => !is).length;
}

function toPast(workspace: WorkspaceId, { id, platform, parentId, createdAt, curation }: CopiedNode): NodePast {
  return { identity: { id, workspace, platform, parentId }, createdAt, curation };
}

async function putNodes(store: RowStore, workspace: WorkspaceId, rows: readonly CopiedNode[]): Promise<void> {
  await store.makeSources(rows.flatMap(({ claims }) => claims));
  const ids = rows.map(({ id }) => id);
  const known = await store.loadNodes(ids);
  const stored = known.size === 0 ? new Map<never, never>() : await store.loadClaims([...known.keys()]);
  const claims = rows.map(toClaims);
  const nodes = await mergeNodes(
    store,
    rows.map((row, i) => {
      const before = known.get(row.id) ?? null;
      const own = claims[i] ?? [];
      const others = (stored.get(row.id) ?? []).filter((claim) => !own.some((each) => isSameScope(each, claim)));
      const past = { ...toPast(workspace, row), createdAt: before?.createdAt ?? row.createdAt };
      return { past, before, claims: [...others, ...own], at: row.updatedAt };
    }),
  );
  for (const [i, { now }] of nodes.entries()) now.since = rows[i]?.since ?? 0;
  await store.save({ returned: ids, nodes, claims: claims.flat() });
}

function toClaims({ id: nodeId, claims }: CopiedNode): ClaimRow[] {
  return claims.map(({ layer: { facts, ...layer }, ...claim }) => {
    return { ...layer, ...claim, nodeId, facts: JSON.stringify(facts) };
  });
}

/** The claims about a node as parts of a copied row, in an order that is always the same. */
export function toCopiedClaims(claims: readonly ClaimRow[]): CopiedClaim[] {
  const ordered = claims.toSorted(
    (a, b) => compareCodePoints(a.connectorId, b.connectorId) || compareCodePoints(a.scope, b.scope),
  );
  return ordered.map((claim) => {
    const { nodeId: _, connectorId, scope, syncId, firstSyncId, since, changedBy, facts, ...rest } = claim;
    // Only `toClaims` and `writeNodes` write this text, from NodeFacts.
    const layer = { ...rest, facts: JSON.parse(facts) as NodeFacts };
    return { connectorId, scope, syncId, firstSyncId, since, changedBy, layer };
  });
}

function isSameScope(a: ClaimRow, b: ClaimRow): boolean {
  return a.connectorId === b.connectorId && a.scope === b.scope;
}
