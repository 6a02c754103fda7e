/**
 * Pages in an order that can change: see `catalog/node-order.ts`. Each order is one text of an `:Asset`, which begins with
 * the workspace and the type, and sorts upwards, because Memgraph uses an index for no other order.
 */
import { int } from "neo4j-driver";

import type { CatalogNode } from "../../catalog/asset.ts";
import { keysWithin } from "../../catalog/identity.ts";
import { isNumeric, type NodeOrder, type NodePlace, sortedTypes } from "../../catalog/node-order.ts";
import type { NodeType } from "../../catalog/node-types.ts";
import type { WorkspaceId } from "../../ids.ts";
import { nodeColumns, toNode } from "./asset-row.ts";
import type { Row, Run, Read } from "./bolt.ts";
import { loadFailing } from "./failing.ts";
import { filterCypher } from "./filter.ts";
import { integer, text } from "./values.ts";

/** The property with the text of an order, the value that it shows, and how this value sorts. */
const ORDERS = {
  name: { property: "byName", value: "a.searchName", direction: "ASC" },
  updated: { property: "byUpdate", value: "a.updatedAt", direction: "DESC" },
  downstream: { property: "byDownstream", value: "a.downstream", direction: "DESC" },
  usage: { property: "byUsage", value: "a.usageRank", direction: "DESC" },
} as const satisfies Record<NodeOrder, { property: string; value: string; direction: "ASC" | "DESC" }>;

/** Larger than any count, rank and time, with as many digits as every difference to one. */
const MOST_CONSUMERS = 9_999_999_999;
const MOST_USED = 9_007_199_254_740_991;
const LATEST_MS = 9_999_999_999_999;

/** Makes the texts of orders ascend where the values descend. */
const ASCENDING = {
  name: String,
  updated: (at) => String(LATEST_MS - Date.parse(String(at))),
  downstream: (amount) => String(MOST_CONSUMERS - Number(amount)),
  usage: (rank) => String(MOST_USED - Number(rank)),
} as const satisfies Record<NodeOrder, (value: NodePlace["value"]) => string>;

/** The text of an order for a node. U+0001 separates the parts. */
export function orderText(workspace: WorkspaceId, type: NodeType, order: NodeOrder, { value, key }: NodePlace): string {
  return [workspace, type, ASCENDING[order](value), key].join("\u0001");
}

/**
 * Counts the consumers of these nodes, and puts them in their places. An `:Asset` that was written anew has lost its count.
 */
export const RECOUNT = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
WHERE a.type <> 'column'
OPTIONAL MATCH (a)-[:FEEDS]->(b)
WITH a, count(DISTINCT b) AS amount
SET a.downstream = amount, a.byDownstream = CASE WHEN a.listKey IS NULL THEN NULL
  ELSE a.workspace + $end + a.type + $end + toString(${MOST_CONSUMERS} - amount) + $end + a.key END`;

export async function recount(run: Run, workspace: WorkspaceId, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await run(RECOUNT, { workspace, ids: [...new Set(ids)], end: "\u0001" });
}

/** @param conditions each begins with ` AND ` */
export function sortedPageCypher(order: NodeOrder, conditions: string): string {
  const { property, value, direction } = ORDERS[order];
  return `
UNWIND $ranges AS bounds
CALL {
  WITH bounds
  MATCH (a:Asset)
  WHERE a.workspace = $workspace AND a.${property} > bounds.after AND a.${property} < bounds.before${conditions}
  WITH a ORDER BY a.${property} LIMIT $limit
  RETURN a
}
WITH a ORDER BY ${value} ${direction}, a.key LIMIT $limit
RETURN ${value} AS place, ${nodeColumns("a")}`;
}

/** The same for a few nodes, by their ids. */
function sortedAmongCypher(order: NodeOrder, conditions: string): string {
  const { property, value, direction } = ORDERS[order];
  return `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
UNWIND $ranges AS bounds
WITH a, bounds WHERE a.${property} > bounds.after AND a.${property} < bounds.before${conditions}
WITH a ORDER BY ${value} ${direction}, a.key LIMIT $limit
RETURN ${value} AS place, ${nodeColumns("a")}`;
}

/** Whether a key is within the schema of the filter. */
const WITHIN = " AND a.key > $within AND a.key < $withinEnd";

export const sortNodes: Read<"sortNodes"> = async (run, workspace, filter, order, { after, limit, among }) => {
  const { conditions, parameters } = filterCypher(filter);
  const within = filter.schema === undefined ? null : keysWithin(filter.schema);
  // The range after a place begins behind its type too: another type's nodes of the same value follow by their keys.
  const ranges = sortedTypes(filter.types).map((type) => ({
    after: after === null ? `${workspace}\u0001${type}\u0001` : orderText(workspace, type, order, after),
    before: `${workspace}\u0001${type}\u0002`,
  }));
  const failing = filter.failing ? (await loadFailing(run, workspace)).map(({ id }) => id) : undefined;
  const ids = among && failing ? failing.filter((id) => among.includes(id)) : (among ?? failing);
  const toCypher = ids === undefined ? sortedPageCypher : sortedAmongCypher;
  const rows = await run(toCypher(order, `${conditions}${within === null ? "" : WITHIN}`), {
    ...(ids !== undefined && { ids }),
    ...parameters,
    ...(within !== null && { within: within.after, withinEnd: within.before }),
    workspace,
    ranges,
    limit: int(limit + 1),
  });
  return { items: rows.slice(0, limit).map((row) => toItem(workspace, order, row)), hasMore: rows.length > limit };
};

function toItem(workspace: WorkspaceId, order: NodeOrder, row: Row): { node: CatalogNode; place: NodePlace } {
  const node = toNode(workspace, row);
  const [value] = row;
  return { node, place: { value: isNumeric(order) ? integer(value) : text(value), key: node.key } };
}
