/** Reads nodes by id, by fqn, by parent and in pages, and counts them. */
import { int } from "neo4j-driver";

import type { CatalogNode } from "../../catalog/asset.ts";
import { MAX_NAMESAKES } from "../../catalog/namesakes.ts";
import { forEachType, NODE_TYPES } from "../../catalog/node-types.ts";
import { listEdits } from "../../catalog/edits.ts";
import { KEY_END } from "../../catalog/identity.ts";
import { sortedTypes } from "../../catalog/node-order.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { CountedBy, NodeFilter, ValueCount } from "../catalog-graph.ts";
import { nodeColumns, toNode } from "./asset-row.ts";
import type { Read, Row } from "./bolt.ts";
import { loadRanges } from "./failing.ts";
import { filterCypher } from "./filter.ts";
import { IN_RANGE, rangesAfter, rangesOfFqn } from "./list-ranges.ts";
import { rangeOfPerson } from "./search-index.ts";
import { loadPresent } from "./stored-asset.ts";
import { integer, text } from "./values.ts";
import { showStatement } from "../../catalog/layers.ts";
import type { NodeId } from "../../ids.ts";
import { toLayer } from "../core/merge-nodes.ts";
import { loadClaims } from "./claims.ts";

export const BY_ID = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
RETURN ${nodeColumns("a")}`;

export const BY_PARENT = `
UNWIND $ids AS id
MATCH (a:Asset {parentId: id, workspace: $workspace})
RETURN ${nodeColumns("a")}`;

/** @param conditions each begins with ` AND ` */
export function countCypher(conditions: string): string {
  return `
UNWIND $ranges AS bounds
MATCH (a:Asset)
WHERE ${IN_RANGE}${conditions}
RETURN bounds.type AS type, count(a) AS amount`;
}

export const VALUES = {
  tag: `
UNWIND $ranges AS bounds
MATCH (a:Asset)
WHERE ${IN_RANGE}
UNWIND a.tags AS value
WITH DISTINCT value WHERE value <> ''
RETURN value ORDER BY value LIMIT $limit`,
  owner: `
UNWIND $ranges AS bounds
MATCH (a:Asset)
WHERE ${IN_RANGE} AND a.ownerFolded <> ''
WITH DISTINCT a.ownerFolded AS value
RETURN value ORDER BY value LIMIT $limit`,
} as const;

/**
 * One page over several ranges. Each range gives its first rows in the order of the index, and these are merged.
 * @param conditions each begins with ` AND `
 */
export function pageCypher(conditions: string): string {
  return `
UNWIND $ranges AS bounds
CALL {
  WITH bounds
  MATCH (a:Asset)
  WHERE ${IN_RANGE}${conditions}
  WITH a ORDER BY a.listKey LIMIT $limit
  RETURN a
}
WITH a ORDER BY a.key LIMIT $limit
RETURN ${nodeColumns("a")}`;
}

export const loadNodes: Read<"loadNodes"> = async (run, workspace, ids) => {
  const rows = await run(BY_ID, { workspace, ids: [...new Set(ids)] });
  const nodes = new Map(rows.map((row) => toNode(workspace, row)).map((node) => [node.id, node]));
  return ids.map((id) => nodes.get(id) ?? null);
};

export const loadByFqn: Read<"loadByFqn"> = async (run, workspace, fqn, only) => {
  const condition = only.platform === undefined ? "" : " AND a.platform = $platform";
  const rows = await run(pageCypher(condition), {
    workspace,
    ranges: rangesOfFqn(workspace, fqn, only.type),
    limit: int(MAX_NAMESAKES),
    ...(only.platform === undefined ? {} : { platform: only.platform }),
  });
  return rows.map((row) => toNode(workspace, row));
};

export const loadColumns: Read<"loadColumns"> = async (run, workspace, parentIds) => {
  const rows = await run(BY_PARENT, { workspace, ids: [...new Set(parentIds)] });
  const columns = Map.groupBy(rows.map((row) => toNode(workspace, row)).toSorted(inTable), (node) => node.parentId);
  return parentIds.map((id) => columns.get(id) ?? []);
};

/** Columns with an unknown position come last. */
function indexOf(column: CatalogNode): number {
  return column.ordinal ?? Number.MAX_SAFE_INTEGER;
}

function inTable(a: CatalogNode, b: CatalogNode): number {
  return indexOf(a) - indexOf(b) || compareCodePoints(a.key, b.key);
}

export const listNodes: Read<"listNodes"> = async (run, workspace, filter, page) => {
  const { conditions, parameters } = filterCypher(filter);
  const rows = await run(pageCypher(conditions), {
    ...parameters,
    workspace,
    ranges: await loadRanges(run, workspace, filter, page.after),
    limit: int(page.limit + 1),
  });
  return {
    items: rows.slice(0, page.limit).map((row) => toNode(workspace, row)),
    hasMore: rows.length > page.limit,
  };
};

export const countNodes: Read<"countNodes"> = async (run, workspace, filter = { types: NODE_TYPES }) => {
  const { conditions, parameters } = filterCypher(filter);
  const ranges = await loadRanges(run, workspace, filter, null);
  const rows = await run(countCypher(conditions), { ...parameters, workspace, ranges });
  const amounts = new Map(rows.map(([type, amount]) => [text(type), integer(amount)]));
  return forEachType((type) => amounts.get(type) ?? 0);
};

/** The values of `:Asset` a for each facet, as a list. */
const VALUES_OF = {
  tag: "a.tags",
  owner: "CASE WHEN a.ownerFolded = '' AND a.ownerName <> '' THEN [] ELSE [a.ownerFolded] END",
  certification: "[a.certification]",
  connector: "a.connectors",
  schema: "[substring(reduce(path = '', part IN parts[0..size(parts) - dropped] | path + '.' + part), 1)]",
} as const satisfies Record<CountedBy, string>;

/** The parts of an asset's fqn, with which its key begins, and how many of them come after the schema. */
const WITH_PARTS = `
WITH a, split(replace(a.key, $keyEnd + a.id, ''), '.') AS parts, CASE a.type WHEN 'column' THEN 2 ELSE 1 END AS dropped
WITH a, parts, CASE WHEN size(parts) < dropped THEN size(parts) ELSE dropped END AS dropped`;

/** @param conditions each begins with ` AND ` */
export function countValuesCypher(facet: CountedBy, conditions: string): string {
  return `
