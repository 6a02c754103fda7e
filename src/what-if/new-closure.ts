/**
 * Reads what feeds the metrics as it would be after a crawl of a new project. What the project states is taken from it,
 * and everything else from the catalog.
 */
import type { Change } from "../catalog/change-set/change.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import { type ClosureNode, type ClosureReader, toClosureNode } from "../catalog/dependencies/closure.ts";
import { createClosureReader } from "../metrics/closure-reader.ts";
import type { NewTypes } from "./known-columns.ts";
import type { NewLineage } from "./new-lineage.ts";
import type { PresentNode } from "./present-project.ts";

export interface NewState {
  feeds: NewLineage;
  types: NewTypes;
  changes: readonly Change[];
  /** New ids by present ids, for everything that moved, was renamed, or belongs to an asset that moved. */
  follows: ReadonlyMap<NodeId, NodeId>;
  /** The nodes that the connector has at present. */
  present: ReadonlyMap<NodeId, PresentNode>;
}

const NO_SQL = { sqlHash: null, isKnown: false, basis: null, reads: [], rows: null };

export function createNewClosureReader(
  graph: Pick<GraphReader, "loadNeighbours" | "loadNodes">,
  workspace: WorkspaceId,
  state: NewState,
): ClosureReader {
  const { feeds, present, types } = state;
  const { toLasting, fromLasting, toPresent, toNew, gone } = relate(state);
  const catalog = createClosureReader(graph, workspace);
  /** What would be dropped, of the nodes that were loaded. */
  const dropped = new Set<NodeId>();

  /** A node as the catalog has it, under the id that it would have. What would be dropped is only referenced. */
  async function loadPresent(ids: readonly NodeId[]): Promise<(ClosureNode | null)[]> {
    const found = await graph.loadNodes(workspace, ids.map(toPresent));
    return ids.map((id, i) => {
      const node = found[i] ?? null;
      if (node === null) return null;
      const retyped = types.get(node.id);
      const isGone = gone.has(id) || (node.id === id && node.parentId !== null && gone.has(node.parentId));
      const parentId = node.id === id || node.parentId === null ? node.parentId : toNew(node.parentId);
      // Another connector's word for the type may come first.
      const dataType = retyped?.before === node.dataType ? retyped.after : node.dataType;
      const closureNode = { ...toClosureNode(node), id, parentId, dataType };
      // What another connector states too is not dropped.
      if (!isGone || node.connectors.length > 1) return closureNode;
      dropped.add(id);
      return { ...closureNode, existence: "referenced", ...NO_SQL };
    });
  }

  async function loadNodes(ids: readonly NodeId[]): Promise<(ClosureNode | null)[]> {
    const olds = await loadPresent(ids);
    return ids.map((id, i) => {
      const old = olds[i] ?? null;
      const newId = fromLasting(id);
      const stated = feeds.nodes.get(newId) ?? (old === null ? feeds.known.get(newId) : undefined);
      if (stated === undefined) return old;
      const { parentId, rows } = stated;
      return {
        ...stated,
        id,
        parentId: parentId === null ? null : toLasting(parentId),
        dataType: old?.dataType ?? "",
        platform: old?.platform ?? "",
        reads: stated.reads.map(toLasting),
        rows: rows === null ? null : { ...rows, from: rows.from.map(toLasting) },
      };
    });
  }

  return {
    loadNodes,
    async loadSources(wanted) {
      const asked = wanted.filter(({ id }) => !feeds.nodes.has(fromLasting(id)) && !dropped.has(id));
      const loaded = await catalog.loadSources(asked.map(({ id, level }) => ({ id: toPresent(id), level })));
      const kept = new Map(asked.map((each, i) => [each, loaded[i] ?? []]));
      const sources = wanted.map((each) => {
        const { id, level } = each;
        // People name a source by its present id, and their metrics do not follow it.
        const follow = present.has(toPresent(id)) ? toNew : (same: NodeId) => same;
        const old = kept.get(each)?.map(({ node, uses }) => ({ id: follow(node.id), uses }));
        const stated = feeds.sourcesOf(fromLasting(id)).map(({ id: from, uses }) => ({ id: toLasting(from), uses }));
        return { level, all: old ?? stated };
      });
      const ids = [...new Set(sources.flatMap(({ all }) => all.map(({ id }) => id)))];
      const nodes = new Map(
        (await loadNodes(ids)).flatMap((node) => (node === null ? [] : [[node.id, node] as const])),
      );
      return sources.map(({ level, all }) =>
        all.flatMap(({ id, uses }) => {
          const node = nodes.get(id);
          const fits = node !== undefined && (node.type === "column") === (level === "column");
          return fits ? [{ node, uses }] : [];
        }),
      );
    },
  };
}

/**
 * Relates the ids of both states. A relation that is only built for another target has not moved, and keeps its present
 * id, which is called lasting here. Everything else has its new id.
 */
function relate({ changes, follows, present }: NewState) {
  const idsOf = (...kinds: Change["kind"][]): Set<NodeId> =>
    new Set(changes.flatMap(({ kind, id }) => (kinds.includes(kind) ? [id] : [])));
  const gone = idsOf("asset_dropped", "asset_moved", "column_dropped", "column_renamed");
  const moved = [...follows].filter(([old]) => gone.has(old) || gone.has(present.get(old)?.parentId ?? old));
  const lasting = [...follows].filter(([old]) => !gone.has(old) && !gone.has(present.get(old)?.parentId ?? old));
  const inverse = (pairs: typeof moved) => pairs.map(([old, fresh]) => [fresh, old] as const);
  return {
    gone,
    fromLasting: lookUp(lasting),
    toLasting: lookUp(inverse(lasting)),
    toNew: lookUp(moved),
    toPresent: lookUp(inverse(moved)),
  };
}

function lookUp(pairs: Iterable<readonly [NodeId, NodeId]>): (id: NodeId) => NodeId {
  const found = new Map(pairs);
  return (id) => found.get(id) ?? id;
}
