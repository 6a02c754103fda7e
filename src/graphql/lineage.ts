/** Lineage as one graph: nodes by distance, and the edges between them. */
import type { CatalogNode } from "../catalog/asset.ts";
import type { Direction as DirectionWord, Edge } from "../catalog/edge.ts";
import { DEFAULT_DEPTH, type Lineage, type LineageNode, MAX_DEPTH } from "../catalog/lineage.ts";
import { AppError, badField, notFound } from "../errors.ts";
import { type NodeId, toNodeId } from "../ids.ts";
import { builder, requires } from "./builder.ts";
import { CompletenessType } from "./completeness.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { Direction, EdgeKind, FollowedUses, NodeType } from "./enums.ts";
import { CatalogNodeType, LineageType } from "./refs.ts";

/** What a list of unknown length counts as in a query's cost. */
const ASSUMED_LENGTH = 200;
/** What a walk counts as, whatever of it is shown: a hundred of them fill a query. */
export const WALK_COST = 2_000;

const LineageNodeType = builder.objectRef<LineageNode>("LineageNode").implement({
  description: "A node that a walk reached.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The asset's or metric's id." }),
    name: t.exposeString("name", { description: "Its own name." }),
    type: t.expose("type", { type: NodeType, description: "What it is." }),
    depth: t.exposeInt("depth", { description: "Fewest hops from the root, starting at 1." }),
    node: t.field({
      type: CatalogNodeType,
      description: "The asset or metric itself.",
      resolve: (found, _args, context) => loadNode(found.id, context),
    }),
  }),
});

const EdgeType = builder.objectRef<Edge>("Edge").implement({
  description: "One edge of lineage.",
  fields: (t) => ({
    from: t.exposeID("from", { description: "The upstream end." }),
    to: t.exposeID("to", { description: "The downstream end." }),
    kind: t.expose("kind", { type: EdgeKind, description: "What the edge means." }),
  }),
});

LineageType.implement({
  description:
    "What feeds a node, or what it feeds, within some hops. A walk is one answer and has no pages: the edges of a page would " +
    "lead to nodes of others, and the graph may change in between. `totalNodes` says how many there are, and `truncated` " +
    "whether the answer lacks some. Ask for fewer hops, or page through `upstream` and `downstream`.",
  fields: (t) => ({
    root: t.exposeID("root", { description: "Where the walk began; it is not among the nodes." }),
    direction: t.expose("direction", { type: Direction, description: "Which way it went." }),
    depth: t.exposeInt("depth", { description: "The hops that were allowed." }),
    nodes: t.expose("nodes", {
      type: [LineageNodeType],
      description: "What was reached, the nearest first.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
    edges: t.expose("edges", {
      type: [EdgeType],
      description: "The edges among the root and the nodes.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
    truncated: t.exposeBoolean("truncated", {
      description: "True when more was within reach than a result may hold; then the nearest are kept.",
    }),
    completeness: t.expose("coverage", {
      type: CompletenessType,
      description: "What could not be known of the root and the nodes.",
    }),
    totalNodes: t.expose("totalNodes", { type: "NonNegativeInt", description: "All nodes within reach, kept or not." }),
  }),
});

/** A node that the graph has just named. */
export async function loadNode(id: NodeId, context: GraphqlContext): Promise<CatalogNode> {
  const node = await context.loaders.nodes.load(id);
  if (node === null) throw new AppError("conflict", "The graph changed during the request; ask again.");
  return node;
}

/** Walks from a root that must exist. */
export async function walkLineage(
  root: NodeId,
  { uses, ...args }: { direction: DirectionWord; depth: number; uses: "direct" | "all" },
  context: GraphqlContext,
): Promise<Lineage> {
  if (args.depth < 1 || args.depth > MAX_DEPTH) throw badField("depth", `must be between 1 and ${MAX_DEPTH}`);
  const { budget, caller, graph, services } = context;
  await services.turns.next(caller);
  const most = { maxNodes: services.maxLineageNodes, maxEdges: services.limits.rows };
  const lineage = await graph.walk(workspaceOf(context), { root, ...args, directOnly: uses === "direct", ...most });
  if (lineage === null) throw notFound("asset", root);
  budget.draw("rows", lineage.nodes.length + lineage.edges.length);
  return lineage;
}

builder.queryField("lineage", (t) =>
  t.field({
    type: LineageType,
    description: "What feeds an asset or metric, or what it feeds, as one graph.",
    extensions: requires("read"),
    args: {
      id: t.arg.id({ required: true, description: "The asset or metric to begin from." }),
      direction: t.arg({ type: Direction, required: true, description: "Which way to walk." }),
      depth: t.arg.int({ required: true, defaultValue: DEFAULT_DEPTH, description: `Hops, 1 to ${MAX_DEPTH}.` }),
      uses: t.arg({
        type: FollowedUses,
        required: true,
        defaultValue: "direct",
        description: "Which uses to follow from a column.",
      }),
    },
    complexity: WALK_COST,
    resolve: (_root, { id, ...args }, context) => walkLineage(toNodeId(id), args, context),
  }),
);
