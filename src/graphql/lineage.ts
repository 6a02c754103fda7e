/** Lineage as one graph: nodes by distance, and the edges between them. */
import type { CatalogNode } from "../catalog/asset.ts";
import type { Direction as DirectionWord, Edge } from "../catalog/edge.ts";
import { DEFAULT_DEPTH, type LineageNode, MAX_DEPTH } from "../catalog/lineage.ts";
import { AppError, badField, notFound } from "../errors.ts";
import { type NodeId, toNodeId } from "../ids.ts";
import { asOfArgs } from "./as-of.ts";
import { builder, listOf, objectType, queryField, typed } from "./builder.ts";
import { coverWalk } from "./column-gaps.ts";
import { CompletenessType } from "./completeness.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { Direction, EdgeKind, FollowedUses, NodeType } from "./enums.ts";
import { CatalogNodeType, LineageType, type WalkedLineage, findNode } from "./refs.ts";

/** The assumed length of a list in a query's cost. */
const ASSUMED_LENGTH = 200;
/** The cost of a walk, whichever of its fields are selected. A query can have a hundred walks. */
export const WALK_COST = 2_000;

const LineageNodeType = objectType<LineageNode>("LineageNode", "A node that a walk reached.").with({
  id: typed("ID", "The asset's or metric's id."),
  name: typed("String", "Its own name."),
  type: typed(NodeType, "What it is."),
  depth: typed("Int", "The smallest number of hops from the root, from 1."),
  node: {
    ...typed(CatalogNodeType, "The asset or metric itself."),
    resolve: (found, _args, context) => loadNode(found.id, context),
  },
});

const EdgeType = objectType<Edge>("Edge", "One edge of lineage.").with({
  from: typed("ID", "The upstream end."),
  to: typed("ID", "The downstream end."),
  kind: typed(EdgeKind, "What the edge means."),
});

objectType(
  LineageType,
  "What feeds a node, or what it feeds, within some hops. A walk has no pages, because the edges of one page would lead to " +
    "nodes of another, and the graph may change in between. `totalNodes` says how many nodes there are, and `truncated` whether " +
    "some are missing. If so, ask for fewer hops, or page through `upstream` and `downstream`.",
).with({
  root: typed("ID", "The id of the node where the walk began. It is not among the nodes."),
  direction: typed(Direction, "The direction of the walk."),
  depth: typed("Int", "The largest number of hops."),
  nodes: listOf(LineageNodeType, "The nodes that were reached, the nearest first.", ASSUMED_LENGTH),
  edges: listOf(EdgeType, "The edges between the root and the nodes, and among the nodes.", ASSUMED_LENGTH),
  truncated: typed(
    "Boolean",
    "True if more nodes were within reach than an answer may have. Then the answer has the nearest ones.",
  ),
  completeness: {
    ...typed(
      CompletenessType,
      "Where the lineage of the root and the nodes may be incomplete. Of a walk from a column, also which assets may use one of its columns, or be what one comes from, although no lineage of columns says so.",
    ),
    resolve: (walk, _args, context) => coverWalk(walk, context),
  },
  totalNodes: typed("NonNegativeInt", "How many nodes are within reach, whether in the answer or not."),
  deeper: {
    type: "Boolean",
    description:
      "Whether there are nodes further away than `depth`. The walk is repeated to find out, if this is asked for.",
    complexity: WALK_COST,
    resolve: isDeeper,
  },
});

/** Loads a node that the graph has just named. */
export async function loadNode(id: NodeId, context: GraphqlContext): Promise<CatalogNode> {
  const node = await findNode(id, context);
  if (node === null) throw new AppError("conflict", "The graph changed during the request; ask again.");
  return node;
}

/** Walks the lineage from a root that must exist. */
export async function walkLineage(
  root: NodeId,
  { uses, ...args }: { direction: DirectionWord; depth: number; uses: "direct" | "all" },
  context: GraphqlContext,
): Promise<WalkedLineage> {
  if (args.depth < 1 || args.depth > MAX_DEPTH) throw badField("depth", `must be between 1 and ${MAX_DEPTH}`);
  const { budget, graph, nextTurn, services } = context;
  await nextTurn();
  const directOnly = uses === "direct";
  const most = { maxNodes: services.maxLineageNodes, maxEdges: services.budgetLimits.rows };
  const lineage = await graph.walk(workspaceOf(context), { root, ...args, directOnly, ...most });
  if (lineage === null) throw notFound("asset", root);
  budget.draw("rows", lineage.nodes.length + lineage.edges.length);
  return { ...lineage, directOnly };
}

/** Counts the nodes within one more hop. */
async function isDeeper(
  { root, direction, depth, directOnly, totalNodes }: WalkedLineage,
  _args: object,
  context: GraphqlContext,
): Promise<boolean> {
  const { graph, nextTurn } = context;
  await nextTurn();
  const query = { root, direction, depth: depth + 1, directOnly, maxNodes: 0 };
  const further = await graph.walk(workspaceOf(context), query);
  return further !== null && further.totalNodes > totalNodes;
}

queryField("lineage", "read", {
  ...typed(LineageType, "What feeds an asset or metric, or what it feeds, as one graph."),
  args: builder.args((t) => ({
    id: t.id({ required: true, description: "The asset or metric to begin from." }),
    direction: t.field({ type: Direction, required: true, description: "Which way to walk." }),
    depth: t.int({ required: true, defaultValue: DEFAULT_DEPTH, description: `Hops, 1 to ${MAX_DEPTH}.` }),
    uses: t.field({
      type: FollowedUses,
      required: true,
      defaultValue: "direct",
      description: "Which uses to follow from a column.",
    }),
    ...asOfArgs,
  })),
  complexity: WALK_COST,
  resolve: (_root, { id, asOf: _asOf, ...args }, context) => walkLineage(toNodeId(id), args, context),
});