UNWIND $ranges AS bounds
MATCH (a:Asset)
WHERE ${IN_RANGE}${conditions}${facet === "schema" ? WITH_PARTS : ""}
UNWIND ${VALUES_OF[facet]} AS value
WITH value, count(DISTINCT a) AS amount
RETURN value, amount ORDER BY amount DESC, value LIMIT $limit`;
}

export const countValues: Read<"countValues"> = async (run, workspace, filter, facet, limit) => {
  const { conditions, parameters } = filterCypher(filter);
  const ranges = await loadRanges(run, workspace, filter, null);
  const rows = await run(countValuesCypher(facet, conditions), {
    ...parameters,
    workspace,
    ranges,
    keyEnd: KEY_END,
    limit: int(limit),
  });
  return rows.map(toCount);
};

function toCount([value, amount]: Row): ValueCount {
  return { value: text(value), amount: integer(amount) };
}

/** What the folders at a place are called. */
const FOLDER = {
  platforms: "a.platform",
  databases: "CASE WHEN a.key CONTAINS '.' THEN split(a.key, '.')[0] ELSE '' END",
  schemas: `head(${VALUES_OF.schema})`,
} as const;

/** @param conditions each begins with ` AND ` */
export function foldersCypher(level: keyof typeof FOLDER, conditions: string): string {
  return `
UNWIND $ranges AS bounds
MATCH (a:Asset)
WHERE ${IN_RANGE}${conditions}${level === "schemas" ? WITH_PARTS : ""}
WITH ${FOLDER[level]} AS value, count(a) AS amount
WHERE $after IS NULL OR value > $after
RETURN value, amount ORDER BY value LIMIT $limit`;
}

export const listFolders: Read<"listFolders"> = async (run, workspace, { platform, database }, { after, limit }) => {
  const level = platform === undefined ? "platforms" : database === undefined ? "databases" : "schemas";
  const directly = database === "" ? true : undefined;
  const filter: NodeFilter = { types: sortedTypes("asset"), platform, schema: database, directly };
  const { conditions, parameters } = filterCypher(filter);
  const rows = await run(foldersCypher(level, conditions), {
    ...parameters,
    workspace,
    ranges: rangesAfter(workspace, filter, null),
    keyEnd: KEY_END,
    after,
    limit: int(limit + 1),
  });
  return { items: rows.slice(0, limit).map(toCount), hasMore: rows.length > limit };
};

export const listValues: Read<"listValues"> = async (run, workspace, facet, limit) => {
  const ranges = rangesAfter(workspace, { types: NODE_TYPES }, null);
  const rows = await run(VALUES[facet], { workspace, ranges, limit: int(limit) });
  return rows.map(([value]) => text(value));
};

export const OWNER_NAMES = `
UNWIND $ranges AS bounds
CALL {
  WITH bounds
  MATCH (a:Asset)
  WHERE a.workspace = $workspace AND a.personAt > bounds.after AND a.personAt < bounds.before
  WITH a ORDER BY a.personAt LIMIT $limit
  RETURN a
}
RETURN bounds.at AS at, a.personAt AS person`;

export const loadOwnerNames: Read<"loadOwnerNames"> = async (run, workspace, addresses) => {
  const ranges = addresses.map((address, at) => ({ at: int(at), ...rangeOfPerson(workspace, address) }));
  const rows = addresses.length === 0 ? [] : await run(OWNER_NAMES, { workspace, ranges, limit: int(1) });
  const people = new Map(rows.map(([at, person]) => [integer(at), text(person)]));
  return ranges.map(({ after }, i) => people.get(i)?.slice(after.length) ?? "");
};

export const loadEdits: Read<"loadEdits"> = async (run, workspace, ids) => {
  const present = await loadPresent(run, workspace, [...new Set(ids)]);
  return ids.map((id) => listEdits(present.get(id)?.curation ?? {}));
};

export const listStatements: Read<"listStatements"> = async (run, workspace, { connector, types }, page) => {
  const { items, hasMore } = await listNodes(run, workspace, { types, connector: connector.name }, page);
  const ids = items.map(({ id }) => id);
  const claims = await loadClaims(run, workspace, ids);
  const ownOf = (id: NodeId) => claims.get(id)?.filter(({ connectorId }) => connectorId === connector.id) ?? [];
  return { items: items.flatMap((node) => showStatement(node, ownOf(node.id).map(toLayer))), hasMore };
};
