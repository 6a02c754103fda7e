/** What the impact of a change reads from the file; see `catalog/impact/source.ts`. The number of a node is its rowid. */
import type { ColumnLineage } from "../../catalog/asset.ts";
import { type ColumnUse, joinUses, type Level } from "../../catalog/edge.ts";
import { assess } from "../../catalog/impact/assess.ts";
import type { ImpactSource, OwnColumn, Pair, Shown, SpreadNode } from "../../catalog/impact/source.ts";
import type { Impact, ImpactQuery } from "../../catalog/impact.ts";
import { toNodeId, type WorkspaceId } from "../../ids.ts";
import { findChecksOn, loadChecksById } from "./checks.ts";
import { GAP } from "../lineage-index/facts.ts";
import { indexedSource } from "../lineage-index/indexed-source.ts";
import type { LineageIndex } from "../lineage-index/lineage-index.ts";
import { toUse } from "../lineage-index/mark.ts";
import { cover, coverNodes } from "./coverage.ts";
import { BIT, fromKind, parseUses, USE_RANK } from "./edge-row.ts";
import { inParts } from "./in-parts.ts";
import { parseUsage } from "./node-row.ts";
import { integer, type Row, type Statements, text, textOrNull } from "./statements.ts";

/**
 * The impact, within the transaction, which has begun. Only threads may call it, because they do one task at a time.
 * @param index the lineage at this transaction's state, if it is in memory
 */
export async function assessImpact(
  sql: Statements,
  index: LineageIndex | null,
  workspace: WorkspaceId,
  query: ImpactQuery,
): Promise<Impact | null> {
  const file = createSource(sql, workspace);
  return assess(query, index === null ? file : withIndex(sql, index, file));
}

/** @param file answers what the index does not know */
function withIndex(sql: Statements, index: LineageIndex, file: ImpactSource): ImpactSource {
  const keys = new Map<number, string>();
  const { byKey, lists } = indexedSource(index, (node) =>
    keys.getOrInsertComputed(node, () =>
      text(sql.get("SELECT key FROM nodes WHERE seq = $node", { node }) ?? {}, "key"),
    ),
  );
  const toCovered = (seq: number) => {
    return { seq, gap: Number((index.facts(seq) & GAP) !== 0), sources: index.sources(seq) };
  };
  return { ...file, ...lists, byKey, cover: (nodes) => cover(sql, nodes.map(toCovered)) };
}

/** Pairs in one statement. Each is a search of its own. */
const MOST_PAIRS = 500;

function createSource(sql: Statements, workspace: WorkspaceId): ImpactSource {
  const readRows = <T>(statement: string, nodes: readonly number[], toAnswer: (row: Row) => T): T[] =>
    inParts(nodes, (part) => sql.all(statement, { nodes: JSON.stringify(part) })).map(toAnswer);
  const readIntegers = (statement: string, nodes: readonly number[]): number[][] =>
    inParts(nodes, (part) => sql.integers(statement, { nodes: JSON.stringify(part) }));
  return {
    find(id) {
      const row = sql.get("SELECT seq FROM nodes WHERE workspace = $workspace AND id = $id", { workspace, id });
      return row === undefined ? null : integer(row, "seq");
    },
    loadNodes: (nodes) => readRows(NODES, nodes, toSpreadNode),
    listColumns: (datasets) => readRows(COLUMNS, datasets, toOwnColumn),
    followColumns: (from) =>
      readIntegers(COLUMN_STEPS, from).map(([near = 0, far = 0, use = 0]) => ({
        from: near,
        to: far,
        use: toUse(use),
      })),
    followAssets: (from) =>
      readIntegers(ASSET_STEPS, from).map(([near = 0, far = 0, marked = 0]) => ({
        from: near,
        to: far,
        materializes: marked === 1,
      })),
    followReferences: (columns) => readIntegers(REFERENCES, columns).map(([from = 0, to = 0]) => ({ from, to })),
    areBound: (pairs) =>
      inParts(pairs, (part) => sql.integers(BOUND, { pairs: JSON.stringify(part) }), { most: MOST_PAIRS }).map(
        ([bound]) => bound === 1,
      ),
    loadUses: (pairs) => pairs.map((pair) => usesBetween(sql, pair)),
    show: (nodes) => readRows(SHOW, nodes, toShown),
    cover: (nodes) => coverNodes(sql, nodes),
    findChecks: (nodes) => findChecksOn(sql, nodes),
    loadChecks: (ids) => loadChecksById(sql, workspace, ids),
  };
}

