/** Works out which lineage a new project no longer has, so that what is adapted to a change is told from what breaks. */
import { setImmediate } from "node:timers/promises";

import type { CatalogNode } from "../catalog/asset.ts";
import type { Change } from "../catalog/change-set/change.ts";
import type { Supposition } from "../catalog/impact.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { LineageIndex } from "./lineage-index.ts";

/** Neighbours of one node that are asked for at once, and nodes whose neighbours are. */
const PAGE = 1_000;
const BATCH = 200;

/** The new project, seen from the present one. */
export interface Outlook {
  lineage: LineageIndex;
  /** New ids by present ones, where they differ. */
  follows: ReadonlyMap<string, string>;
  /** What the connector holds at present: of nothing else does the new project say anything. */
  nodes: ReadonlyMap<string, CatalogNode>;
}

/** One present edge at either level, out of what changes or is affected into something that is affected. */
interface Hop {
  from: CatalogNode;
  to: CatalogNode;
}

export interface Adaptation {
  /** What is to be supposed when one change of the set is assessed. */
  supposeFor: (change: Change) => Supposition;
  /** Whether the new project no longer has it. */
  isGone: (id: string) => boolean;
}

/** @param affected ids of what the changes would affect if nothing were adapted */
export async function findAdaptation(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: string,
  { affected, changes }: { affected: readonly string[]; changes: readonly Change[] },
  outlook: Outlook,
): Promise<Adaptation> {
  const { lineage, follows, nodes } = outlook;
  const toNew = (id: string): string => follows.get(id) ?? id;
  const isKnown = (id: string): boolean => lineage.isKnown(toNew(id));
  const dropped = new Set(
    changes.filter(({ kind }) => kind === "asset_dropped" || kind === "column_dropped").map(({ id }) => id),
  );
  const isGone = (id: string): boolean => {
    const node = nodes.get(id);
    if (node === undefined) return false;
    // Of tables, models and columns the comparison says what is gone: what could not be read is not.
    if (node.type === "table" || node.type === "model") return dropped.has(id);
    if (node.type === "column") return dropped.has(id) || dropped.has(node.parentId ?? "");
    return !lineage.has(id) && !isTorn(node);
  };
  /** Whether the new project's word on it is not whole. */
  const isTorn = ({ fqn }: CatalogNode): boolean => lineage.isTorn(fqn.slice(fqn.lastIndexOf(".") + 1));
  const changed = new Set([...affected, ...changes.map(({ id }) => id)]);
  const edges = await loadHops(graph, workspace, spreadersOf(changed, nodes), new Set(affected));
  const columns = Map.groupBy(
    [...changed].filter((id) => nodes.get(id)?.type === "column"),
    (id) => nodes.get(id)?.parentId ?? "",
  );

  /** Whether the new project does without this edge. */
  const isCut = ({ from, to }: Hop): boolean => {
    if (isGone(to.id)) return true;
    const stays = lineage.hasEdge(toNew(from.id), toNew(to.id));
    if (from.type === "column") return isKnown(to.id) && !stays;
    return !stays && !isTorn(to);
  };
  const assetEdges = edges.filter(({ from, to }) => from.type !== "column" && to.type !== "column");
  const sources = Map.groupBy(assetEdges, ({ to }) => to.id);
  /** Assets whose columns may not have been known, and of which it is known now that they use nothing of what changes. */
  const unusing = (except: string | null): string[] =>
    [...sources].flatMap(([id, into]) => {
      const read = into.flatMap(({ from }) => columns.get(from.id) ?? []).filter((column) => column !== except);
      return isKnown(id) && !read.some((column) => lineage.uses(toNew(column), toNew(id))) ? [id] : [];
    });
  const general: Supposition = { gone: edges.filter(isCut).map(toPair), known: unusing(null) };

  return {
    isGone,
    supposeFor({ kind, id }) {
      // Whoever uses it by its new name, or in its new place, has been changed with it.
      if (kind === "column_renamed") {
        const followed = edges.filter(({ from, to }) => from.id === id && isKnown(to.id));
        return { gone: [...general.gone, ...followed.map(toPair)], known: unusing(id) };
      }
      if (kind !== "asset_moved") return general;
      const followed = edges.filter(({ from, to }) => {
        if (from.parentId === id) return isKnown(to.id);
        return from.id === id && isBuilt(to) && lineage.hasEdge(toNew(id), toNew(to.id));
      });
      return { ...general, gone: [...general.gone, ...followed.map(toPair)] };
    },
  };
}

/** What the project itself builds names its sources by reference; a dashboard names them as they were. */
function isBuilt({ type }: CatalogNode): boolean {
  return type === "table" || type === "model" || type === "metric";
}

function toPair({ from, to }: Hop): Supposition["gone"][number] {
  return { from: from.id, to: to.id };
}

/** What a change may go out from: a column's change also as one of its table, a table's also by columns that it taints. */
function spreadersOf(changed: ReadonlySet<string>, nodes: ReadonlyMap<string, CatalogNode>): CatalogNode[] {
  const parents = [...changed].flatMap((id) => nodes.get(id)?.parentId ?? []);
  const parts = [...nodes.values()].flatMap(({ id, parentId }) =>
    parentId !== null && changed.has(parentId) ? [id] : [],
  );
  return [...new Set([...changed, ...parents, ...parts])].flatMap((id) => nodes.get(id) ?? []);
}

async function loadHops(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: string,
  from: readonly CatalogNode[],
  to: ReadonlySet<string>,
): Promise<Hop[]> {
  const hops: Hop[] = [];
  let open = from.map((node) => ({ node, after: null as string | null }));
  while (open.length > 0) {
    const batch = open.slice(0, BATCH);
    const queries = batch.map(
      ({ node: { id }, after }) => ({ id, after, direction: "downstream", first: PAGE }) as const,
    );
    const found = await graph.loadNeighbours(workspace, queries);
    // An embedded store answers at once, and others wait for it meanwhile.
    await setImmediate();
    const more = batch.flatMap(({ node }, i) => {
      const { items = [], hasMore = false } = found[i] ?? {};
      const reached = items.filter((item) => to.has(item.node.id));
      hops.push(...reached.map((item) => ({ from: node, to: item.node })));
      return hasMore ? [{ node, after: items.at(-1)?.node.key ?? null }] : [];
    });
    open = [...open.slice(BATCH), ...more];
  }
  return hops;
}
