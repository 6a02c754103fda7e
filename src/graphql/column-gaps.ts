/**
 * What a walk cannot know. Of one from a pipeline: what its parts read for it. Of one from a column: assets that may use one of
 * its columns, or that one of them may come from, without any edge of columns that says so. A walk only follows edges, so
 * without these an answer would be silently partial.
 */
import type { CatalogNode } from "../catalog/asset.ts";
import { type Coverage, type Gap, MAX_GAPS, READING_PARTS } from "../catalog/coverage.ts";
import { whyUnknown } from "../catalog/impact/words.ts";
import { isDataset } from "../catalog/node-types.ts";
import { excerpt } from "../characters.ts";
import type { NodeId } from "../ids.ts";
import { loadImpact } from "./assess-impact.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { findNode, type WalkedLineage } from "./refs.ts";

/** The first gaps, and how many there are. */
interface Found {
  gaps: readonly Gap[];
  total: number;
}

/** The coverage of a walk. That of a walk from a column has the assets beside it whose columns are not known. */
export async function coverWalk(walk: WalkedLineage, context: GraphqlContext): Promise<Coverage> {
  const { coverage, direction } = walk;
  // Only a walk from a column reaches columns. One that reached nothing may have begun from a column too.
  const mayBeOfColumn = walk.nodes.every(({ type }) => !isDataset(type));
  // Nothing is made into a pipeline. So the root of most walks need not be read.
  const mayBeOfPipeline =
    direction === "upstream" && !walk.edges.some(({ to, kind }) => to === walk.root && kind === "derives");
  const root = mayBeOfColumn || mayBeOfPipeline ? await findNode(walk.root, context) : null;
  if (root?.type === "pipeline" && direction === "upstream") return withReadingParts(root, coverage);
  if (!mayBeOfColumn || root?.type !== "column") return coverage;
  const unknown =
    direction === "downstream" ? await findReaders(walk, context) : await findOrigins(walk, root, context);
  const listed = new Set(coverage.gaps.map(({ id }) => id));
  const gaps = unknown.gaps.filter(({ id }) => !listed.has(id));
  return {
    ...coverage,
    gaps: [...coverage.gaps, ...gaps].slice(0, MAX_GAPS),
    gapsTotal: coverage.gapsTotal + unknown.total - (unknown.gaps.length - gaps.length),
  };
}

/** Adds the gap of a pipeline whose parts read for it. */
function withReadingParts({ id, fqn, meta }: CatalogNode, coverage: Coverage): Coverage {
  const parts = meta[READING_PARTS];
  if (!Array.isArray(parts)) return coverage;
  const names = parts.map((name) => String(name).replace(`${fqn}.`, ""));
  const gap = { id, reason: `its parts read for it: ${excerpt(names.join(", "))}` };
  return { ...coverage, gaps: [gap, ...coverage.gaps].slice(0, MAX_GAPS), gapsTotal: coverage.gapsTotal + 1 };
}

/** Assets within the depth that may use one of the columns, by the rules of an impact. */
async function findReaders({ root, depth }: WalkedLineage, context: GraphqlContext): Promise<Found> {
  const query = { root, change: "column_drop", newType: null, unclearWithin: depth } as const;
  const impact = await loadImpact(query, context);
  if (impact === null) return { gaps: [], total: 0 };
  const nodes = await Promise.all(impact.affected.slice(0, MAX_GAPS).map(({ id }) => findNode(id, context)));
  const gaps = nodes.flatMap((node) =>
    node === null ? [] : { id: node.id, reason: `it may use a column: ${whyUnknown(node.columnLineage)}` },
  );
  return { gaps, total: impact.summary.total };
}

/** Tables and models of the columns whose columns may come from something that the catalog has. */
async function findOrigins(
  { depth, nodes }: WalkedLineage,
  root: CatalogNode,
  context: GraphqlContext,
): Promise<Found> {
  const within = nodes.filter((node) => node.type === "column" && node.depth < depth);
  const columns = [root, ...(await Promise.all(within.map(({ id }) => findNode(id, context))))];
  const owners = new Map<NodeId, CatalogNode>();
  for (const column of columns) {
    const owner = column?.parentId == null ? null : await findNode(column.parentId, context);
    if (column !== null && owner !== null && isUnclear(owner, column)) owners.set(owner.id, owner);
  }
  const { budget, graph, nextTurn } = context;
  const gaps: Gap[] = [];
  for (const owner of owners.values()) {
    await nextTurn();
    // Two hops: what a pipeline loads may come from what it reads.
    const above = await graph.walk(workspaceOf(context), {
      root: owner.id,
      direction: "upstream",
      depth: 2,
      maxNodes: MAX_GAPS,
    });
    budget.draw("rows", above === null ? 0 : above.nodes.length + above.edges.length);
    if (above !== null && (above.truncated || above.nodes.some(({ type }) => isDataset(type))))
      gaps.push({
        id: owner.id,
        reason: `what its columns come from is not all known: ${whyUnknown(owner.columnLineage)}`,
      });
  }
  return { gaps, total: gaps.length };
}

function isUnclear({ columnLineage }: CatalogNode, column: CatalogNode): boolean {
  if (columnLineage?.status === "partial") return column.columnLineage?.status !== "known";
  return columnLineage?.status !== "known";
}
