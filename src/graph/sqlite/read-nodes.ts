/** Reads nodes by id, by fqn and by parent, and counts them. */
import type { FolderPath } from "../../catalog/identity.ts";
import type { CatalogNode } from "../../catalog/asset.ts";
import { MAX_NAMESAKES } from "../../catalog/namesakes.ts";
import { forEachType, NODE_TYPES } from "../../catalog/node-types.ts";
import { listEdits } from "../../catalog/edits.ts";
import { fold } from "../../catalog/text.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { Facet, NodeFilter, ValueCount } from "../catalog-graph.ts";
import { beginPerson, facetSeq, filterSql, FQN, withinParameters } from "./filter.ts";
import { NODE_COLUMNS, toNode } from "./node-row.ts";
import { parseCuration } from "./node-rows.ts";
import { areWithin, integer, type Row, type Statements, text, type Read, type ReadWithin } from "./statements.ts";
import { endOfPrefix, fqnTail } from "../text-range.ts";

const BY_ID = `SELECT ${NODE_COLUMNS} FROM nodes AS n WHERE n.workspace = $workspace AND n.id = $id`;

export const loadNodes: Read<"loadNodes"> = (sql, workspace, ids) =>
  ids.map((id) => {
    const row = sql.get(BY_ID, { workspace, id });
    return row === undefined ? null : toNode(row);
  });

/** The nodes with these rowids. All of them must exist. */
export function loadBySeq(sql: Statements, seqs: readonly number[]): CatalogNode[] {
  return sql
    .all(
      `SELECT ${NODE_COLUMNS} FROM json_each($seqs) AS wanted CROSS JOIN nodes AS n ON n.seq = wanted.value
       ORDER BY wanted.key`,
      { seqs: JSON.stringify(seqs) },
    )
    .map(toNode);
}

export const loadByFqn: Read<"loadByFqn"> = (sql, workspace, fqn, { type = null, platform = null }) =>
  sql
    .all(
      `SELECT ${NODE_COLUMNS} FROM nodes AS n INDEXED BY nodes_by_fqn_tail
     WHERE n.workspace = $workspace AND n.fqn_tail = $tail AND n.held
       AND ($type IS NULL OR n.type = $type) AND ($platform IS NULL OR n.platform = $platform)
     ORDER BY n.key LIMIT $limit`,
      { workspace, tail: fqnTail(fold(fqn)), type, platform, limit: MAX_NAMESAKES },
    )
    .map(toNode);

export const loadColumns: Read<"loadColumns"> = (sql, workspace, parentIds) =>
  parentIds.map((parent) =>
    sql
      .all(
        `SELECT ${NODE_COLUMNS} FROM nodes AS n INDEXED BY nodes_by_parent
         WHERE n.workspace = $workspace AND n.parent = $parent AND n.type = 'column'
         ORDER BY n.ordinal IS NULL, n.ordinal, n.key`,
        { workspace, parent },
      )
      .map(toNode),
  );

/** The columns; undefined if there are more than `most`, counting each parent as one too. */
export const loadColumnsWithin: ReadWithin<"loadColumns"> = (sql, workspace, parentIds, most) => {
  const columns = "SELECT 1 FROM nodes INDEXED BY nodes_by_parent WHERE workspace = $workspace AND parent = $item";
  return areWithin(sql, columns, { workspace, items: parentIds }, most)
    ? loadColumns(sql, workspace, parentIds)
    : undefined;
};

export const countNodes: Read<"countNodes"> = (sql, workspace, filter = { types: NODE_TYPES }) => {
  const { facets, types, kinds, parameters } = filterSql(filter);
  const counted = sql.all(
    `SELECT n.type, count(*) AS amount FROM ${passing(kinds)} AND n.workspace = $workspace${types}${facets}
     GROUP BY n.type`,
    { ...parameters, workspace },
  );
  const amounts = new Map(counted.map((row) => [text(row, "type"), integer(row, "amount")]));
  return forEachType((type) => amounts.get(type) ?? 0);
};

/** The nodes n with the first facet that a filter names; all nodes if it names none. More conditions follow. */
function passing([first]: readonly Facet[]): string {
  return first === undefined
    ? "nodes AS n WHERE true"
    : `node_facets AS f CROSS JOIN nodes AS n ON n.seq = f.node WHERE f.facet = ${facetSeq(first)}`;
}

/** Removes the last part of a path, and the dot before it. `rtrim` takes away all characters that it is given. */
const withoutLastPart = (path: string): string =>
  `substr(rtrim(${path}, replace(${path}, '.', '')), 1, length(rtrim(${path}, replace(${path}, '.', ''))) - 1)`;

