/** The rows of the graph in Memgraph: see `rows.ts`. Each call is one statement, or one for each kind of rows. */
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { Author } from "../history/moments.ts";
import type { Difference, RowStore } from "../rows.ts";
import type { Run } from "./bolt.ts";
import { checkRows } from "./checks.ts";
import { loadClaims, MARK_CHANGED, saveClaims, sourcesText } from "./claims.ts";
import { connectionRows } from "./connections.ts";
import { dropConnections } from "./edges.ts";
import { createHistory, historyRows, type KeepLinks } from "./history.ts";
import { findSwitchedColumns, showConnections, SWITCHED_REFERENCES } from "./lineage-owner.ts";
import { sourceRows } from "./sources.ts";
import {
  fingerprintOf,
  forgetRemoved,
  loadLineageOwners,
  loadPresent,
  loadRemoved,
  rememberRemoved,
  removeAssets,
  saveAssets,
} from "./stored-asset.ts";
import { takenRows } from "./take.ts";
import { trailRows } from "./trails.ts";

/**
 * @param run runs statements in one transaction, which the store serves
 * @param author who writes; null for a copy, which brings its history along
 */
export function createRowStore(run: Run, workspace: WorkspaceId, author: Author | null): RowStore {
  const history = createHistory(run, workspace, author);
  /** The hashes of the terms of nodes that were loaded. */
  const termsHashes = new Map<NodeId, string | null>();
  return {
    ...sourceRows(run, workspace),
    ...takenRows(run, workspace, history.keep),
    ...connectionRows(run, workspace, history),
    ...historyRows(run, workspace, history),
    ...checkRows(run, workspace),
    ...trailRows(run, workspace),
    fingerprintOf,
    sourcesOf: (claims) => sourcesText(workspace, claims),
    async loadNodes(ids) {
      const rows = await loadPresent(run, workspace, ids);
      for (const [id, { termsHash }] of rows) termsHashes.set(id, termsHash);
      return rows;
    },
    loadRemoved: (ids) => loadRemoved(run, workspace, ids),
    keepRemoved: (nodes) => rememberRemoved(run, nodes),
    loadClaims: (ids) => loadClaims(run, workspace, ids),
    loadLineageOwners: (ids) => loadLineageOwners(run, workspace, ids),
    findSwitchedColumns: (changes) => findSwitchedColumns(run, workspace, changes),
    save: (difference) => save(run, workspace, history.keep, difference, (id) => termsHashes.get(id) ?? null),
  };
}

async function save(
  run: Run,
  workspace: WorkspaceId,
  keep: KeepLinks,
  difference: Difference,
  termsHashOf: (id: NodeId) => string | null,
): Promise<void> {
  const { returned = [], nodes = [], claims = [], restated = [], left, gone = [], changed, owners = [] } = difference;
  await forgetRemoved(run, workspace, returned);
  await saveAssets(run, workspace, nodes, termsHashOf);
  const switched = nodes.filter(({ before, now }) => before !== null && before.lineageOwner !== now.lineageOwner);
  if (switched.length > 0) {
    // The log of changes notes the answer.
    await run(SWITCHED_REFERENCES, { workspace, ids: switched.map(({ now }) => now.identity.id) });
  }
  const added = new Set(nodes.filter(({ before }) => before === null).map(({ now }) => now.identity.id));
  await saveClaims(run, workspace, { saved: claims, restated }, (node) => added.has(node));
  if (left !== undefined) await dropConnections(run, keep, left.by, left.nodes);
  await removeAssets(run, workspace, gone);
  if (changed !== undefined && changed.nodes.length > 0) {
    const { connectorId, syncId } = changed.by;
    await run(MARK_CHANGED, { workspace, connectorId, syncId, ids: changed.nodes });
  }
  await showConnections(run, workspace, owners);
}
