/** Direct neighbours of many nodes, each at its own level. */
import { int } from "neo4j-driver";

import { type Direction, DIRECTIONS, EDGE_KINDS } from "../../catalog/edge.ts";
import { keysWithin } from "../../catalog/identity.ts";
import { fold } from "../../catalog/text.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { Neighbour, NeighbourQuery } from "../catalog-graph.ts";
import { nodeColumns, toNode } from "./asset-row.ts";
import type { Row, Run, Read } from "./bolt.ts";
import { readUses, RELATION } from "./edges.ts";
import { integer, list, oneOf } from "./values.ts";

/** The path from `a` to its neighbours `b`. */
const STEP = {
  upstream: "(a)<-[e:FEEDS|FEEDS_COLUMN]-(b)",
  downstream: "(a)-[e:FEEDS|FEEDS_COLUMN]->(b)",
} as const satisfies Record<Direction, string>;

/** Whether `e` has the requested level and `b` is in the workspace. The level "" is that of a walk from `a`. */
const AT_LEVEL = `b.workspace = $workspace
  AND type(e) = CASE WHEN asked.level = 'column' OR (asked.level = '' AND a.type = 'column')
    THEN '${RELATION.column}' ELSE '${RELATION.asset}' END
  AND (NOT asked.directOnly OR type(e) = '${RELATION.asset}' OR e.direct)`;

/** Whether `b` passes the filter of the query; what it leaves open is null. What is only named has no facets. */
const PASSES = `
  AND (asked.types IS NULL OR b.type IN asked.types)
  AND (asked.within IS NULL OR (b.key > asked.within AND b.key < asked.withinEnd))
  AND all(part IN asked.nameParts WHERE b.searchPrefix CONTAINS part)
  AND (NOT asked.byFacets OR b.existence = 'held')
  AND (asked.tag IS NULL OR any(tag IN b.tags WHERE tag = asked.tag))
  AND (asked.certification IS NULL OR b.certification = asked.certification)
  AND (asked.owner IS NULL OR (b.ownerFolded = asked.owner AND (asked.owner <> '' OR b.ownerName = '')))
  AND (asked.connector IS NULL OR any(connector IN b.connectors WHERE connector = asked.connector))`;

/** Whether `e` is of a kind that the query asks for. */
const OF_KIND = "asked.kinds IS NULL OR e.kind IN asked.kinds";

/** @param filtered whether any of the queries has a filter */
export function totalsCypher(direction: Direction, filtered: boolean): string {
  return `
UNWIND $queries AS asked
MATCH (a:Asset {id: asked.id, workspace: $workspace})
MATCH ${STEP[direction]}
WHERE ${AT_LEVEL}${filtered ? `${PASSES}\n  AND (${OF_KIND})` : ""}
RETURN asked.position AS position, count(DISTINCT b) AS total`;
}

/** @param filtered whether any of the queries has a filter */
export function neighboursCypher(direction: Direction, filtered: boolean): string {
  // All edges between the two are told, even if only one of them passes the filter.
  const chosen = filtered
    ? `, max(CASE WHEN ${OF_KIND} THEN 1 ELSE 0 END) AS chosen
  WHERE chosen = 1
  WITH b, kinds, uses`
    : "";
  return `
UNWIND $queries AS asked
MATCH (a:Asset {id: asked.id, workspace: $workspace})
CALL {
  WITH asked, a
  MATCH ${STEP[direction]}
  WHERE ${AT_LEVEL} AND b.key > asked.after${filtered ? PASSES : ""}
  WITH b, collect(e.kind) AS kinds, collect(e.uses) AS uses${chosen} ORDER BY b.key LIMIT $limit
  RETURN b, kinds, uses
}
RETURN asked.position AS position, kinds, uses, ${nodeColumns("b")}`;
}

/** A query with its position among the queries of one call. */
interface Indexed extends NeighbourQuery {
  index: number;
}

export const loadNeighbours: Read<"loadNeighbours"> = async (run, workspace, queries) => {
  const indexed: Indexed[] = queries.map((query, index) => ({ ...query, index }));
  const asked = DIRECTIONS.map((direction) => indexed.filter((query) => query.direction === direction));
  const [totals, pages] = await Promise.all([
    Promise.all(DIRECTIONS.map((direction, i) => countEach(run, workspace, direction, asked[i] ?? []))),
    Promise.all(DIRECTIONS.map((direction, i) => listEach(run, workspace, direction, asked[i] ?? []))),
  ]);
  const totalOf = new Map(totals.flat());
  const pageOf = new Map(pages.flat());
  return indexed.map(({ index, first, after }) => {
    const total = totalOf.get(index) ?? 0;
    const found = pageOf.get(index) ?? [];
    const hasMore = first === 0 && after === null ? total > 0 : found.length > first;
    return { items: found.slice(0, first), total, hasMore };
  });
};

function isFiltered({ only }: Indexed): boolean {
  return only !== undefined;
}

function toParameters({ id, index, level, directOnly = false, only = {} }: Indexed): Record<string, unknown> {
  const { types, kinds, nameParts = [], schema, tag, certification, owner, connector } = only;
  const within = schema === undefined ? null : keysWithin(schema);
  return {
    id,
    position: int(index),
    level: level ?? "",
    directOnly,
    types: types ?? null,
    kinds: kinds ?? null,
    nameParts,
    within: within?.after ?? null,
    withinEnd: within?.before ?? null,
    byFacets: [tag, certification, owner, connector].some((value) => value !== undefined),
    tag: tag ?? null,
    certification: certification ?? null,
    owner: owner === undefined ? null : fold(owner),
    connector: connector ?? null,
  };
}

async function countEach(
  run: Run,
  workspace: WorkspaceId,
  direction: Direction,
  asked: readonly Indexed[],
): Promise<[index: number, total: number][]> {
  if (asked.length === 0) return [];
  const queries = asked.map(toParameters);
  const rows = await run(totalsCypher(direction, asked.some(isFiltered)), { workspace, queries });
  return rows.map(([index, total]) => [integer(index), integer(total)]);
}

/**
 * Lists one neighbour more than requested, to see whether there are more. Queries that need only the total are left
 * out.
 */
async function listEach(
  run: Run,
  workspace: WorkspaceId,
  direction: Direction,
  asked: readonly Indexed[],
): Promise<[index: number, found: Neighbour[]][]> {
  const paged = asked.filter(({ first, after }) => first > 0 || after !== null);
  if (paged.length === 0) return [];
  const rows = await run(neighboursCypher(direction, paged.some(isFiltered)), {
    workspace,
    queries: paged.map((query) => ({ ...toParameters(query), after: query.after ?? "" })),
    limit: int(Math.max(...paged.map(({ first }) => first)) + 1),
  });
  const byIndex = Map.groupBy(rows, ([index]) => integer(index));
  return [...byIndex].map(([index, own]) => [index, own.map((row) => toNeighbour(workspace, row))]);
}

function toNeighbour(workspace: WorkspaceId, row: Row): Neighbour {
  const kinds = new Set(list(row[1]).map((kind) => oneOf(EDGE_KINDS, kind)));
  return {
    kinds: EDGE_KINDS.filter((kind) => kinds.has(kind)),
    uses: readUses(list(row[2])),
    node: toNode(workspace, row),
  };
}