/** The schema of a node n, as `schemaOf` says. It is not stored, because few ask for it and every node would have it. */
const SCHEMA = `CASE n.type WHEN 'column' THEN ${withoutLastPart(withoutLastPart(FQN))} ELSE ${withoutLastPart(FQN)} END`;

function countSchemas(sql: Statements, workspace: WorkspaceId, filter: NodeFilter, limit: number): ValueCount[] {
  const { facets, types, kinds, parameters } = filterSql(filter);
  return sql
    .all(
      `SELECT ${SCHEMA} AS value, count(*) AS amount
       FROM ${passing(kinds)} AND n.workspace = $workspace${types}${facets}
       GROUP BY value ORDER BY amount DESC, value LIMIT $limit`,
      { ...parameters, workspace, limit },
    )
    .map(toCount);
}

export const countValues: Read<"countValues"> = (sql, workspace, filter, facet, limit) => {
  if (facet === "schema") return countSchemas(sql, workspace, filter, limit);
  const { parameters } = filterSql(filter);
  const within = filter.schema === undefined ? "" : " AND m.key > $within AND m.key < $withinEnd";
  const { facets } = filterSql({ ...filter, schema: undefined });
  const nodes = facets === "" ? "" : "CROSS JOIN nodes AS n ON n.seq = m.node";
  return sql
    .all(
      `SELECT v.value, count(*) AS amount FROM facets AS v CROSS JOIN node_facets AS m ON m.facet = v.seq ${nodes}
       WHERE v.workspace = $workspace AND v.kind = $facet
         AND m.type IN (SELECT value FROM json_each($types))${within}${facets}
       GROUP BY v.seq ORDER BY amount DESC, v.value LIMIT $limit`,
      { ...parameters, workspace, facet, limit },
    )
    .map(toCount);
};

function toCount(row: Row): ValueCount {
  return { value: text(row, "value"), amount: integer(row, "amount") };
}

/** What the folders at a place are called, and which assets n are in them. */
function foldersSql({ platform, database }: FolderPath): { value: string; within: string } {
  if (platform === undefined) return { value: "n.platform", within: "" };
  const onPlatform = " AND n.platform = $platform";
  if (database === undefined) return { value: "substr(n.key, 1, max(instr(n.key, '.') - 1, 0))", within: onPlatform };
  const inDatabase = database === "" ? " AND instr(n.key, '.') = 0" : " AND n.key > $within AND n.key < $withinEnd";
  return { value: withoutLastPart(FQN), within: `${onPlatform}${inDatabase}` };
}

export const listFolders: Read<"listFolders"> = (sql, workspace, path, { after, limit }) => {
  const { value, within } = foldersSql(path);
  const rows = sql.all(
    `SELECT value, count(*) AS amount FROM (
       SELECT ${value} AS value FROM nodes AS n INDEXED BY assets_by_platform
       WHERE n.workspace = $workspace AND n.held AND n.type NOT IN ('column', 'metric')${within}
     ) ${after === null ? "" : "WHERE value > $after"} GROUP BY value ORDER BY value LIMIT $limit`,
    {
      platform: path.platform ?? null,
      ...withinParameters({ schema: path.database }),
      workspace,
      after,
      limit: limit + 1,
    },
  );
  return { items: rows.slice(0, limit).map(toCount), hasMore: rows.length > limit };
};

export const listValues: Read<"listValues"> = (sql, workspace, facet, limit) =>
  sql
    .all(
      `SELECT f.value FROM facets AS f WHERE f.workspace = $workspace AND f.kind = $facet AND f.value <> ''
         AND EXISTS (SELECT 1 FROM node_facets AS m CROSS JOIN nodes AS n ON n.seq = m.node WHERE m.facet = f.seq)
       ORDER BY f.value LIMIT $limit`,
      { workspace, facet, limit },
    )
    .map((row) => text(row, "value"));

export const loadOwnerNames: Read<"loadOwnerNames"> = (sql, workspace, addresses) =>
  addresses.map((address) => {
    const begin = beginPerson(address);
    const row = sql.get(
      `SELECT value FROM facets WHERE workspace = $workspace AND kind = 'person' AND value > $begin AND value < $end
         AND EXISTS (SELECT 1 FROM node_facets WHERE facet = facets.seq)
       ORDER BY value LIMIT 1`,
      { workspace, begin, end: endOfPrefix(begin) },
    );
    return row === undefined ? "" : text(row, "value").slice(begin.length);
  });

export const loadEdits: Read<"loadEdits"> = (sql, workspace, ids) =>
  ids.map((id) => {
    const row = sql.get("SELECT curation FROM nodes WHERE workspace = $workspace AND id = $id", { workspace, id });
    return row === undefined ? [] : listEdits(parseCuration(text(row, "curation")));
  });
