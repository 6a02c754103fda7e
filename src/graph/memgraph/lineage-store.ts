/** What the lineage index reads from Memgraph. */
import { int } from "neo4j-driver";

import { EDGE_KINDS } from "../../catalog/edge.ts";
import { NODE_TYPES } from "../../catalog/node-types.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { toNodeId, type WorkspaceId } from "../../ids.ts";
import { GAP, STATUS_FACTS, TYPE_FACTS } from "../lineage-index/facts.ts";
import { toMark } from "../lineage-index/mark.ts";
import {
  type LineageStore,
  MOST_CHANGES,
  type Position,
  type StoredLinks,
  type StoredNode,
} from "../lineage-index/named-lineage.ts";
import type { LinkKind } from "../lineage-index/rows.ts";
import type { Row, Run } from "./bolt.ts";
import { NO_SOURCES } from "./coverage.ts";
import { RELATION } from "./edges.ts";
import { FOLLOW_REFERENCES, MARK, OWN_COLUMNS } from "./impact.ts";
import { endText } from "./moment-texts.ts";
import { collected, integer, list, nodeIdOrNull, oneOf, text, texts } from "./values.ts";

export const POSITION = `
MATCH (l:WriteLine {id: $workspace, workspace: $workspace})
RETURN coalesce(l.changes, 0) AS number, coalesce(l.mark, '') AS mark`;

export const CHANGES = `
MATCH (c:LineageChange)
WHERE c.position >= $from AND c.position <= $to AND c.workspace = $workspace
RETURN c.position AS position, c.mark AS mark, c.nodes AS nodes
ORDER BY position`;

/** The JSON has no spaces. Quotation marks in its texts are escaped, so no text can match. */
const STATUS = `CASE ${STATUS_FACTS.map(
  ([status, facts]) => `WHEN coalesce(a.columnLineage, '') CONTAINS '"status":"${status}"' THEN ${facts}`,
).join(" ")} ELSE 0 END`;

export const KEYS_AFTER = `
MATCH (a:Asset)
WHERE a.id > $after AND a.workspace = $workspace
WITH a ORDER BY a.id LIMIT $limit
RETURN a.id AS id, a.key AS key`;

export const NODES_BY_ID = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
RETURN a.id AS id, a.parentId AS parentId, a.key AS key, a.type AS type, ${STATUS} AS status,
  coalesce(a.gap, '') <> '' AS gap, coalesce(a.holders, ${NO_SOURCES}) AS sources, a.certification AS certification,
  a.owner AS owner, a.ownerName AS ownerName`;

export function edgesOutCypher(level: keyof typeof RELATION): string {
  return `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
MATCH (a)-[e:${RELATION[level]}]->(b)
WHERE b.workspace = $workspace
WITH id, b, e, ${MARK[level]} AS mark
RETURN collect(id) AS near, ${collected("b.id", "far")}, ${collected("e.kind", "kinds")},
  ${collected("e.direct", "directs", "false")}, collect(mark) AS marks`;
}

/** @param run sees one state of the store if the lineage is followed, and any if it is loaded */
export function lineageStore(run: Run, workspace: WorkspaceId): LineageStore {
  const ask = async (statement: string, parameters: Record<string, unknown>): Promise<unknown[][]> =>
    ((await run(statement, { workspace, ...parameters }))[0] ?? []).map(list);
  const loadLinks: Record<LinkKind, (ids: readonly string[]) => Promise<StoredLinks>> = {
    async edges(ids) {
      const assets = toEdges(await ask(edgesOutCypher("asset"), { ids }), () => toMark(0, 1, 0));
      const columns = toEdges(await ask(edgesOutCypher("column"), { ids }), (isDirect, use) =>
        toMark(0, isDirect === true ? 2 + 4 : 2, integer(use)),
      );
      return {
        from: assets.from.concat(columns.from),
        to: assets.to.concat(columns.to),
        marks: assets.marks.concat(columns.marks),
      };
    },
    async columns(ids) {
      const [from = [], to = []] = await ask(OWN_COLUMNS, { ids });
      return { from: texts(from).map(toNodeId), to: texts(to).map(toNodeId), marks: from.map(() => 0) };
    },
    async references(ids) {
      const nodes = ids.map((id, position) => ({ id, position: int(position) }));
      const [near = [], to = []] = await ask(FOLLOW_REFERENCES, { nodes });
      const from = near.map((place) => toNodeId(text(ids[integer(place)])));
      return { from, to: texts(to).map(toNodeId), marks: from.map(() => 0) };
    },
  };
  return {
    async position() {
      const [row] = await run(POSITION, { workspace });
      return { number: integer(row?.[0] ?? 0), mark: text(row?.[1] ?? "") };
    },
    async changedBetween(before, now) {
      const amount = now.number - before.number;
      if (amount < 0 || amount > MOST_CHANGES) return null;
      const range = { from: endText(workspace, before.number), to: endText(workspace, now.number) };
      const rows = await run(CHANGES, { workspace, ...range });
      const isAt = (row: Row | undefined, { number, mark }: Position): boolean =>
        row?.[0] === endText(workspace, number) && row[1] === mark;
      if (!isAt(rows.at(-1), now)) return null;
      // There is no change with the number 0.
      if (before.number > 0 && !isAt(rows.shift(), before)) return null;
      const nodes = rows.flatMap(([, , touched]) => texts(touched));
      return nodes.length === amount ? [...new Set(nodes)].map(toNodeId) : null;
    },
    async listKeys(after, limit) {
      const rows = await run(KEYS_AFTER, { workspace, after, limit: int(limit) });
      return rows
        .map(([id, key]) => ({ id: toNodeId(text(id)), key: text(key) }))
        .toSorted((a, b) => compareCodePoints(a.id, b.id));
    },
    loadNodes: async (ids) => (await run(NODES_BY_ID, { workspace, ids })).map(toNode),
    loadLinks: (kind, from) => loadLinks[kind](from),
  };
}

const FACTS = new Map(TYPE_FACTS);

function toNode([id, parentId, key, type, status, gap, sources, ...standing]: Row): StoredNode {
  const facts = (FACTS.get(oneOf(NODE_TYPES, type)) ?? 0) + integer(status) + (gap === true ? GAP : 0);
  return {
    id: toNodeId(text(id)),
    parentId: nodeIdOrNull(parentId),
    key: text(key),
    facts,
    sources: text(sources),
    standing: JSON.stringify(standing),
  };
}

/** @param toOwnMark the mark of an edge without its kind */
function toEdges(
  [near = [], far = [], kinds = [], directs = [], uses = []]: readonly unknown[][],
  toOwnMark: (isDirect: unknown, use: unknown) => number,
) {
  return {
    from: texts(near).map(toNodeId),
    to: texts(far).map(toNodeId),
    marks: kinds.map((kind, i) => EDGE_KINDS.indexOf(oneOf(EDGE_KINDS, kind)) | toOwnMark(directs[i], uses[i])),
  };
}
