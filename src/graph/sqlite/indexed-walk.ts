/** A long walk along the lineage index. Only the nodes that are kept are read from the file. */
import { EDGE_KINDS, walkLevel } from "../../catalog/edge.ts";
import { NODE_TYPES, type NodeType } from "../../catalog/node-types.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { toNodeId, type WorkspaceId } from "../../ids.ts";
import { overBudget } from "../../work/budget.ts";
import type { WalkQuery } from "../catalog-graph.ts";
import { firstCandidates } from "../lineage-index/key-order.ts";
import type { LineageIndex } from "../lineage-index/lineage-index.ts";
import { followedBit } from "../lineage-index/mark.ts";
import { walkIndex, type Walked } from "../lineage-index/walk.ts";
import { cover, type Covered } from "./coverage.ts";
import { fromKind } from "./edge-row.ts";
import { inParts } from "./in-parts.ts";
import type { PackedLineage } from "./packed-lineage.ts";
import { integer, type Row, type Statements, text } from "./statements.ts";

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
  const walked = walkIndex(index, integer(root, "seq"), { direction, followed, depth, maxNodes }, (nodes, room) =>
    firstByKey(sql, index, nodes, room),
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
    ...inOrder(walked.edges, ids),
    truncated: walked.total > walked.kept.length,
    totalNodes: walked.total,
    coverage: cover(sql, [root, ...shown].map(toCovered)),
  };
}

const SHOWN = `
  SELECT n.seq, n.id, n.name, n.type, n.gap, n.source_set
  FROM json_each($nodes) AS asked CROSS JOIN nodes AS n ON n.seq = asked.value ORDER BY asked.key`;

const KEYS = `
  SELECT n.seq, n.key FROM json_each($nodes) AS asked CROSS JOIN nodes AS n ON n.seq = asked.value`;

/** Only if the places of some are not known, keys are read and compared. */
function firstByKey(sql: Statements, index: LineageIndex, nodes: readonly number[], room: number): number[] {
  const { known, unknown } = firstCandidates(index, nodes, room);
  if (unknown.length === 0) return known;
  return inParts([...known, ...unknown], (part) => sql.all(KEYS, { nodes: JSON.stringify(part) }))
    .map((row) => ({ node: integer(row, "seq"), key: text(row, "key") }))
    .toSorted((a, b) => compareCodePoints(a.key, b.key))
    .slice(0, room)
    .map(({ node }) => node);
}

function toCovered(row: Row): Covered {
  return { seq: integer(row, "seq"), gap: integer(row, "gap"), sources: integer(row, "source_set") };
}

/** The places of the kinds in EDGE_KINDS, in the order of their names. */
const KINDS_BY_NAME = EDGE_KINDS.toSorted(compareCodePoints).map(fromKind);
const KINDS = EDGE_KINDS.length;

/** The edges in the order (from, to, kind) of their ids: each is a number, and numbers are sorted fast. */
function inOrder(
  { from, to, kinds }: Walked["edges"],
  ids: readonly string[],
): Pick<PackedLineage, "from" | "to" | "kinds"> {
  const byId = Uint32Array.from(ids.keys()).toSorted((a, b) => compareCodePoints(ids[a] ?? "", ids[b] ?? ""));
  const places = new Uint32Array(ids.length);
  for (const [place, position] of byId.entries()) places[position] = place;
  const placeOf = (position = 0): number => places[position] ?? 0;
  const sorted = Float64Array.from(
    kinds,
    (kind, i) => (placeOf(from[i]) * ids.length + placeOf(to[i])) * KINDS + KINDS_BY_NAME.indexOf(kind),
  );
  sorted.sort();
  const positionOf = (place: number): number => byId[place] ?? 0;
  return {
    from: Uint32Array.from(sorted, (edge) => positionOf(Math.floor(edge / KINDS / ids.length))),
    to: Uint32Array.from(sorted, (edge) => positionOf(Math.floor(edge / KINDS) % ids.length)),
    kinds: Uint8Array.from(sorted, (edge) => KINDS_BY_NAME[edge % KINDS] ?? 0),
  };
}
