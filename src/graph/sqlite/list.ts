/** Pages in the order of keys. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { keysWithin } from "../../catalog/identity.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { NodeFilter, Page } from "../catalog-graph.ts";
import { facetSeq, filterSql } from "./filter.ts";
import { NODE_COLUMNS, toNode } from "./node-row.ts";
import { integer, type Parameters, type Statements } from "./statements.ts";

/** Up to this many rows of one facet are read and sorted; more are met soon enough on the way along the keys. */
const FEW = 2_000;

export function listNodes(
  sql: Statements,
  workspace: string,
  filter: NodeFilter,
  page: { after: string | null; limit: number },
): Page<CatalogNode> {
  if (filter.types !== "asset" && filter.types.length === 0) return { items: [], hasMore: false };
  const { facets, types, kinds, parameters } = filterSql(filter);
  const bound: Parameters = {
    ...parameters,
    workspace,
    after: laterOf(page.after ?? "", filter),
    limit: page.limit + 1,
  };
  const rare = kinds.find((kind) => {
    const members = `SELECT 1 FROM node_facets WHERE facet = ${facetSeq(kind)} LIMIT ${FEW + 1}`;
    const counted = sql.get(`SELECT count(*) AS amount FROM (${members})`, bound);
    return counted !== undefined && integer(counted, "amount") <= FEW;
  });
  const rows =
    rare === undefined
      ? sql.all(alongKeys(facets, filter), bound)
      : sql.all(
          `SELECT ${NODE_COLUMNS} FROM (
             SELECT n.seq, n.key FROM node_facets AS f CROSS JOIN nodes AS n ON n.seq = f.node
             WHERE f.facet = ${facetSeq(rare)} AND n.key > $after${types}${facets}
             ORDER BY n.key LIMIT $limit
           ) AS page CROSS JOIN nodes AS n ON n.seq = page.seq ORDER BY page.key`,
          bound,
        );
  return { items: rows.slice(0, page.limit).map(toNode), hasMore: rows.length > page.limit };
}

/** No page begins before the keys of its schema: what lies before them is never passed over. */
function laterOf(after: string, { schema }: NodeFilter): string {
  if (schema === undefined) return after;
  const begin = keysWithin(schema).after;
  return compareCodePoints(after, begin) > 0 ? after : begin;
}

/** Along one index for all assets; else along one for each type, merged, so that rare types cost no more. */
function alongKeys(facets: string, filter: NodeFilter): string {
  const page = `n.workspace = $workspace AND n.key > $after AND n.held${facets} ORDER BY n.key LIMIT $limit`;
  if (filter.types === "asset") {
    return `SELECT ${NODE_COLUMNS} FROM nodes AS n INDEXED BY assets_by_key WHERE n.type <> 'metric' AND ${page}`;
  }
  const pages = [...new Set(filter.types)].map(
    (_, i) =>
      `SELECT * FROM (SELECT n.seq, n.key FROM nodes AS n INDEXED BY nodes_by_type WHERE n.type = $types ->> ${i} AND ${page})`,
  );
  return `SELECT ${NODE_COLUMNS} FROM (${pages.join(" UNION ALL ")}) AS page CROSS JOIN nodes AS n ON n.seq = page.seq
    ORDER BY page.key LIMIT $limit`;
}
