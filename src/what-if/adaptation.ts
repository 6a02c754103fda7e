/**
 * Finds the lineage that a new project no longer has. What lost its lineage to a change is adapted to it; the rest
 * breaks.
 */
import type { Change } from "../catalog/change-set/change.ts";
import type { Supposition } from "../catalog/impact.ts";
import { isDataset } from "../catalog/node-types.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import type { Slicer } from "../work/slicer.ts";
import type { NewLineage } from "./new-lineage.ts";
import type { PresentNode } from "./present-project.ts";

/** The neighbours of one node in one query. */
const PAGE = 200;
/** The nodes in one query. */
const BATCH = 50;

/** The new project, compared with the present one. */
export interface Outlook {
  lineage: NewLineage;
  /** New ids by present ids, if they differ. */
  follows: ReadonlyMap<NodeId, NodeId>;
  /** The nodes that the connector has at present. The new project says nothing about other nodes. */
  nodes: ReadonlyMap<NodeId, PresentNode>;
}

/** A present edge between assets or columns, from a changed or affected node to an affected one. */
interface Hop {
  from: PresentNode;
  to: Pick<PresentNode, "id" | "type" | "fqn" | "parentId">;
  /** Whether the new project no longer has this edge. */
  isCut: boolean;
}

export type Adaptation = Awaited<ReturnType<typeof findAdaptation>>;

/** @param affected ids of everything that the changes would affect if nothing were adapted */
export async function findAdaptation(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: WorkspaceId,
  { affected, changes }: { affected: ReadonlySet<NodeId>; changes: readonly Change[] },
  outlook: Outlook,
  slicer: Slicer,
) {
  const { lineage, follows, nodes } = outlook;
  const toNew = (id: NodeId): NodeId => follows.get(id) ?? id;
  const isKnown = (id: NodeId): boolean => lineage.isKnown(toNew(id));
  const dropped = new Set(
    changes.filter(({ kind }) => kind === "asset_dropped" || kind === "column_dropped").map(({ id }) => id),
  );
  /** Whether the new project no longer has the node. */
  const isGone = (id: NodeId): boolean => {
    const node = nodes.get(id);
    if (node === undefined) return false;
    // For tables, models and columns, the comparison decides: a model that could not be read is not gone.
    if (isDataset(node.type)) return dropped.has(id);
    if (node.type === "column") return dropped.has(id) || (node.parentId !== null && dropped.has(node.parentId));
    return !lineage.has(toNew(id)) && !lineage.isIncomplete(node);
  };
  const isCut = ({ from, to }: Pick<Hop, "from" | "to">): boolean => {
    if (isGone(to.id)) return true;
    if (!nodes.has(to.id)) return false;
    const stays = lineage.hasEdge(toNew(from.id), toNew(to.id));
    if (from.type === "column") return isKnown(to.id) && !stays;
    return !stays && !lineage.isIncomplete({ sourceId: nodes.get(to.id)?.sourceId ?? "", fqn: to.fqn });
  };

  const changed = new Set([...affected, ...changes.map(({ id }) => id)]);
  const into = new Map<NodeId, Hop[]>();
  for await (const hop of hopsFrom(graph, workspace, await startsOf(changed, nodes, slicer), slicer)) {
    if (!affected.has(hop.to.id)) continue;
    into.getOrInsertComputed(hop.to.id, () => []).push({ ...hop, isCut: isCut(hop) });
  }
  const columns = await columnsOf(changed, nodes, slicer);

  /** Whether the asset's new lineage is known, and uses no changed column of its sources. */
  const isUnusing = (id: NodeId, hops: readonly Hop[], except: NodeId | null): boolean => {
    const sources = hops.filter(({ from, to }) => from.type !== "column" && to.type !== "column");
    if (sources.length === 0 || !isKnown(id)) return false;
    return !sources
      .flatMap(({ from }) => columns.get(from.id) ?? [])
      .some((column) => column !== except && lineage.uses(toNew(column), toNew(id)));
  };

  /** Whether the node uses the column by its new name, or the asset by its new name. Then the node was changed too. */
  const isFollowed = ({ kind, id }: Change, { from, to }: Hop): boolean => {
    if (kind === "column_renamed") return from.id === id && isKnown(to.id);
    if (kind !== "asset_moved") return false;
    if (from.parentId === id) return isKnown(to.id);
    return from.id === id && isBuilt(to) && lineage.hasEdge(toNew(id), toNew(to.id));
  };

  const childrenOf = await columnsOf(nodes.keys(), nodes, slicer);

  /** The columns of its sources that an asset's SQL no longer names, or names by their new names. */
  function* unnamedBy(id: NodeId, hops: readonly Hop[], change: Change): Generator<NodeId> {
    for (const hop of hops) {
      const { from, to } = hop;
      if (from.type === "column" || to.type === "column") continue;
      // The columns of an asset that goes or moves are no changes of their own, and need not be affected.
      const isRoot = from.id === change.id;
      const isFollowing = isRoot && isFollowed(change, hop);
      for (const column of (isRoot ? childrenOf : columns).get(from.id) ?? []) {
        const isRenamed = change.kind === "column_renamed" && column === change.id;
        const isUnnamed = isRenamed || !lineage.uses(toNew(column), toNew(id));
        if (isFollowing || (isKnown(id) && isUnnamed)) yield column;
      }
    }
  }

  return {
    isGone,
    /**
     * What to suppose when one change is assessed: edges that are gone, and assets whose columns are now known. Returns
     * null if nothing differs from the present.
     * @param reached ids of everything that the change would affect if nothing were adapted
     */
    async supposeFor(change: Change, reached: readonly NodeId[]): Promise<Supposition | null> {
      const gone: Supposition["gone"][number][] = [];
      const known: NodeId[] = [];
      for (const id of reached) {
        if (slicer.isDue()) await slicer.next();
        const hops = into.get(id) ?? [];
        for (const hop of hops) {
          if (hop.isCut || isFollowed(change, hop)) gone.push({ from: hop.from.id, to: id });
        }
        for (const column of unnamedBy(id, hops, change)) gone.push({ from: column, to: id });
        if (isUnusing(id, hops, change.kind === "column_renamed" ? change.id : null)) known.push(id);
      }
      return gone.length + known.length === 0 ? null : { gone, known };
    },
  };
}

