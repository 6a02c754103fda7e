/** How a new manifest changes the lineage of its project: which assets and edges come, go or become different. */
import { schemaPathOf } from "../catalog/change-set/target.ts";
import type { ChangedNode } from "../catalog/changes/change.ts";
import {
  type EdgeDifference,
  type LineageDiff,
  type NodeDifference,
  orderDiff,
} from "../catalog/changes/lineage-diff.ts";
import { DIRECTIONS, type EdgeKind } from "../catalog/edge.ts";
import { toFqn } from "../catalog/identity.ts";
import { matchByKey } from "../catalog/match-by-key.ts";
import { isDataset, type NodeType } from "../catalog/node-types.ts";
import { sqlHash } from "../catalog/sql-text.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import type { Slicer } from "../work/slicer.ts";
import { type ComparedProjects, createChangedParts } from "./changed-parts.ts";
import { toChangedNode } from "../catalog/changes/compare-states.ts";

/** What the catalog has already is told by its present ids and names, even if it moved or was renamed. */
export interface LineageChanges extends Pick<LineageDiff, "nodes"> {
  /** They are added or removed. What is removed takes all of its edges with it, also those of other connectors. */
  edges: EdgeDifference[];
  /** True if there are more than are listed. */
  truncated: boolean;
}

export const NO_LINEAGE_CHANGES: LineageChanges = { nodes: [], edges: [], truncated: false };

/** An asset whose SQL or definition says something else, or that people look at and that no longer reads something. */
export interface RewrittenId {
  id: NodeId;
  newId: NodeId;
}

export const MAX_LINEAGE_CHANGES = 1_000;
/** The most parts of all assets together, so that an answer stays small enough to be saved. */
const MAX_PARTS = 5_000;
/** Nodes in one query for their sources or neighbours, and the most sources of one. */
const BATCH = 50;
const MOST_SOURCES = 1_000;

/** Assets are matched by the ids of the new project, so that what moved or was renamed is the same. */
export async function findLineageChanges(
  graph: Pick<GraphReader, "loadNeighbours" | "loadNodes">,
  workspace: WorkspaceId,
  projects: ComparedProjects,
  slicer: Slicer,
): Promise<{ lineage: LineageChanges; rewritten: RewrittenId[] }> {
  const { present, next, statements } = projects;
  const { changes, follows } = projects.found;
  const follow = (id: NodeId): NodeId => follows.get(id) ?? id;
  const olds = [...present.nodes.values()].flatMap(({ id, type, name, fqn, sourceId }) =>
    type === "column" || (!statements.assets.has(follow(id)) && next.lineage.isIncomplete({ sourceId, fqn }))
      ? []
      : [{ id: follow(id), node: toNode(id, type, name, fqn) }],
  );
  const news = [...statements.assets].map(([id, { ref, name }]) => {
    return { id, node: toNode(id, ref.type, name, toFqn(ref) || name) };
  });
  await slicer.next();
  const { added, removed, kept } = matchByKey(olds, news, ({ id }) => id);
  const nodes = new Map([...news, ...olds].map(({ id, node }) => [id, node]));
  const known = new Set(news.map(({ id }) => id));
  const sqls = new Map(present.relations.map(({ id, sql }) => [follow(id), sql]));
  const relations = new Map(next.relations.map((relation) => [relation.id, relation]));
  const differing = kept.filter(({ new: { id } }) => {
    const relation = relations.get(id);
    // The same SQL reads the same, and what could not be read may read anything.
    return relation === undefined || (relation.unread === null && !isSameSql(sqls.get(id) ?? null, relation.sql));
  });
  const edges: EdgeDifference[] = [];
  const list = (difference: "added" | "removed", ids: readonly NodeId[], to: NodeId): void => {
    for (const from of ids) {
      const [source, target] = [nodes.get(from), nodes.get(to)];
      if (source === undefined || target === undefined) continue;
      const kinds = [kindOfEdgeTo(target.type)];
      const values = difference === "added" ? { before: [], after: kinds } : { before: kinds, after: [] };
      edges.push({ difference, from: source, to: target, ...values });
    }
  };
  const sourcesOf = (id: NodeId): NodeId[] => {
    // SQL for another schema may still name a relation as it is called now.
    const ids = next.lineage.sourcesOf(id).map((source) => follow(source.id));
    return [...new Set(ids)].filter((source) => known.has(source) && source !== id);
  };
  const moved = new Set(changes.flatMap(({ kind, id }) => (kind === "asset_moved" ? [id] : [])));
  const rebuilt = kept.filter(({ old: { node }, new: { id } }) => node.id !== id && !moved.has(node.id));
  const parts = createChangedParts(
    projects,
    new Set(rebuilt.flatMap(({ old, new: fresh }) => differingNames(old.node, fresh.node))),
  );
  const rewritten: RewrittenId[] = [];
  for (let start = 0; start < differing.length; start += BATCH) {
    await slicer.next();
    const batch = differing.slice(start, start + BATCH);
    const ids = batch.map(({ old }) => old.node.id);
    const query = { direction: "upstream", level: "asset", first: MOST_SOURCES, after: null } as const;
    const found = await graph.loadNeighbours(
      workspace,
      ids.map((id) => ({ id, ...query })),
    );
    const states = await graph.loadNodes(workspace, ids);
    for (const [
      i,
      {
        new: { id },
      },
    ] of batch.entries()) {
      if (slicer.isDue()) await slicer.next();
      const before = (found[i]?.items ?? []).map(({ node }) => follow(node.id)).filter((source) => known.has(source));
      const change = matchByKey(
        before.filter((source) => source !== id),
        sourcesOf(id),
        (source) => source,
      );
      list("added", change.added, id);
      list("removed", change.removed, id);
      const state = states[i] ?? null;
      if (state === null) continue;
      const sources = new Set(sourcesOf(id));
      const lost =
        found[i]?.items.some(({ node }) => present.nodes.has(node.id) && !sources.has(follow(node.id))) ?? false;
      const isRepointed =
        lost &&
        !isDataset(state.type) &&
        !next.lineage.isIncomplete({ sourceId: present.nodes.get(state.id)?.sourceId ?? "", fqn: state.fqn });
      if (parts.compare(state, id) || isRepointed) rewritten.push({ id: state.id, newId: id });
    }
  }
  for (const { id } of added) list("added", sourcesOf(id), id);
  const gone = removed.map(({ node }) => node);
  const taken = await findRemovedEdges(graph, workspace, gone, { most: MAX_LINEAGE_CHANGES, slicer });
  for (const edge of taken.edges) edges.push(edge);
  const all = orderDiff({
    nodes: [
      ...added.map(({ node }): NodeDifference => ({ difference: "added", node, details: [] })),
      ...removed.map(({ node }): NodeDifference => ({ difference: "removed", node, details: [] })),
      ...kept.flatMap(({ old: { node } }): NodeDifference[] => {
        const details = parts.of(node.id);
        return details.length === 0 ? [] : [{ difference: "changed", node, details }];
      }),
    ],
    edges,
  });
  const isLong = Math.max(all.nodes.length, all.edges.length) > MAX_LINEAGE_CHANGES;
  let [left, isCut] = [MAX_PARTS, isLong || taken.isCut];
  const shown = all.nodes.slice(0, MAX_LINEAGE_CHANGES).map((each) => {
    const details = each.details.slice(0, left);
    left -= details.length;
    isCut ||= details.length < each.details.length;
    return Object.assign(each, { details });
  });
  const lineage = { nodes: shown, edges: all.edges.slice(0, MAX_LINEAGE_CHANGES), truncated: isCut };
  return { lineage, rewritten };
}

