/** Walks along the lineage with a limit of hops. Results come as columns. */
import { int } from "neo4j-driver";

import { NODE_TYPES } from "../../catalog/node-types.ts";
import { type Direction, EDGE_KINDS, type Level, walkLevel } from "../../catalog/edge.ts";
import { type LineageNode, MAX_DEPTH } from "../../catalog/lineage.ts";
import { toNodeId } from "../../ids.ts";
import { edgesAmong, packWalk, unpackLineage, type WalkStep } from "../packed-lineage.ts";
import type { Row, Read } from "./bolt.ts";
import { type CoveredNode, coverLoaded, NO_SOURCES } from "./coverage.ts";
import { RELATION } from "./edges.ts";
import { collected, integer, list, oneOf, text } from "./values.ts";

export const ROOT = `
MATCH (root:Asset {id: $id, workspace: $workspace})
RETURN id(root) AS handle, root.type AS type, root.gap AS gap, root.holders AS sources`;

/** If only direct edges are wanted, a walk from a column follows edges that carry values. */
const FOLLOWED = (edge: string): string => `(NOT $directOnly OR ${edge}.direct)`;

/**
 * A walk of 1 to `depth` hops. Memgraph takes no parameter for the bounds, so they are checked and written into the
 * text.
 */
function hops(direction: Direction, level: Level, depth: number): string {
  if (!Number.isInteger(depth) || depth < 1 || depth > MAX_DEPTH + 1) {
    throw new RangeError(`a walk of ${depth} hops: it must be a whole number from 1 to ${MAX_DEPTH + 1}`);
  }
  const relation = `[:${RELATION[level]} *BFS 1..${depth} (e, v | v.workspace = $workspace AND ${FOLLOWED("e")})]`;
  return direction === "downstream" ? `-${relation}->` : `<-${relation}-`;
}

const FROM_ROOT = "(root:Asset {id: $id, workspace: $workspace})";

/** The nearest nodes, with their gaps and sources, so that the coverage needs no further query. */
export function nodesCypher(direction: Direction, level: Level, depth: number): string {
  return `
MATCH p = ${FROM_ROOT}${hops(direction, level, depth)}(n)
WITH n, size(relationships(p)) AS depth ORDER BY depth, n.key LIMIT $limit
RETURN collect(id(n)) AS handles, ${collected("n.id", "ids")}, ${collected("n.name", "names")},
  ${collected("n.type", "types")}, collect(depth) AS depths, ${collected("n.gap", "gaps")},
  ${collected("n.holders", "sources", NO_SOURCES)}`;
}

export function totalCypher(direction: Direction, level: Level, depth: number): string {
  return `
MATCH ${FROM_ROOT}${hops(direction, level, depth)}(n)
RETURN count(n) AS total`;
}

const EDGE_COLUMNS = `collect(id(s)) AS near, collect(id(t)) AS far, ${collected("f.kind", "kinds")}`;

function step(direction: Direction, level: Level): string {
  return direction === "downstream" ? `(s)-[f:${RELATION[level]}]->(t)` : `(s)<-[f:${RELATION[level]}]-(t)`;
}

/** The edges of the root. The breadth-first search never returns to the node where it began. */
export function rootEdgesCypher(direction: Direction, level: Level): string {
  return `
MATCH (s:Asset {id: $id, workspace: $workspace})
MATCH ${step(direction, level)}
WHERE ${FOLLOWED("f")}
RETURN ${EDGE_COLUMNS}`;
}

/** The edges of every node within `depth` hops of the root. */
export function edgesCypher(direction: Direction, level: Level, depth: number): string {
  return `
MATCH ${FROM_ROOT}${hops(direction, level, depth)}(s)
MATCH ${step(direction, level)}
WHERE ${FOLLOWED("f")}
RETURN ${EDGE_COLUMNS}`;
}

/** All its statements must see one state of the store. */
export const walk: Read<"walk"> = async (run, workspace, query) => {
  const { direction, depth, maxNodes } = query;
  const [root] = await run(ROOT, { id: query.root, workspace });
  if (root === undefined) return null;
  const level = walkLevel(oneOf(NODE_TYPES, root[1]));
  const from = { id: query.root, workspace, directOnly: level === "column" && query.directOnly === true };

  const [columns] = await run(nodesCypher(direction, level, depth), { ...from, limit: int(maxNodes + 1) });
  const found = toNodes(columns);
  const kept = found.slice(0, maxNodes);
  const truncated = found.length > kept.length;
  const [counted] = truncated ? await run(totalCypher(direction, level, depth), from) : [[found.length]];

  const [own] = await run(rootEdgesCypher(direction, level), from);
  // An edge from a node at or beyond the greatest kept depth has no kept node at its other end.
  const reach = Math.min(depth - 1, kept.at(-1)?.depth ?? 0);
  const [further] = reach > 0 ? await run(edgesCypher(direction, level, reach), from) : [undefined];
  const handles = [...kept.map(({ handle }) => handle), integer(root[0])];
  const covered = { id: query.root, gap: text(root[2]), sources: text(root[3]) };
  const packed = packWalk(query, {
    ids: [...kept.map(({ id }) => id), query.root],
    names: kept.map(({ name }) => name),
    types: kept.map(({ type }) => type),
    depths: kept.map((node) => node.depth),
    edges: edgesAmong(handles, [own, further].flatMap(toSteps), direction),
    total: integer(counted?.[0]),
    coverage: await coverLoaded(run, workspace, [covered, ...kept]),
  });
  return unpackLineage(packed);
};

interface FoundNode extends LineageNode, CoveredNode {
  handle: number;
}

function toNodes(columns: Row | undefined): FoundNode[] {
  const [handles = [], found = [], names = [], types = [], depths = [], gaps = [], stating = []] = (columns ?? []).map(
    list,
  );
  return found.map((id, i) => ({
    handle: integer(handles[i]),
    id: toNodeId(text(id)),
    name: text(names[i]),
    type: oneOf(NODE_TYPES, types[i]),
    depth: integer(depths[i]),
    gap: text(gaps[i]),
    sources: text(stating[i]),
  }));
}

function toSteps(columns: Row | undefined): WalkStep<number>[] {
  const [near = [], far = [], kinds = []] = (columns ?? []).map(list);
  return kinds.map((kind, i) => ({
    near: integer(near[i]),
    far: integer(far[i]),
    kind: EDGE_KINDS.indexOf(oneOf(EDGE_KINDS, kind)),
  }));
}
