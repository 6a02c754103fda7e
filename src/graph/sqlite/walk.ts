/** Walks along the lineage, level by level. */
import type { NodeType } from "../../catalog/node-types.ts";
import { type Direction, walkLevel } from "../../catalog/edge.ts";
import type { LineageNode } from "../../catalog/lineage.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { toNodeId, type WorkspaceId } from "../../ids.ts";
import { overBudget } from "../../work/budget.ts";
import type { WalkQuery } from "../catalog-graph.ts";
import { cover, type Covered, toCovered } from "./coverage.ts";
import { ENDS, levelBit } from "./edge-row.ts";
import { inParts } from "./in-parts.ts";
import { integer, type Statements, text } from "./statements.ts";
import { runAtOnce } from "../../work/slicer.ts";
import { firstByKey } from "../lineage-index/key-order.ts";
import type { LineageIndex } from "../lineage-index/lineage-index.ts";
import { followedBit } from "../lineage-index/mark.ts";
import { walkIndex } from "../lineage-index/walk.ts";
import { edgesAmong, type PackedLineage, packWalk, type WalkStep } from "../packed-lineage.ts";

/** How many rows of edges may be read for each edge that is kept. In practice there are fewer. */
const CLAIMS = 4;

const ROOT = "SELECT seq, type, gap, source_set FROM nodes WHERE workspace = $workspace AND id = $root";

/**
 * The walk, within the transaction, which has begun.
 * @returns null if the root does not exist; undefined if there are more than `maxSteps` edges
 */
export function walk(
  sql: Statements,
  workspace: WorkspaceId,
  query: WalkQuery,
  maxSteps = Infinity,
): PackedLineage | null | undefined {
  const root = sql.get(ROOT, { workspace, root: query.root });
  if (root === undefined) return null;
  const from = integer(root, "seq");
  const level = levelBit(walkLevel(text(root, "type") as NodeType), query.directOnly);
  const { maxEdges = Infinity } = query;
  const seen = new Set([from]);
  const kept = new Set([from]);
  const nodes: Candidate[] = [];
  const depths: number[] = [];
  const steps: WalkStep<number>[] = [];
  let frontier = [from];
  let stepsLeft = maxSteps;
  for (let depth = 1; depth <= query.depth && frontier.length > 0; depth++) {
    const reached: number[] = [];
    const found = stepsFrom(sql, query.direction, level, frontier, stepsLeft);
    stepsLeft -= found.length;
    if (stepsLeft < 0) return undefined;
    for (const [near = 0, far = 0, kind = 0, isFollowed = 0] of found) {
      if (isFollowed === 0) continue;
      // Several connectors may state one edge. If a walk is cut, some edges lead to nodes that are not kept.
      if (kept.has(near) && steps.push({ near, far, kind }) > CLAIMS * maxEdges) throw overBudget("rows", maxEdges);
      if (seen.has(far)) continue;
      seen.add(far);
      reached.push(far);
    }
    const room = query.maxNodes - nodes.length;
    for (const node of room > 0 ? nearest(sql, reached, room) : []) {
      kept.add(node.seq);
      nodes.push(node);
      depths.push(depth);
    }
    frontier = reached;
  }
  return packWalk(query, {
    ids: [...nodes.map(({ id }) => id), query.root],
    names: nodes.map(({ name }) => name),
    types: nodes.map(({ type }) => type),
    depths,
    edges: edgesAmong([...nodes.map(({ seq }) => seq), from], steps, query.direction),
    total: seen.size - 1,
    coverage: cover(sql, [toCovered(root), ...nodes]),
  });
}

/**
 * Edges from the frontier as [near, far, kind, whether it is of the level: 0 if not]. An edge that two connectors state
 * occurs twice.
 * @param most if there are more, one more than these is enough
 */
function stepsFrom(
  sql: Statements,
  direction: Direction,
  level: number,
  frontier: readonly number[],
  most: number,
): number[][] {
  const { near, far } = ENDS[direction];
  const limit = most === Infinity ? -1 : most + 1;
  return inParts(frontier, (part) =>
    sql.integers(
      `SELECT e.${near}, e.${far}, e.kind, e.levels & $level
       FROM json_each($frontier) AS f CROSS JOIN edges AS e ON e.${near} = f.value LIMIT $limit`,
      { frontier: JSON.stringify(part), level, limit },
    ),
  );
}

type Candidate = Omit<LineageNode, "depth"> & Covered & { key: string };

/** The first `room` of these nodes by key. */
function nearest(sql: Statements, seqs: readonly number[], room: number): Candidate[] {
  const candidates = inParts(seqs, (part) =>
    sql.all(
      `SELECT n.seq, n.id, n.name, n.type, n.key, n.gap, n.source_set FROM json_each($seqs) AS wanted
         CROSS JOIN nodes AS n ON n.seq = wanted.value
       ORDER BY n.key LIMIT $room`,
      { seqs: JSON.stringify(part), room },
    ),
  ).map((row): Candidate => ({
    seq: integer(row, "seq"),
    gap: integer(row, "gap"),
    sources: integer(row, "source_set"),
    id: toNodeId(text(row, "id")),
    name: text(row, "name"),
    type: text(row, "type") as NodeType,
    key: text(row, "key"),
  }));
  return candidates.toSorted((a, b) => compareCodePoints(a.key, b.key)).slice(0, room);
}

/**
 * A long walk along the lineage index. Only the nodes that are kept are read from the file.
 * @param index caught up with the transaction, which has begun
 */
export function indexedWalk(
  sql: Statements,
  index: LineageIndex,
  workspace: WorkspaceId,
  query: WalkQuery,
): PackedLineage | null {
  const { direction, depth, maxNodes } = query;
  const root = sql.get(ROOT, { workspace, root: query.root });
  if (root === undefined) return null;
  const followed = followedBit(walkLevel(text(root, "type") as NodeType), query.directOnly);
  const asked = { direction, followed, depth, maxNodes };
  const readKeys = (nodes: readonly number[]) =>
    inParts(nodes, (part) => sql.all(KEYS, { nodes: JSON.stringify(part) })).map((row) => text(row, "key"));
  const { kept, ...walked } = runAtOnce(
    walkIndex(index, integer(root, "seq"), asked, (nodes, room) => firstByKey(index, nodes, room, readKeys)),
  );
  const shown = inParts(kept, (part) => sql.all(SHOWN, { nodes: JSON.stringify(part) }));
  return packWalk(query, {
    ...walked,
    ids: [...shown.map((row) => toNodeId(text(row, "id"))), query.root],
    names: shown.map((row) => text(row, "name")),
    types: shown.map((row) => text(row, "type") as NodeType),
    coverage: cover(sql, [root, ...shown].map(toCovered)),
  });
}

const SHOWN = `
  SELECT n.seq, n.id, n.name, n.type, n.gap, n.source_set
  FROM json_each($nodes) AS asked CROSS JOIN nodes AS n ON n.seq = asked.value ORDER BY asked.key`;

const KEYS = `
  SELECT n.key FROM json_each($nodes) AS asked CROSS JOIN nodes AS n ON n.seq = asked.value ORDER BY asked.key`;
