/** Walks along the lineage, level by level. */
import { NODE_TYPES, type NodeType } from "../../catalog/node-types.ts";
import { compareEdges, type Direction, type Edge, walkLevel } from "../../catalog/edge.ts";
import type { Lineage, LineageNode } from "../../catalog/lineage.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { type NodeId, toNodeId, type WorkspaceId } from "../../ids.ts";
import { overBudget } from "../../work/budget.ts";
import type { WalkQuery } from "../catalog-graph.ts";
import { cover, type Covered, toCovered } from "./coverage.ts";
import { countEdges, ENDS, levelBit, toKind } from "./edge-row.ts";
import { inParts } from "./in-parts.ts";
import { integer, type Read, type ReadWithin, snapshot, type Statements, text } from "./statements.ts";
import { runAtOnce } from "../../work/slicer.ts";
import { firstByKey } from "../lineage-index/key-order.ts";
import type { LineageIndex } from "../lineage-index/lineage-index.ts";
import { followedBit } from "../lineage-index/mark.ts";
import { orderEdges, walkIndex } from "../lineage-index/walk.ts";
import type { PackedLineage } from "../lineage-index/packed-lineage.ts";

/** How many rows of edges may be read for each edge that is kept. In practice there are fewer. */
const CLAIMS = 4;

const ROOT = "SELECT seq, type, gap, source_set FROM nodes WHERE workspace = $workspace AND id = $root";

interface Step {
  near: number;
  far: number;
  kind: number;
}

/** The walk, within the transaction, which has begun. */
export const walk: Read<"walk"> = (sql, workspace, query) => walkFromRoot(sql, workspace, query, Infinity) ?? null;

/** The walk. Returns undefined if it has more than `maxSteps` edges. */
export const walkWithin: ReadWithin<"walk"> = (sql, ...asked) => snapshot(sql.db, () => walkFromRoot(sql, ...asked));

function walkFromRoot(
  sql: Statements,
  workspace: WorkspaceId,
  query: WalkQuery,
  maxSteps: number,
): Lineage | null | undefined {
  const root = sql.get(ROOT, { workspace, root: query.root });
  if (root === undefined) return null;
  const from = integer(root, "seq");
  const level = levelBit(walkLevel(text(root, "type") as NodeType), query.directOnly);
  const { maxEdges = Infinity } = query;
  const seen = new Set([from]);
  const kept = new Map([[from, query.root]]);
  const covered = [toCovered(root)];
  const nodes: LineageNode[] = [];
  const steps: Step[] = [];
  let frontier = [from];
  let stepsLeft = maxSteps;
  for (let depth = 1; depth <= query.depth && frontier.length > 0; depth++) {
    const reached: number[] = [];
    if (stepsLeft !== Infinity) stepsLeft -= countEdges(sql, query.direction, frontier, stepsLeft);
    if (stepsLeft < 0) return undefined;
    for (const [near = 0, far = 0, kind = 0] of stepsFrom(sql, query.direction, level, frontier)) {
      // Several connectors may state one edge. If a walk is cut, some edges lead to nodes that are not kept.
      if (kept.has(near) && steps.push({ near, far, kind }) > CLAIMS * maxEdges) throw overBudget("rows", maxEdges);
      if (seen.has(far)) continue;
      seen.add(far);
      reached.push(far);
    }
    const room = query.maxNodes - nodes.length;
    for (const { id, name, type: itsType, ...own } of room > 0 ? nearest(sql, reached, room) : []) {
      kept.set(own.seq, id);
      nodes.push({ id, name, type: itsType, depth });
      covered.push(own);
    }
    frontier = reached;
  }
  const edges = toEdges(steps, kept, query.direction);
  if (edges.length > maxEdges) throw overBudget("rows", maxEdges);
  return {
    root: query.root,
    direction: query.direction,
    depth: query.depth,
    nodes,
    edges,
    truncated: seen.size - 1 > nodes.length,
    totalNodes: seen.size - 1,
    coverage: cover(sql, covered),
  };
}

/** Edges from the frontier as [near, far, kind]. An edge that two connectors state occurs twice. */
function stepsFrom(sql: Statements, direction: Direction, level: number, frontier: readonly number[]): number[][] {
  const { near, far } = ENDS[direction];
  return inParts(frontier, (part) =>
    sql.integers(
      `SELECT e.${near}, e.${far}, e.kind
       FROM json_each($frontier) AS f CROSS JOIN edges AS e ON e.${near} = f.value WHERE e.levels & $level`,
      { frontier: JSON.stringify(part), level },
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

/** The steps with both ends kept, each once, as edges in the order (from, to, kind). */
function toEdges(steps: readonly Step[], kept: ReadonlyMap<number, NodeId>, direction: Direction): Edge[] {
  const edges: Edge[] = [];
  for (const step of steps) {
    const near = kept.get(step.near);
    const far = kept.get(step.far);
    if (near === undefined || far === undefined) continue;
    const [from, to] = direction === "downstream" ? [near, far] : [far, near];
    edges.push({ from, to, kind: toKind(step.kind) });
  }
  const ordered = edges.toSorted(compareEdges);
  return ordered.filter((edge, i) => {
    const before = ordered[i - 1];
    return before === undefined || compareEdges(before, edge) !== 0;
  });
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
  const { direction, depth, maxNodes, maxEdges = Infinity } = query;
  const root = sql.get(ROOT, { workspace, root: query.root });
  if (root === undefined) return null;
  const followed = followedBit(walkLevel(text(root, "type") as NodeType), query.directOnly);
  const asked = { direction, followed, depth, maxNodes };
  const readKeys = (nodes: readonly number[]) =>
    inParts(nodes, (part) => sql.all(KEYS, { nodes: JSON.stringify(part) })).map((row) => text(row, "key"));
  const walked = runAtOnce(
    walkIndex(index, integer(root, "seq"), asked, (nodes, room) => firstByKey(index, nodes, room, readKeys)),
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
