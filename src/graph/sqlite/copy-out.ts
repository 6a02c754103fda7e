/** Reads a workspace's graph as the rows of a copy: see `graph-copy.ts`. */
import type { CertificationStep } from "../../catalog/certification.ts";
import { toConnectorId, toNodeId, type WorkspaceId } from "../../ids.ts";
import { toCopiedClaims } from "../core/copy-in.ts";
import type { CopiedClaim, CopiedNode, CopyPage, CopyPart, CopyRows, KeptLink, Stated } from "../graph-copy.ts";
import { toCheck } from "./checks.ts";
import { loadClaims, toClaim } from "./claims.ts";
import { parseUses, toKind } from "./edge-row.ts";
import { idOrNull, integer, type Row, type Statements, text, textOrNull } from "./statements.ts";
import { toKeptNode } from "./history.ts";
import { toMoment } from "./moments.ts";
import { toResultChange } from "./result-changes.ts";
import { parseCuration } from "./node-rows.ts";

/** How one part is read. */
interface Part<R> {
  /**
   * Its rows are in the order of their key, and begin after `$after`. The key is the column `page_key`: no table has a column
   * of this name, which `*` would return instead of the key.
   */
  query: string;
  /** What `$after` is at the beginning: 0 if the key is a number, else "". */
  first?: 0;
  toRow: (row: Row, sql: Statements, workspace: WorkspaceId) => R;
}

const NODES = (which: string): string => `
  SELECT seq, id AS page_key, id, platform, parent, created_at, updated_at, since, curation FROM nodes
  WHERE workspace = $workspace AND id > $after AND ${which} ORDER BY id LIMIT $limit`;

const STATED = `s.connector, s.scope, y.id AS sync`;

/** `edges` or `column_references`, which have no rowid: the page's key is their own, as a text in the same order. */
function connections(table: string, key: readonly string[], columns: string): string {
  const own = key.map((column) => `e.${column}`).join(", ");
  const after = key.map((_, i) => `CAST(substr($after, ${i * 20 + 1}, 20) AS INTEGER)`).join(", ");
  return `SELECT printf('${"%020d".repeat(key.length)}', ${own}) AS page_key, a.id AS from_id, b.id AS to_id, ${columns}, ${STATED}
    FROM ${table} AS e CROSS JOIN nodes AS a ON a.seq = e.from_node CROSS JOIN nodes AS b ON b.seq = e.to_node
      CROSS JOIN sources AS s ON s.seq = e.source CROSS JOIN parcels AS p ON p.seq = e.parcel
      CROSS JOIN syncs AS y ON y.seq = p.sync
    WHERE a.workspace = $workspace AND (${own}) > (${after}) ORDER BY ${own} LIMIT $limit`;
}

const bySeq = (table: string): string =>
  `SELECT *, seq AS page_key FROM ${table} WHERE workspace = $workspace AND seq > $after ORDER BY seq LIMIT $limit`;

