/** What the lineage index reads from the file. */
import { NODE_TYPES } from "../../catalog/node-types.ts";
import { GAP, STATUS_FACTS, TYPE_FACTS } from "../lineage-index/facts.ts";
import { toMark } from "../lineage-index/mark.ts";
import type { LineageRows, LinkKind, NodeRange } from "../lineage-index/rows.ts";
import { HIDDEN, USE_RANK } from "./edge-row.ts";
import { integer, type Parameters, type Statements, text } from "./statements.ts";

export function lineageRows(sql: Statements): LineageRows {
  const highest = (statement: string): number => sql.integers(statement, {})[0]?.[0] ?? 0;
  return {
    position: () => highest("SELECT max(position) FROM lineage_changes"),
    changedSince(position) {
      const [first, ...later] = sql.all(CHANGES, { position });
      // Rows are removed from the oldest on. If this one is left, so are all later ones.
      if (first === undefined || integer(first, "position") !== position) return null;
      const nodes = new Set<number>();
      for (const row of later) for (const node of JSON.parse(text(row, "nodes")) as number[]) nodes.add(node);
      return nodes;
    },
    lastNode: () => highest("SELECT coalesce(max(seq), 0) FROM nodes"),
    *inKeyOrder() {
      for (const { workspace = "" } of sql.all("SELECT DISTINCT workspace FROM sources", {})) {
        for (const row of sql.each(IN_KEY_ORDER, { workspace })) yield integer(row, "seq");
      }
    },
    loadNodes: (range) =>
      sql.all("only" in range ? NODES.only : NODES.all, parametersOf(range)).map((row) => ({
        node: integer(row, "seq"),
        facts: integer(row, "facts"),
        sources: integer(row, "source_set"),
        standing: text(row, "standing"),
      })),
    loadLinks: (kind, range) => sql.integers("only" in range ? LINKS[kind].only : LINKS[kind].all, parametersOf(range)),
  };
}

const CHANGES = "SELECT position, nodes FROM lineage_changes WHERE position >= $position ORDER BY position";

function parametersOf(range: NodeRange): Parameters {
  return "only" in range ? { nodes: JSON.stringify(range.only) } : { ...range };
}

/** The same statement for a range of rowids and for a list. */
function forRanges(column: string, toStatement: (from: string, condition: string) => string) {
  return {
    all: toStatement("", `${column} BETWEEN $first AND $last`),
    only: toStatement("json_each($nodes) AS asked CROSS JOIN", `${column} = asked.value`),
  };
}

function caseOf(column: string, facts: readonly (readonly [string, number])[]): string {
  return `CASE ${column} ${facts.map(([value, number]) => `WHEN '${value}' THEN ${number}`).join(" ")} ELSE 0 END`;
}

const NODES = forRanges(
  "n.seq",
  (from, condition) => `
  SELECT n.seq, ${caseOf("n.type", TYPE_FACTS)} + ${caseOf("n.lineage_status", STATUS_FACTS)} + n.gap * ${GAP} AS facts, n.source_set,
    json_extract(n.shown, '$.certification', '$.owner', '$.ownerName') AS standing
  FROM ${from} nodes AS n WHERE ${condition}`,
);

const LEVEL_UNIT = toMark(0, 1, 0);
const USE_UNIT = toMark(0, 0, 1);

const LINKS: Record<LinkKind, { all: string; only: string }> = {
  edges: forRanges(
    "e.from_node",
    (from, condition) => `
    SELECT e.from_node, e.to_node, e.kind + e.levels * ${LEVEL_UNIT} + iif(e.levels & 2, ${USE_RANK}, 0) * ${USE_UNIT}
    FROM ${from} edges AS e WHERE ${condition} AND e.levels < ${HIDDEN} ORDER BY e.from_node, e.to_node, e.kind`,
  ),
  columns: forRanges(
    "d.seq",
    (from, condition) => `
    SELECT d.seq, c.seq, 0
    FROM ${from} nodes AS d CROSS JOIN nodes AS c INDEXED BY nodes_by_parent ON c.workspace = d.workspace AND c.parent = d.id
    WHERE ${condition} AND d.type <> 'column' AND c.type = 'column' ORDER BY d.seq, c.seq`,
  ),
  references: forRanges(
    "r.from_node",
    (from, condition) => `
    SELECT r.from_node, r.to_node, 0 FROM ${from} column_references AS r
    WHERE ${condition} AND r.shown ORDER BY r.from_node, r.to_node`,
  ),
};

/** Each type has a range of an index in the order of keys, and SQLite merges them. */
const IN_KEY_ORDER = `${NODE_TYPES.map(
  (type) => `SELECT key, seq FROM nodes WHERE workspace = $workspace AND type = '${type}'`,
).join(" UNION ALL ")} ORDER BY key`;