/** Whether the project builds it. Then it names its sources by reference, while a dashboard still has the old names. */
function isBuilt({ type }: Pick<PresentNode, "type">): boolean {
  return isDataset(type) || type === "metric";
}

/** The columns among these nodes, by the id of their table. */
async function columnsOf(
  changed: Iterable<NodeId>,
  nodes: Outlook["nodes"],
  slicer: Slicer,
): Promise<ReadonlyMap<NodeId, NodeId[]>> {
  const columns = new Map<NodeId, NodeId[]>();
  for (const id of changed) {
    if (slicer.isDue()) await slicer.next();
    const node = nodes.get(id);
    if (node?.type !== "column" || node.parentId === null) continue;
    columns.getOrInsertComputed(node.parentId, () => []).push(id);
  }
  return columns;
}

/**
 * The nodes from which changes spread: the changed nodes, the tables of changed columns, the columns of changed tables.
 */
async function startsOf(
  changed: ReadonlySet<NodeId>,
  nodes: Outlook["nodes"],
  slicer: Slicer,
): Promise<Iterable<PresentNode>> {
  const starts = new Map<NodeId, PresentNode>();
  const add = (id: NodeId | null): void => {
    const node = id === null ? undefined : nodes.get(id);
    if (node !== undefined) starts.set(node.id, node);
  };
  for (const { id, parentId } of nodes.values()) {
    if (slicer.isDue()) await slicer.next();
    if (changed.has(id)) {
      add(id);
      add(parentId);
    }
    if (parentId !== null && changed.has(parentId)) add(id);
  }
  return starts.values();
}

/** All direct edges from these nodes. */
async function* hopsFrom(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: WorkspaceId,
  from: Iterable<PresentNode>,
  slicer: Slicer,
): AsyncGenerator<Pick<Hop, "from" | "to">> {
  const open = [...from].map((node) => ({ node, after: null as string | null })).toReversed();
  while (open.length > 0) {
    await slicer.next();
    const batch = open.splice(-BATCH);
    const queries = batch.map(
      ({ node: { id }, after }) => ({ id, after, direction: "downstream", first: PAGE }) as const,
    );
    const found = await graph.loadNeighbours(workspace, queries);
    for (const [i, { node }] of batch.entries()) {
      if (slicer.isDue()) await slicer.next();
      const { items = [], hasMore = false } = found[i] ?? {};
      for (const { node: to } of items) yield { from: node, to };
      if (hasMore) open.push({ node, after: items.at(-1)?.node.key ?? null });
    }
  }
}