const PARTS: { [P in CopyPart]: Part<CopyRows[P]> } = {
  runs: {
    query: `SELECT connector AS page_key, run FROM runs WHERE workspace = $workspace AND connector > $after ORDER BY connector LIMIT $limit`,
    toRow: (row) => ({ connectorId: toConnectorId(text(row, "page_key")), run: integer(row, "run") }),
  },
  scopes: {
    query: bySeq("sources"),
    first: 0,
    toRow: (row) => ({
      connectorId: toConnectorId(text(row, "connector")),
      scope: text(row, "scope"),
      incomplete: integer(row, "incomplete") === 1,
      run: integer(row, "run"),
    }),
  },
  removedNodes: {
    query: `SELECT id AS page_key, id, platform, parent, created_at, created_at AS updated_at, 0 AS since, curation FROM removed_nodes
      WHERE workspace = $workspace AND id > $after ORDER BY id LIMIT $limit`,
    toRow: (row) => toNode(row, []),
  },
  assets: { query: NODES("parent IS NULL"), toRow: withClaims },
  columns: { query: NODES("parent IS NOT NULL"), toRow: withClaims },
  edges: {
    query: connections("edges", ["from_node", "to_node", "kind", "source"], "e.kind, e.uses, e.since"),
    toRow: (row) => ({ ...toLink(row), kind: toKind(integer(row, "kind")), uses: parseUses(row), ...toStated(row) }),
  },
  references: {
    query: connections("column_references", ["from_node", "to_node", "source"], "e.since"),
    toRow: (row) => ({ ...toLink(row), ...toStated(row) }),
  },
  checks: {
    query: `SELECT e.seq AS page_key, e.precedence, e.definition, e.result, ${STATED} FROM checks AS e
        CROSS JOIN sources AS s ON s.seq = e.source CROSS JOIN syncs AS y ON y.seq = e.sync
      WHERE s.workspace = $workspace AND e.seq > $after ORDER BY e.seq LIMIT $limit`,
    first: 0,
    toRow: (row) => ({ precedence: integer(row, "precedence"), check: toCheck(row), ...toStated(row) }),
  },
  certifications: {
    query: `SELECT found.metric AS page_key, (
        SELECT json_group_array(json(step)) FROM (
          SELECT step FROM certification_steps AS own WHERE own.workspace = $workspace AND own.metric = found.metric
          ORDER BY place
        )) AS steps, d.fingerprint, d.dependencies
      FROM (
        SELECT metric FROM certification_steps WHERE workspace = $workspace
        UNION SELECT metric FROM dependencies WHERE workspace = $workspace
      ) AS found LEFT JOIN dependencies AS d ON d.workspace = $workspace AND d.metric = found.metric
      WHERE found.metric > $after ORDER BY found.metric LIMIT $limit`,
    toRow(row) {
      const fingerprint = textOrNull(row, "fingerprint");
      return {
        metric: toNodeId(text(row, "page_key")),
        // Only `addStep` writes the steps.
        steps: JSON.parse(text(row, "steps")) as CertificationStep[],
        dependencies: fingerprint === null ? null : { fingerprint, text: text(row, "dependencies") },
      };
    },
  },
  moments: {
    query: `SELECT *, number AS page_key FROM moments
      WHERE workspace = $workspace AND number > $after ORDER BY number LIMIT $limit`,
    first: 0,
    toRow: toMoment,
  },
  keptNodes: { query: bySeq("kept_nodes"), first: 0, toRow: toKeptNode },
  keptLinks: {
    query: bySeq("kept_links"),
    first: 0,
    toRow: (row) => ({
      ...toLink(row),
      kind: row["kind"] === null ? null : toKind(integer(row, "kind")),
      uses: parseUses(row),
      until: integer(row, "until"),
      connectorId: toConnectorId(text(row, "connector")),
    }),
  },
  resultChanges: { query: bySeq("result_changes"), first: 0, toRow: toResultChange },
  removedConnectors: {
    query: `SELECT connector AS page_key FROM removed_connectors WHERE workspace = $workspace AND connector > $after
      ORDER BY connector LIMIT $limit`,
    toRow: (row) => ({ connectorId: toConnectorId(text(row, "page_key")) }),
  },
};

export function copyOut<P extends CopyPart>(
  sql: Statements,
  workspace: WorkspaceId,
  part: P,
  { after, limit }: { after: string | null; limit: number },
): CopyPage<P> {
  const { query, first = "", toRow } = PARTS[part];
  const from = after === null ? first : first === 0 ? Number(after) : after;
  const rows = sql.all(query, { workspace, after: from, limit });
  const last = rows.at(-1)?.["page_key"];
  return {
    rows: rows.map((row) => toRow(row, sql, workspace)),
    next: rows.length < limit || last === undefined ? null : String(last),
  };
}

export function countRows(sql: Statements, workspace: WorkspaceId, part: CopyPart): number {
  const { query, first = "" } = PARTS[part];
  // A negative limit is none.
  return sql.count(query, { workspace, after: first, limit: -1 });
}

function toLink(row: Row): Pick<KeptLink, "from" | "to" | "since"> {
  const [from, to] = [toNodeId(text(row, "from_id")), toNodeId(text(row, "to_id"))];
  return { from, to, since: integer(row, "since") };
}

function toStated(row: Row): Stated {
  return {
    connectorId: toConnectorId(text(row, "connector")),
    scope: text(row, "scope"),
    syncId: text(row, "sync"),
  };
}

function toNode(row: Row, claims: CopiedClaim[]): CopiedNode {
  return {
    id: toNodeId(text(row, "id")),
    platform: text(row, "platform"),
    parentId: idOrNull(row, "parent", toNodeId),
    createdAt: text(row, "created_at"),
    updatedAt: text(row, "updated_at"),
    since: integer(row, "since"),
    curation: parseCuration(text(row, "curation")),
    claims,
  };
}

function withClaims(row: Row, sql: Statements, workspace: WorkspaceId): CopiedNode {
  const claims = loadClaims(sql, workspace, [toNodeId(text(row, "id"))]).map(toClaim);
  return toNode(row, toCopiedClaims(claims));
}