function toNode(id: NodeId, type: NodeType, name: string, fqn: string): ChangedNode {
  return { id, name, fqn, type, parentId: null };
}

/** The schemas and databases of an asset that differ. */
function differingNames(old: ChangedNode, fresh: ChangedNode): string[] {
  const [before, after] = [schemaPathOf(old).split("."), schemaPathOf(fresh).split(".")];
  return [...new Set(before).symmetricDifference(new Set(after))].filter((name) => name !== "");
}

/** dbt says of no edge what it is: that follows from what is made. */
function kindOfEdgeTo(type: NodeType): EdgeKind {
  if (type === "metric") return "defines";
  if (type === "dashboard") return "powers";
  return type === "pipeline" ? "exports" : "derives";
}

function isSameSql(before: string | null, after: string | null): boolean {
  return before === after || (before !== null && after !== null && sqlHash(before) === sqlHash(after));
}

interface RemovedEdges {
  /** Each once, also those of other connectors. */
  edges: EdgeDifference[];
  /** True if there are more. */
  isCut: boolean;
}

/** @param most so many edges are enough */
export async function findRemovedEdges(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: WorkspaceId,
  removed: readonly ChangedNode[],
  { most, slicer }: { most: number; slicer: Slicer },
): Promise<RemovedEdges> {
  const edges = new Map<string, EdgeDifference>();
  let isCut = false;
  for (const direction of DIRECTIONS) {
    for (let start = 0; start < removed.length; start += BATCH) {
      if (edges.size > most) return { edges: [...edges.values()], isCut: true };
      await slicer.next();
      const batch = removed.slice(start, start + BATCH);
      const queries = batch.map(({ id }) => ({ id, direction, level: "asset", first: most, after: null }) as const);
      for (const [i, { items, hasMore }] of (await graph.loadNeighbours(workspace, queries)).entries()) {
        isCut ||= hasMore;
        for (const { node, kinds } of items) {
          const [at, other] = [batch[i] ?? node, toChangedNode(node)];
          const [from, to] = direction === "upstream" ? [other, at] : [at, other];
          edges.set(`${from.id} ${to.id}`, { difference: "removed", from, to, before: kinds, after: [] });
        }
      }
    }
  }
  return { edges: [...edges.values()], isCut };
}
