/** Direct neighbours of many nodes, each at its own level. */
import type { NodeType } from "../../catalog/node-types.ts";
import { type ColumnUse, joinUses, walkLevel } from "../../catalog/edge.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { Neighbour, NeighbourQuery, Neighbours } from "../catalog-graph.ts";
import { neighbourFilterSql } from "./filter.ts";
import { ENDS, levelBit, toKind } from "./edge-row.ts";
import { NODE_COLUMNS, toNode } from "./node-row.ts";
import { integer, type Parameters, type Row, snapshot, type Statements, text, type Read } from "./statements.ts";

export const loadNeighbours: Read<"loadNeighbours"> = (sql, workspace, queries) =>
  loadNeighboursWithin(sql, workspace, queries, { edges: Infinity, nodes: Infinity }) ?? [];

/** How many edges may be read, and how many nodes returned. */
export interface NeighbourBounds {
  edges: number;
  nodes: number;
}

/** The neighbours. Returns undefined if that takes more than `most`. */
export function loadNeighboursWithin(
  sql: Statements,
  workspace: WorkspaceId,
  queries: readonly NeighbourQuery[],
  most: NeighbourBounds,
): Neighbours[] | undefined {
  if (queries.length > most.nodes) return undefined;
  return snapshot(sql.db, () => {
    const answers: Neighbours[] = [];
    const left = { ...most };
    for (const query of queries) {
      const answer = neighboursOf(sql, workspace, query, left);
      if (answer === undefined) return undefined;
      answers.push(answer);
    }
    return answers;
  });
}

/** If the far end of an edge is read too, the edge counts as this many. */
const FILTERED = 4;

/** Subtracts what it reads from `left`. Returns undefined if that is more than is left. */
function neighboursOf(
  sql: Statements,
  workspace: WorkspaceId,
  query: NeighbourQuery,
  left: NeighbourBounds,
): Neighbours | undefined {
  const found = sql.get("SELECT seq, type FROM nodes WHERE workspace = $workspace AND id = $id", {
    workspace,
    id: query.id,
  });
  if (found === undefined) return { items: [], total: 0, hasMore: false };
  const { near, far } = ENDS[query.direction];
  const { conditions, parameters } =
    query.only === undefined ? { conditions: "", parameters: {} } : neighbourFilterSql(query.only);
  const beside: Parameters = {
    ...parameters,
    workspace,
    node: integer(found, "seq"),
    level: levelBit(query.level ?? walkLevel(text(found, "type") as NodeType), query.directOnly),
  };
  // A filter looks at the far end of every edge.
  const [weight, farEnd] = query.only === undefined ? [1, ""] : [FILTERED, `CROSS JOIN nodes AS n ON n.seq = e.${far}`];
  const counted = sql.get(
    `SELECT count(*) AS edges, count(DISTINCT iif(e.levels & $level${conditions}, e.${far}, NULL)) AS total
     FROM (SELECT ${far}, levels, kind FROM edges WHERE ${near} = $node LIMIT $limit) AS e ${farEnd}`,
    { ...beside, limit: left.edges === Infinity ? -1 : Math.floor(left.edges / weight) + 1 },
  );
  const total = counted === undefined ? 0 : integer(counted, "total");
  left.edges -= counted === undefined ? 0 : integer(counted, "edges") * weight;
  left.nodes -= Math.min(total, query.first);
  if (left.edges < 0 || left.nodes < 0) return undefined;
  const isEnough = total === 0 || (query.first === 0 && query.after === null);
  if (isEnough) return { items: [], total, hasMore: total > 0 };
  /** Of all edges between the two, even if only one of them passes the filter. */
  const between = (column: "kind" | "uses"): string =>
    `(SELECT json_group_array(DISTINCT e.${column}) FROM edges AS e
      WHERE e.${near} = $node AND e.${far} = page.seq AND e.levels & $level)`;
  const rows = sql.all(
    `SELECT ${NODE_COLUMNS}, ${between("kind")} AS kinds, ${between("uses")} AS uses FROM (
       SELECT n.seq, n.key FROM edges AS e CROSS JOIN nodes AS n ON n.seq = e.${far}
       WHERE e.${near} = $node AND e.levels & $level AND n.key > $after${conditions}
       GROUP BY n.key ORDER BY n.key LIMIT $limit
     ) AS page CROSS JOIN nodes AS n ON n.seq = page.seq ORDER BY page.key`,
    { ...beside, after: query.after ?? "", limit: query.first + 1 },
  );
  return { items: rows.slice(0, query.first).map(toNeighbour), total, hasMore: rows.length > query.first };
}

function toNeighbour(row: Row): Neighbour {
  const kinds: number[] = JSON.parse(text(row, "kinds"));
  // Only write-edges.ts writes the texts in this list.
  const uses = (JSON.parse(text(row, "uses")) as string[]).flatMap((each) => JSON.parse(each) as ColumnUse[]);
  return { kinds: kinds.toSorted((a, b) => a - b).map(toKind), uses: joinUses(uses), node: toNode(row) };
}
