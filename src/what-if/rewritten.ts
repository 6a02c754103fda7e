/**
 * Finds what new SQL computes otherwise, and which dashboards and metrics people would read other numbers in. Nothing breaks
 * by that. The rule and the risk are those of the history.
 */
import type { CatalogNode } from "../catalog/asset.ts";
import {
  AS_IF_RETYPED,
  findRewrittenColumns,
  isKnownToDiffer,
  isLookedAt,
  type RewrittenNode,
  type RewrittenRoot,
  rootsOf,
} from "../catalog/changes/rewritten.ts";
import { type AffectedNode, type Risk, RISKS } from "../catalog/impact.ts";
import { compareImpactOrder } from "../catalog/node-types.ts";
import { compareCodePoints, fold } from "../catalog/text.ts";
import type { NodeId } from "../ids.ts";
import type { Assessing } from "./assess-changes.ts";
import type { RewrittenId } from "./lineage-changes.ts";
import type { NewProject } from "./new-project.ts";
import type { PresentProject } from "./present-project.ts";

/** A model that computes something otherwise, a metric with another definition, or a dashboard that reads other relations. */
export interface RewrittenAsset extends Pick<CatalogNode, "id" | "name" | "fqn" | "type" | "owner" | "ownerName"> {
  /** Whether other SQL decides which rows it has, and so the values of all of its columns. */
  hasOtherRows: boolean;
  /** The names of the columns that it computes otherwise; [] if that follows from its rows or from what it reads. */
  columns: string[];
  /** The highest risk for a dashboard or metric that reads it; null if none does. */
  risk: Risk | null;
}

/** A dashboard or metric that reads what is computed otherwise. */
export interface RewrittenReader extends Pick<
  AffectedNode,
  "id" | "name" | "fqn" | "type" | "risk" | "owner" | "ownerName"
> {
  /** What it reads, as positions in the list of assets. */
  assets: number[];
}

export interface Rewritten {
  /** In the order of their full names. */
  assets: RewrittenAsset[];
  /** The highest risk first, then dashboards before metrics. */
  readers: RewrittenReader[];
  /** True if there are more assets or readers than are listed. */
  truncated: boolean;
}

export const NOTHING_REWRITTEN: Rewritten = { assets: [], readers: [], truncated: false };

interface Comparison {
  rewritten: readonly RewrittenId[];
  present: PresentProject;
  next: NewProject;
  /** New ids by present ids, if they differ. */
  follows: ReadonlyMap<NodeId, NodeId>;
  /** Whether the new project no longer has the node. */
  isGone: (id: NodeId) => boolean;
}

/** An asset, and what to assess for those who look at it. */
interface Found {
  asset: RewrittenAsset;
  roots: readonly RewrittenRoot[];
}

const MAX_LISTED = 1_000;
const MAX_COLUMNS_LISTED = 20;
/** If there are more columns in all, each model is assessed as a whole. */
const MAX_APART = 200;
/** Nodes in one query. */
const BATCH = 100;

export async function findRewritten(assessing: Assessing, comparison: Comparison): Promise<Rewritten> {
  const found = (await compareAll(assessing, comparison)).toSorted((a, b) => compareNames(a.asset, b.asset));
  const { caller, graph, workspace, slicer, maxAffected } = assessing;
  const isApart = found.reduce((sum, { roots }) => sum + roots.length, 0) <= MAX_APART;
  const readers = new Map<NodeId, RewrittenReader>();
  const listed = found.slice(0, MAX_LISTED);
  let truncated = listed.length < found.length;
  for (const [position, { asset, roots }] of listed.entries()) {
    const whole = { root: asset.id, otherRows: roots.some(({ otherRows }) => otherRows === true) };
    for (const root of isApart || roots.length === 0 ? roots : [whole]) {
      await slicer.next();
      const impact = await graph.assessImpact(workspace, { ...root, ...AS_IF_RETYPED, maxAffected });
      if (impact === null) continue;
      truncated ||= impact.truncated;
      for (const node of impact.affected) {
        if (slicer.isDue()) await slicer.next();
        if (!isLookedAt(node) || comparison.isGone(node.id)) continue;
        caller.charge?.(1);
        asset.risk = worseOf(asset.risk, node.risk);
        addReader(readers, node, position);
      }
    }
  }
  const all = [...readers.values()].toSorted(compareReaders);
  return {
    assets: listed.map(({ asset }) => asset),
    readers: all.slice(0, MAX_LISTED),
    truncated: truncated || all.length > MAX_LISTED,
  };
}

