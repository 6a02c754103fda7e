/**
 * An impact on its way from a thread. Its paths share most of their nodes and hops, so each of these is sent once. What is
 * affected is sent as texts, which the event loop reads one by one: it would copy all the objects at once.
 */
import type { AffectedNode, Evidence, Impact } from "../../catalog/impact.ts";
import type { NodeId } from "../../ids.ts";
import { batchesOf } from "../../work/batches.ts";
import { at } from "../packed-list.ts";

/** Hops, and nodes of paths, that are read together: it takes a fraction of a millisecond. */
const PART = 200;

/** An affected node, whose path and evidence are positions in lists. */
type PackedNode = Omit<AffectedNode, "path" | "evidence"> & { path: number[]; evidence: number[] };

export interface PackedImpact extends Omit<Impact, "affected"> {
  /** The nodes of all paths, each once. */
  ids: NodeId[];
  /** JSON of some hops each. */
  hops: string[];
  /** JSON of some affected nodes each. */
  affected: string[];
  /** How many nodes all paths have together. */
  pathNodes: number;
}

export function packImpact({ affected, ...rest }: Impact): PackedImpact {
  const ids = new Map<NodeId, number>();
  const hops = new Map<Evidence, number>();
  const nodes = affected.map(({ path, evidence, ...node }): PackedNode => ({
    ...node,
    path: path.map((id) => ids.getOrInsert(id, ids.size)),
    evidence: evidence.map((hop) => hops.getOrInsert(hop, hops.size)),
  }));
  return {
    ...rest,
    ids: [...ids.keys()],
    hops: Array.from(
      batchesOf([...hops.keys()], PART, () => 1),
      (some) => JSON.stringify(some),
    ),
    affected: Array.from(
      batchesOf(nodes, PART, ({ path }) => path.length),
      (some) => JSON.stringify(some),
    ),
    pathNodes: nodes.reduce((sum, { path }) => sum + path.length, 0),
  };
}

/** Paths that share a hop share its evidence, too. It yields after a fraction of a millisecond. */
export function* unpackImpact(packed: PackedImpact): Generator<void, Impact> {
  const { ids, hops, affected, pathNodes: _, ...rest } = packed;
  const evidence: Evidence[] = [];
  for (const some of hops) {
    yield;
    evidence.push(...(JSON.parse(some) as Evidence[]));
  }
  const nodes: AffectedNode[] = [];
  for (const some of affected) {
    yield;
    for (const node of JSON.parse(some) as PackedNode[]) {
      const path = node.path.map((position) => at(ids, position));
      nodes.push({ ...node, path, evidence: node.evidence.map((position) => at(evidence, position)) });
    }
  }
  return { ...rest, affected: nodes };
}
