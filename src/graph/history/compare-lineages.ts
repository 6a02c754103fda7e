/** Reads the lineage of an asset or a connector twice, from two readers, and compares it. */
import type { PastNode } from "../../catalog/asset.ts";
import { compareLineage, type LineageDiff, type LineageState } from "../../catalog/changes/lineage-diff.ts";
import { DIRECTIONS, type Direction, type Edge } from "../../catalog/edge.ts";
import { isDataset, NODE_TYPES } from "../../catalog/node-types.ts";
import { badField } from "../../errors.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { GraphReader } from "../catalog-graph.ts";

export interface LineageQuery {
  workspace: WorkspaceId;
  /** Where the walk begins, or the name of the connector whose assets are compared. */
  of: { root: NodeId } | { connector: string };
  /** Null for both. */
  direction: Direction | null;
  depth: number;
}

export interface ReadOptions {
  /** More nodes than this are refused. */
  maxNodes: number;
  /** Of nodes that are in both, this many are compared. */
  maxCompared: number;
  /** Called before each part, with the number of rows that were read since. It throws if they are too many. */
  next: (rows: number) => Promise<void>;
}

export interface ComparedLineage extends LineageDiff {
  /** Whether some nodes that are in both were not compared. */
  truncated: boolean;
}

/** How many nodes are read at once. */
const BATCH = 200;
/** How many tables are asked for their columns at once. */
const TABLES = 50;
const ASSETS = NODE_TYPES.filter((type) => type !== "column");

/** @returns null if the root exists in neither */
export async function compareLineages(
  before: GraphReader,
  after: GraphReader,
  query: LineageQuery,
  options: ReadOptions,
): Promise<ComparedLineage | null> {
  const [old, now] = [await readWalk(before, query, options), await readWalk(after, query, options)];
  if (old === null && now === null) return null;
  const [olds, news] = [old?.ids ?? [], now?.ids ?? []];
  const both = new Set(olds).intersection(new Set(news));
  const compared = new Set([...both].slice(0, options.maxCompared));
  const read = async (reader: GraphReader, ids: readonly NodeId[], edges: readonly Edge[]): Promise<LineageState> => {
    const nodes = await readNodes(reader, query, ids, options);
    const tables = [...nodes.values()].flatMap(({ id, type }) => (compared.has(id) && isDataset(type) ? [id] : []));
    return { nodes, edges, columns: await readColumns(reader, query, tables, options) };
  };
  // What is not compared is read once, for its name.
  const earlier = await read(
    before,
    olds.filter((id) => !both.has(id) || compared.has(id)),
    old?.edges ?? [],
  );
  const later = await read(after, news, now?.edges ?? []);
  const left = [...both].filter((id) => !compared.has(id));
  const same = left.flatMap((id) => later.nodes.get(id) ?? []).map((node) => [node.id, node] as const);
  const diff = compareLineage({ ...earlier, nodes: new Map([...earlier.nodes, ...same]) }, later);
  return { ...diff, truncated: left.length > 0 };
}

interface Walked {
  /** The nearest first. */
  ids: NodeId[];
  edges: Edge[];
}

async function readWalk(reader: GraphReader, query: LineageQuery, options: ReadOptions): Promise<Walked | null> {
  const { workspace, of, direction, depth } = query;
  if ("connector" in of) return readConnector(reader, workspace, of.connector, options);
  const { maxNodes, next } = options;
  const ids = new Set([of.root]);
  const edges: Edge[] = [];
  for (const way of direction === null ? DIRECTIONS : [direction]) {
    const walk = await reader.walk(workspace, { root: of.root, direction: way, depth, directOnly: true, maxNodes });
    if (walk === null) return null;
    if (walk.truncated) throw badField("depth", `reaches more than ${maxNodes} assets: ask for fewer hops`);
    for (const { id } of walk.nodes) ids.add(id);
    edges.push(...walk.edges);
    await next(walk.nodes.length + walk.edges.length);
  }
  return { ids: [...ids], edges };
}

/** What a connector holds, and what that is directly made from. */
async function readConnector(
  reader: GraphReader,
  workspace: WorkspaceId,
  connector: string,
  { maxNodes, next }: ReadOptions,
): Promise<Walked> {
  const ids = new Set<NodeId>();
  const edges: Edge[] = [];
  for (let after: string | null = null; ;) {
    const { items, hasMore } = await reader.listNodes(workspace, { types: ASSETS, connector }, { after, limit: BATCH });
    for (const { id } of items) ids.add(id);
    if (ids.size > maxNodes) throw badField("connector", `holds more than ${maxNodes} assets: name an asset instead`);
    const queries = items.map(({ id }) => {
      return { id, direction: "upstream", level: "asset", first: maxNodes, after: null } as const;
    });
    const before = edges.length;
    for (const [i, { items: sources }] of (await reader.loadNeighbours(workspace, queries)).entries()) {
      const to = items[i]?.id;
      if (to === undefined) continue;
      for (const { node, kinds } of sources) for (const kind of kinds) edges.push({ from: node.id, to, kind });
    }
    await next(items.length + edges.length - before);
    after = items.at(-1)?.key ?? null;
    if (!hasMore) break;
  }
  for (const { from } of edges) ids.add(from);
  return { ids: [...ids], edges };
}

async function readNodes(
  reader: GraphReader,
  { workspace }: LineageQuery,
  ids: readonly NodeId[],
  { next }: ReadOptions,
): Promise<Map<NodeId, PastNode>> {
  const nodes = new Map<NodeId, PastNode>();
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    await next(batch.length);
    for (const node of await reader.loadNodes(workspace, batch)) if (node !== null) nodes.set(node.id, node);
  }
  return nodes;
}

async function readColumns(
  reader: GraphReader,
  { workspace }: LineageQuery,
  tables: readonly NodeId[],
  { next }: ReadOptions,
): Promise<PastNode[]> {
  const columns: PastNode[] = [];
  for (let start = 0; start < tables.length; start += TABLES) {
    const found = (await reader.loadColumns(workspace, tables.slice(start, start + TABLES))).flat();
    await next(found.length);
    for (const column of found) if (column.existence === "held") columns.push(column);
  }
  return columns;
}
