/** Reads everything that feeds some nodes, each node once, even if several of them share it. */
import type { Existence, PastNode } from "../asset.ts";
import type { NodeType } from "../node-types.ts";
import type { ColumnUse, Level } from "../edge.ts";
import type { MetricDefinition } from "../metric.ts";
import { sqlHash } from "../sql-text.ts";
import type { NodeId } from "../../ids.ts";
import { namedSources } from "./named-sources.ts";

/** The parts of a node that a certification depends on. */
export interface ClosureNode {
  id: NodeId;
  type: NodeType;
  existence: Existence;
  name: string;
  /** The name of a column's table or model; "" for everything else. */
  parentName: string;
  parentId: NodeId | null;
  dataType: string;
  platform: string;
  /** True for a column that exists only because SQL names it. */
  inferred: boolean;
  /** Hash of its SQL, which ignores the layout; null if it has no SQL. */
  sqlHash: string | null;
  /** Whether its lineage is fully known. */
  isKnown: boolean;
  /** Hash of the SQL that decides it, however that is spelled; null if it cannot be worked out. See `ColumnLineage`. */
  basis: string | null;
  /** The relations that its SQL names, in the order by which `basis` counts them. */
  reads: readonly NodeId[];
  /** What decides its rows; null if it is not known. See `ColumnLineage`. */
  rows: { basis: string; from: readonly NodeId[] } | null;
  metric: MetricDefinition | null;
  /** The ids of the sources that people named; empty for everything else than a metric that people define. */
  namedSources: readonly NodeId[];
}

/** One upstream neighbour. */
export interface Source {
  id: NodeId;
  uses: readonly ColumnUse[];
}

export interface Closure {
  nodes: Map<NodeId, ClosureNode>;
  /** The upstream neighbours of each node at each level, by `keyOf`. */
  sources: Map<string, Source[]>;
}

/** How many nodes are in one query for neighbours. */
const BATCH = 100;

/** A node, and the level at which its neighbours are read. */
interface NodeAtLevel {
  id: NodeId;
  level: Level;
}

/** Where a closure is read from. */
export interface ClosureReader {
  /** The upstream neighbours of each of these. */
  loadSources(of: readonly NodeAtLevel[]): Promise<{ node: ClosureNode; uses: readonly ColumnUse[] }[][]>;
  /** One for each id; null for a node that does not exist. */
  loadNodes(ids: readonly NodeId[]): Promise<(ClosureNode | null)[]>;
}

export function keyOf(id: NodeId, level: Level): string {
  return `${level} ${id}`;
}

/** @param signal stops the reading between two batches */
export async function readClosure(
  reader: ClosureReader,
  roots: readonly ClosureNode[],
  signal?: AbortSignal,
): Promise<Closure> {
  const nodes = new Map(roots.map((root) => [root.id, root]));
  const sources = new Map<string, Source[]>();

  async function load(ids: readonly NodeId[]): Promise<NodeId[]> {
    const missing = [...new Set(ids)].filter((id) => !nodes.has(id));
    for (const node of await reader.loadNodes(missing)) if (node !== null) nodes.set(node.id, node);
    return missing;
  }

  let reached = new Set(roots.map(({ id }) => id));
  while (reached.size > 0) {
    // Another connector may state the lineage of a column but not of its table, and a root may be a column.
    for (const id of await load([...reached].flatMap((each) => nodes.get(each)?.parentId ?? []))) reached.add(id);
    for (const id of await load([...reached].flatMap((each) => nodes.get(each)?.rows?.from ?? []))) reached.add(id);
    const further = [...reached].flatMap((id) => {
      const node = nodes.get(id);
      return node === undefined ? [] : levelsOf(id, node.type);
    });
    const unseen = further.filter(({ id, level }) => !sources.has(keyOf(id, level)));
    const frontier = [...new Map(unseen.map((each) => [keyOf(each.id, each.level), each])).values()];
    reached = new Set();
    for (let start = 0; start < frontier.length; start += BATCH) {
      signal?.throwIfAborted();
      const batch = frontier.slice(start, start + BATCH);
      const found = await reader.loadSources(batch);
      for (const [i, { id, level }] of batch.entries()) {
        const own = found[i] ?? [];
        sources.set(
          keyOf(id, level),
          own.map(({ node, uses }) => ({ id: node.id, uses })),
        );
        for (const { node } of own) {
          reached.add(node.id);
          if (!nodes.has(node.id)) nodes.set(node.id, node);
        }
      }
    }
  }
  return { nodes, sources };
}

/** A metric is followed at both levels, to its assets and to its columns. */
function levelsOf(id: NodeId, type: NodeType): NodeAtLevel[] {
  if (type === "metric")
    return [
      { id, level: "asset" },
      { id, level: "column" },
    ];
  return [{ id, level: type === "column" ? "column" : "asset" }];
}

export function toClosureNode(node: PastNode): ClosureNode {
  const { id, type, existence, name, fqn, parentId, dataType, platform, inferred, sql, columnLineage, metric } = node;
  const parentName =
    type === "column"
      ? (fqn
          .slice(0, -name.length - 1)
          .split(".")
          .at(-1) ?? "")
      : "";
  return {
    id,
    type,
    existence,
    name,
    parentName,
    parentId,
    dataType,
    platform,
    inferred,
    sqlHash: sql === null ? null : sqlHash(sql),
    isKnown: columnLineage?.status === "known",
    basis: columnLineage?.basis ?? null,
    reads: columnLineage?.reads ?? [],
    rows: columnLineage?.rows ?? null,
    metric,
    namedSources: namedSources(node),
  };
}
