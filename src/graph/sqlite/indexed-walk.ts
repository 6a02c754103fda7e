/** A long walk along the lineage index. Only the nodes that are kept are read from the file. */
import { walkLevel } from "../../catalog/edge.ts";
import { NODE_TYPES, type NodeType } from "../../catalog/node-types.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { toNodeId, type WorkspaceId } from "../../ids.ts";
import { overBudget } from "../../work/budget.ts";
import { runAtOnce } from "../../work/slicer.ts";
import type { WalkQuery } from "../catalog-graph.ts";
import { firstByKey } from "../lineage-index/key-order.ts";
import type { LineageIndex } from "../lineage-index/lineage-index.ts";
import { followedBit } from "../lineage-index/mark.ts";
import { orderEdges, walkIndex } from "../lineage-index/walk.ts";
import { cover, toCovered } from "./coverage.ts";
import { inParts } from "./in-parts.ts";
import type { PackedLineage } from "../lineage-index/packed-lineage.ts";
import { integer, type Statements, text } from "./statements.ts";

/** @param index caught up with the transaction, which has begun */
export function indexedWalk(
  sql: Statements,
  index: LineageIndex,
  workspace: WorkspaceId,
  query: WalkQuery,
): PackedLineage | null {
  const { direction, depth, maxNodes, maxEdges = Infinity } = query;
  const root = sql.get("SELECT seq, type, gap, source_set FROM nodes WHERE workspace = $workspace AND id = $root", {
    workspace,
    root: query.root,
  });
  if (root === undefined) return null;
  const followed = followedBit(walkLevel(text(root, "type") as NodeType), query.directOnly);
  const walk = { direction, followed, depth, maxNodes };
  const readKeys = (nodes: readonly number[]) =>
    inParts(nodes, (part) => sql.all(KEYS, { nodes: JSON.stringify(part) })).map((row) => text(row, "key"));
  const walked = runAtOnce(
    walkIndex(index, integer(root, "seq"), walk, (nodes, room) => firstByKey(index, nodes, room, readKeys)),
  );
  if (walked.edges.kinds.length > maxEdges) throw overBudget("rows", maxEdges);
  const shown = inParts(walked.kept, (part) => sql.all(SHOWN, { nodes: JSON.stringify(part) }));
  const ids = [...shown.map((row) => toNodeId(text(row, "id"))), query.root];
  return {
    root: query.root,
    direction,
    depth,
    ids,
    names: shown.map((row) => text(row, "name")),
    types: Uint8Array.from(shown, (row) => NODE_TYPES.indexOf(text(row, "type") as NodeType)),
    depths: Uint8Array.from(walked.depths),
    ...orderEdges(walked.edges, ids.length, (a, b) => compareCodePoints(ids[a] ?? "", ids[b] ?? "")),
    truncated: walked.total > walked.kept.length,
    totalNodes: walked.total,
    coverage: cover(sql, [root, ...shown].map(toCovered)),
  };
}

const SHOWN = `
  SELECT n.seq, n.id, n.name, n.type, n.gap, n.source_set
  FROM json_each($nodes) AS asked CROSS JOIN nodes AS n ON n.seq = asked.value ORDER BY asked.key`;

const KEYS = `
  SELECT n.key FROM json_each($nodes) AS asked CROSS JOIN nodes AS n ON n.seq = asked.value ORDER BY asked.key`;