async function compareAll(
  { graph, workspace, slicer }: Assessing,
  { rewritten, present, next, follows }: Comparison,
): Promise<Found[]> {
  const olds = new Map(present.relations.map((relation) => [relation.id, relation]));
  const news = new Map(next.relations.map((relation) => [relation.id, relation]));
  const follow = (id: NodeId): NodeId => follows.get(id) ?? id;
  const load = async (ids: readonly NodeId[]): Promise<CatalogNode[]> => {
    const nodes: CatalogNode[] = [];
    for (let start = 0; start < ids.length; start += BATCH) {
      await slicer.next();
      const batch = await graph.loadNodes(workspace, ids.slice(start, start + BATCH));
      nodes.push(...batch.filter((node) => node !== null));
    }
    return nodes;
  };
  const toRewritten = (node: CatalogNode, newId: NodeId): RewrittenNode => {
    const { basis = null, reads = [] } = node.columnLineage ?? {};
    const now = next.lineage.nodes.get(newId);
    return {
      id: node.id,
      before: { basis, reads: reads.map(follow) },
      after: { basis: now?.basis ?? null, reads: now?.reads.map(follow) ?? [] },
    };
  };

  const found: Found[] = [];
  for (const { id, newId } of rewritten) {
    const [asset] = await load([id]);
    if (asset === undefined) continue;
    const relation = news.get(newId);
    if (relation === undefined) {
      // Nobody reads values from a dashboard or pipeline.
      const roots = asset.type === "metric" ? [{ root: id, otherRows: true }] : [];
      found.push({ asset: toAsset(asset, { hasOtherRows: false, columns: [] }), roots });
      continue;
    }
    const model = toRewritten(asset, newId);
    const newIds = new Map(relation.columns.map((column) => [fold(column.name), column.id]));
    const kept = (olds.get(id)?.columns ?? []).flatMap((column) => {
      const fresh = newIds.get(fold(column.name));
      return fresh === undefined ? [] : [[column.id, fresh] as const];
    });
    const nodes = new Map((await load(kept.map(([column]) => column))).map((node) => [node.id, node]));
    const columns = kept.flatMap(([column, fresh]) => {
      const node = nodes.get(column);
      return node === undefined ? [] : [toRewritten(node, fresh)];
    });
    const differing = findRewrittenColumns(model, columns);
    // The same statement over other relations has other rows and values, though no SQL of a column differs.
    const isOverOthers =
      differing.length === 0 && model.before.basis !== null && model.before.basis === model.after.basis;
    if (differing.length === 0 && !isOverOthers) continue;
    const hasOtherRows = isKnownToDiffer(asset.columnLineage?.rows?.basis, next.lineage.nodes.get(newId)?.rows?.basis);
    const names = hasOtherRows ? [] : differing.map((column) => nodes.get(column)?.name ?? "");
    found.push({
      asset: toAsset(asset, { hasOtherRows, columns: names.slice(0, MAX_COLUMNS_LISTED) }),
      roots: rootsOf(id, differing, hasOtherRows || isOverOthers),
    });
  }
  return found;
}

function toAsset(
  { id, name, fqn, type, owner, ownerName }: CatalogNode,
  what: Pick<RewrittenAsset, "hasOtherRows" | "columns">,
): RewrittenAsset {
  return { id, name, fqn, type, ...what, risk: null, owner, ownerName };
}

function addReader(readers: Map<NodeId, RewrittenReader>, node: AffectedNode, position: number): void {
  const { id, name, fqn, type, risk, owner, ownerName } = node;
  const reader = readers.getOrInsertComputed(id, () => ({ id, name, fqn, type, risk, owner, ownerName, assets: [] }));
  reader.risk = worseOf(reader.risk, risk);
  if (reader.assets.at(-1) !== position) reader.assets.push(position);
}

function worseOf(a: Risk | null, b: Risk): Risk {
  return a !== null && RISKS.indexOf(a) < RISKS.indexOf(b) ? a : b;
}

function compareReaders(a: RewrittenReader, b: RewrittenReader): number {
  return RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk) || compareImpactOrder(a, b) || compareNames(a, b);
}

function compareNames(a: Pick<CatalogNode, "id" | "fqn">, b: Pick<CatalogNode, "id" | "fqn">): number {
  return compareCodePoints(a.fqn, b.fqn) || compareCodePoints(a.id, b.id);
}
