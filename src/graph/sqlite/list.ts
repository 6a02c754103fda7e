/** Pages in the order of keys. */
import { keysWithin } from "../../catalog/identity.ts";
import { namedTypes } from "../../catalog/node-types.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { Facet, NodeFilter } from "../catalog-graph.ts";
import { facetSeq, filterSql } from "./filter.ts";
import { NODE_COLUMNS, toNode } from "./node-row.ts";
import type { Parameters, Read, Statements } from "./statements.ts";
import { showStatement } from "../../catalog/layers.ts";
import { layersFrom } from "./claims.ts";

/** If a facet has at most this many rows, a page is read along its index. */
export const FEW = 2_000;

export const listNodes: Read<"listNodes"> = (sql, workspace, filter, page) => {
  if (filter.types !== "asset" && filter.types.length === 0) return { items: [], hasMore: false };
  const { facets, kinds, parameters } = filterSql(filter);
  const bound: Parameters = {
    ...parameters,
    workspace,
    after: laterOf(page.after ?? "", filter),
    limit: page.limit + 1,
  };
  const [first] = kinds;
  const rows = sql.all(
    first === undefined
      ? alongKeys(facets, filter)
      : alongFacet(kinds.length === 1 ? first : (narrowestFacet(sql, kinds, bound) ?? first), facets, filter),
    bound,
  );
  return { items: rows.slice(0, page.limit).map(toNode), hasMore: rows.length > page.limit };
};

/** A kind of facet with few rows if there is one, since few rows of a larger one may pass the other conditions. */
export function narrowestFacet(sql: Statements, kinds: readonly Facet[], bound: Parameters): Facet | undefined {
  return kinds.find((kind) => {
    const members = `SELECT 1 FROM node_facets WHERE facet = ${facetSeq(kind)} LIMIT ${FEW + 1}`;
    return sql.count(members, bound) <= FEW;
  });
}

/** Starts at the first key of the schema, so that no row before it is read. */
function laterOf(after: string, { schema }: NodeFilter): string {
  if (schema === undefined) return after;
  const begin = keysWithin(schema).after;
  return compareCodePoints(after, begin) > 0 ? after : begin;
}

/** Reads along the rows of one facet, which are ordered by type and key. */
function alongFacet(kind: Facet, facets: string, filter: NodeFilter): string {
  const pages = namedTypes(filter).map(
    (_, i) =>
      `SELECT * FROM (
         SELECT n.seq, f.key FROM node_facets AS f CROSS JOIN nodes AS n ON n.seq = f.node
         WHERE f.facet = ${facetSeq(kind)} AND f.type = $types ->> ${i} AND f.key > $after${facets}
         ORDER BY f.key LIMIT $limit
       )`,
  );
  return `SELECT ${NODE_COLUMNS} FROM (${pages.join(" UNION ALL ")}) AS page CROSS JOIN nodes AS n ON n.seq = page.seq
    ORDER BY page.key LIMIT $limit`;
}

/**
 * For all assets, reads along one index. For some types, reads along one index for each type and merges the rows, so
 * that rare types cost no more.
 */
function alongKeys(facets: string, filter: NodeFilter): string {
  const page = `n.workspace = $workspace AND n.key > $after AND n.held${facets} ORDER BY n.key LIMIT $limit`;
  if (filter.types === "asset") {
    return `SELECT ${NODE_COLUMNS} FROM nodes AS n INDEXED BY assets_by_key WHERE n.type <> 'metric' AND ${page}`;
  }
  const pages = namedTypes(filter).map(
    (_, i) =>
      `SELECT * FROM (SELECT n.seq, n.key FROM nodes AS n INDEXED BY nodes_by_type WHERE n.type = $types ->> ${i} AND ${page})`,
  );
  return `SELECT ${NODE_COLUMNS} FROM (${pages.join(" UNION ALL ")}) AS page CROSS JOIN nodes AS n ON n.seq = page.seq
    ORDER BY page.key LIMIT $limit`;
}

export const listStatements: Read<"listStatements"> = (sql, workspace, { connector, types }, page) => {
  const { items, hasMore } = listNodes(sql, workspace, { types, connector: connector.name }, page);
  return {
    items: items.flatMap((node) => showStatement(node, layersFrom(sql, workspace, node.id, connector.id))),
    hasMore,
  };
};
