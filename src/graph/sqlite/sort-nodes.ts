/** Pages in an order that can change: see `catalog/node-order.ts`. */
import { isNumeric, type NodeOrder, type NodePlace, sortedTypes } from "../../catalog/node-order.ts";
import { facetSeq, filterSql } from "./filter.ts";
import { narrowestFacet, FEW } from "./list.ts";
import { NODE_COLUMNS, toNode } from "./node-row.ts";
import { integer, type Parameters, type Statements, text, type Read } from "./statements.ts";

interface Order {
  /** An index over (workspace, type, column, key). */
  index: string;
  column: string;
  /** What follows a value, and how the values are sorted. */
  after: "<" | ">";
  direction: "ASC" | "DESC";
}

const ORDERS = {
  name: { index: "nodes_in_name_order", column: "name_folded", after: ">", direction: "ASC" },
  updated: { index: "nodes_in_update_order", column: "updated_at", after: "<", direction: "DESC" },
  downstream: { index: "nodes_in_downstream_order", column: "downstream", after: "<", direction: "DESC" },
  usage: { index: "nodes_in_usage_order", column: "usage_rank", after: "<", direction: "DESC" },
} as const satisfies Record<NodeOrder, Order>;

export const sortNodes: Read<"sortNodes"> = (sql, workspace, filter, by, page) => {
  const order = ORDERS[by];
  const types = sortedTypes(filter.types);
  const { facets, kinds, parameters } = filterSql(filter);
  const bound: Parameters = {
    ...parameters,
    types: JSON.stringify(types),
    ...(page.after !== null && { ...page.after }),
    ...(page.among !== undefined && { among: JSON.stringify(page.among) }),
    workspace,
    limit: page.limit + 1,
  };
  const few = kinds.length === 0 || page.among !== undefined ? undefined : narrowestFacet(sql, kinds, bound);
  const pages = types.flatMap((_, i) => {
    const type = `$types ->> ${i}`;
    if (page.among !== undefined) {
      return [onePage(order, `${AMONG} WHERE ${OF_TYPE(type)}${facets}`, page.after)];
    }
    if (few !== undefined) {
      const members = `node_facets AS f CROSS JOIN nodes AS n ON n.seq = f.node`;
      return [onePage(order, `${members} WHERE f.facet = ${facetSeq(few)} AND f.type = ${type}${facets}`, page.after)];
    }
    if (filter.schema !== undefined && isSmall(sql, type, facets, bound)) {
      return [onePage(order, `nodes AS n INDEXED BY nodes_by_type WHERE ${OF_TYPE(type)}${facets}`, page.after)];
    }
    return alongIndex(order, `nodes AS n INDEXED BY ${order.index} WHERE ${OF_TYPE(type)}${facets}`, page.after);
  });
  if (pages.length === 0) return { items: [], hasMore: false };
  const rows = sql.all(
    `SELECT ${NODE_COLUMNS}, page.value, page.key FROM (${pages.join(" UNION ALL ")}) AS page
       CROSS JOIN nodes AS n ON n.seq = page.seq
     ORDER BY page.value ${order.direction}, page.key LIMIT $limit`,
    bound,
  );
  const items = rows.slice(0, page.limit).map((row) => ({
    node: toNode(row),
    place: { value: isNumeric(by) ? integer(row, "value") : text(row, "value"), key: text(row, "key") },
  }));
  return { items, hasMore: rows.length > page.limit };
};

const AMONG = "json_each($among) AS a CROSS JOIN nodes AS n ON n.workspace = $workspace AND n.id = a.value";

const OF_TYPE = (type: string): string =>
  `n.workspace = $workspace AND n.type = ${type} AND n.type <> 'column' AND n.held`;

/** Whether few nodes of the type are in the filter's schema, so that all of them can be sorted. */
function isSmall(sql: Statements, type: string, facets: string, bound: Parameters): boolean {
  const within = `SELECT 1 FROM nodes AS n INDEXED BY nodes_by_type
    WHERE ${OF_TYPE(type)} AND n.key > $within AND n.key < $withinEnd LIMIT ${FEW + 1}`;
  return sql.count(within, bound) <= FEW;
}

/** Sorts all rows of a source. */
function onePage({ column, after, direction }: Order, source: string, place: NodePlace | null): string {
  const further = ` AND (n.${column} ${after} $value OR (n.${column} = $value AND n.key > $key))`;
  return `SELECT * FROM (SELECT n.seq, n.${column} AS value, n.key FROM ${source}${place === null ? "" : further}
    ORDER BY value ${direction}, n.key LIMIT $limit)`;
}

/** Reads along the order's index: first the other nodes with the value of the place, then those behind it. */
function alongIndex({ column, after, direction }: Order, source: string, place: NodePlace | null): string[] {
  const read = (condition: string) =>
    `SELECT * FROM (SELECT n.seq, n.${column} AS value, n.key FROM ${source}${condition}
      ORDER BY n.${column} ${direction}, n.key LIMIT $limit)`;
  if (place === null) return [read("")];
  return [read(` AND n.${column} = $value AND n.key > $key`), read(` AND n.${column} ${after} $value`)];
}