const NODES = `
  SELECT n.type, n.key, p.seq AS parent, iif(n.type = 'column', NULL, n.lineage_status) AS lineage
  FROM json_each($nodes) AS asked CROSS JOIN nodes AS n ON n.seq = asked.value
    LEFT JOIN nodes AS p ON p.workspace = n.workspace AND p.id = n.parent
  ORDER BY asked.key`;

const COLUMNS = `
  SELECT d.seq AS dataset, n.seq, n.lineage_status AS lineage
  FROM json_each($nodes) AS asked CROSS JOIN nodes AS d ON d.seq = asked.value
    CROSS JOIN nodes AS n INDEXED BY nodes_by_parent ON n.workspace = d.workspace AND n.parent = d.id
  WHERE n.type = 'column'`;

/** Rows of [from, to, mark], one for each pair. */
function stepsSql(level: Level, mark: string): string {
  return `
  SELECT e.from_node, e.to_node, ${mark}
  FROM json_each($nodes) AS asked CROSS JOIN edges AS e ON e.from_node = asked.value
  WHERE e.levels & ${BIT[level]} GROUP BY e.from_node, e.to_node`;
}

const COLUMN_STEPS = stepsSql("column", `max(${USE_RANK})`);
const ASSET_STEPS = stepsSql("asset", `max(e.kind = ${fromKind("materializes")})`);

const REFERENCES = `
  SELECT DISTINCT r.from_node, r.to_node
  FROM json_each($nodes) AS asked CROSS JOIN column_references AS r ON r.from_node = asked.value
  WHERE r.shown`;

const BOUND = `
  SELECT EXISTS (
    SELECT 1 FROM edges AS e CROSS JOIN nodes AS c ON c.seq = e.from_node
    WHERE e.to_node = z.seq AND e.levels & 2 AND c.parent = p.id AND c.type = 'column'
    UNION ALL
    SELECT 1 FROM nodes AS own INDEXED BY nodes_by_parent CROSS JOIN edges AS e ON e.to_node = own.seq
      CROSS JOIN nodes AS c ON c.seq = e.from_node
    WHERE own.workspace = z.workspace AND own.parent = z.id AND e.levels & 2 AND c.parent = p.id AND c.type = 'column'
  )
  FROM json_each($pairs) AS asked
    CROSS JOIN nodes AS p ON p.seq = asked.value ->> 0
    CROSS JOIN nodes AS z ON z.seq = asked.value ->> 1
  ORDER BY asked.key`;

const USES_BETWEEN = "SELECT DISTINCT uses FROM edges WHERE from_node = $from AND to_node = $to AND levels & 2";

const SHOW = `
  SELECT n.id, n.name, n.type, n.platform, n.usage,
    json_extract(n.shown, '$.fqn', '$.certification', '$.owner', '$.ownerName', '$.dataType', '$.columnLineage') AS more
  FROM json_each($nodes) AS asked CROSS JOIN nodes AS n ON n.seq = asked.value
  ORDER BY asked.key`;

function toSpreadNode(row: Row): SpreadNode {
  const key = text(row, "key");
  const parent = row["parent"];
  return {
    type: text(row, "type") as SpreadNode["type"],
    key: () => key,
    parent: parent === null ? null : integer(row, "parent"),
    lineage: toStatus(row),
  };
}

function toOwnColumn(row: Row): OwnColumn {
  return { dataset: integer(row, "dataset"), column: integer(row, "seq"), lineage: toStatus(row) };
}

function toStatus(row: Row): ColumnLineage["status"] | null {
  // Only node-rows.ts writes what this is read from.
  return textOrNull(row, "lineage") as ColumnLineage["status"] | null;
}

function toShown(row: Row): Shown {
  // The fields that SHOW selects of what node-rows.ts writes.
  const more = JSON.parse(text(row, "more")) as [
    string,
    Shown["certification"],
    string,
    string,
    string,
    ColumnLineage | null,
  ];
  const [fqn, certification, owner, ownerName, dataType, columnLineage] = more;
  const id = toNodeId(text(row, "id"));
  const type = text(row, "type") as Shown["type"];
  const [name, platform] = [text(row, "name"), text(row, "platform")];
  const usage = parseUsage(row);
  return { id, name, type, platform, fqn, certification, owner, ownerName, usage, dataType, columnLineage };
}

function usesBetween(sql: Statements, [from, to]: Pair): ColumnUse[] {
  return joinUses(sql.all(USES_BETWEEN, { from, to }).flatMap(parseUses));
}
