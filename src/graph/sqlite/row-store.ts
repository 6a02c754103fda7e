/** The rows of the graph in SQLite: see `rows.ts`. */
import type { NodeId } from "../../ids.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { Difference, RowStore } from "../rows.ts";
import { checkRows } from "./checks.ts";
import { IS_OWN, loadClaims, ownerKey, putClaim, restateClaim, sourceSet, toClaim } from "./claims.ts";
import { connectionRows } from "./connections.ts";
import { historyRows } from "./history.ts";
import { findSwitchedColumns, loadLineageOwners, showConnections } from "./lineage-owner.ts";
import {
  fingerprintOf,
  forgetRemoved,
  keepRemoved,
  loadNodeRows,
  loadRemoved,
  removeNode,
  requireNode,
  saveNode,
} from "./node-rows.ts";
import type { Rows } from "./rowids.ts";
import { writeSearch } from "./search-rows.ts";
import { sourceRows } from "./sources.ts";
import { integer } from "./statements.ts";
import { dropConnections, takenRows } from "./take.ts";
import { trailRows } from "./trails.ts";

/** A store answers at once, and it serves one transaction. */
export function createRowStore(rows: Rows): RowStore {
  const { sql, workspace } = rows;
  return {
    ...sourceRows(rows),
    ...takenRows(rows),
    ...connectionRows(rows),
    ...checkRows(rows),
    ...trailRows(rows),
    ...historyRows(rows),
    fingerprintOf,
    sourcesOf: (claims) => sourceSet(rows, claims),
    loadNodes: (ids) => loadNodeRows(rows, ids),
    loadRemoved: (ids) => loadRemoved(rows, ids),
    keepRemoved(nodes) {
      for (const node of nodes) keepRemoved(rows, node);
    },
    loadClaims(ids) {
      const found = loadClaims(sql, workspace, ids).map((row) => {
        const claim = toClaim(row);
        rows.nodes.set(claim.nodeId, integer(row, "node"));
        return claim;
      });
      return Map.groupBy(found, ({ nodeId }) => nodeId);
    },
    loadLineageOwners: (ids) => loadLineageOwners(rows, ids),
    findSwitchedColumns: (changes) => findSwitchedColumns(rows, changes),
    save: (difference) => save(rows, difference),
  };
}

function save(rows: Rows, difference: Difference): void {
  const { returned = [], nodes = [], claims = [], restated = [], left, gone = [], changed, owners = [] } = difference;
  for (const id of returned) forgetRemoved(rows, id);
  const found = nodes.flatMap((node) => saveNode(rows, node));
  for (const claim of claims) putClaim(rows, requireNode(rows, claim.nodeId), claim);
  for (const claim of restated) restateClaim(rows, requireNode(rows, claim.nodeId), claim);
  if (left !== undefined) dropConnections(rows, left.by, left.nodes);
  found.push(...gone.map((node) => removeNode(rows, node)));
  writeSearch(rows, found);
  if (changed !== undefined) markChanged(rows, changed.by, changed.nodes);
  showConnections(rows, owners);
}

function markChanged(rows: Rows, { connectorId, syncId }: CrawlStamp, ids: readonly NodeId[]): void {
  const parameters = { ...ownerKey(rows, { connectorId }), sync: rows.sync(syncId) };
  for (const id of ids) {
    const node = requireNode(rows, id);
    rows.sql.run(`UPDATE claims SET changed_by = $sync WHERE node = $node AND ${IS_OWN}`, { ...parameters, node });
  }
}
