/** What assets and metrics have in common: who they are, and their neighbours along the lineage. */
import { z } from "zod";

import type { CatalogNode, ColumnLineage } from "../catalog/asset.ts";
import type { Direction as DirectionWord } from "../catalog/edge.ts";
import { DEFAULT_DEPTH } from "../catalog/lineage.ts";
import type { Neighbour } from "../graph/catalog-graph.ts";
import { assessImpact } from "./assess-impact.ts";
import { builder } from "./builder.ts";
import {
  type Connection,
  CURSOR_DESCRIPTION,
  MAX_PAGE_SIZE,
  type PageEdge,
  PageInfoType,
  parsePageSize,
  toConnection,
} from "./connection.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { ColumnLineageStatus, Direction, EdgeKind, FollowedUses, NodeType, Transformation, UseKind } from "./enums.ts";
import { findMaxChecks } from "./failing-checks.ts";
import { changeArgs, IMPACT_COST } from "./impact.ts";
import { WALK_COST, walkLineage } from "./lineage.ts";
import { CatalogNodeType, ColumnUseType, ImpactType, LineageType, NodeInterface } from "./refs.ts";

/** Neighbours fetched where no page size is named. */
const DEFAULT_NEIGHBOURS = 20;
/** What a list of uses counts as in a query's cost. */
const ASSUMED_USES = 3;

const ColumnLineageType = builder.objectRef<ColumnLineage>("ColumnLineage").implement({
  description: "Whether it is known which columns an asset's columns, a column itself or a metric come from.",
  fields: (t) => ({
    status: t.expose("status", { type: ColumnLineageStatus, description: "How much of it is known." }),
    reason: t.string({
      nullable: true,
      description:
        "Why not all of it is known. For a column that is known to come from no column of the SQL: why. Null if there is nothing to explain.",
      resolve: ({ reason }) => reason || null,
    }),
  }),
});

interface LineageSummary {
  upstreamCount: number;
  downstreamCount: number;
}

const LineageSummaryType = builder.objectRef<LineageSummary>("LineageSummary").implement({
  description: "How many direct neighbours there are each way.",
  fields: (t) => ({
    upstreamCount: t.expose("upstreamCount", { type: "NonNegativeInt", description: "Distinct direct sources." }),
    downstreamCount: t.expose("downstreamCount", { type: "NonNegativeInt", description: "Distinct direct consumers." }),
  }),
});

interface Neighbourhood extends Connection<CatalogNode, Neighbour> {
  totalCount: number;
}

ColumnUseType.implement({
  description: "One way in which a column is used: the evidence of its edge.",
  fields: (t) => ({
    kind: t.expose("kind", { type: UseKind, description: "Whether its values go in, or decide what does." }),
    transformation: t.expose("transformation", { type: Transformation, description: "What is done with it." }),
    expression: t.exposeString("expression", { description: "The SQL that uses it; cut when long." }),
  }),
});

const NeighbourEdge = builder.objectRef<PageEdge<CatalogNode> & Neighbour>("NeighbourEdge").implement({
  description: "One neighbour, and how it is connected.",
  fields: (t) => ({
    cursor: t.string({ description: CURSOR_DESCRIPTION, resolve: ({ issueCursor }) => issueCursor() }),
    kinds: t.expose("kinds", { type: [EdgeKind], description: "The kinds of all edges between the two." }),
    uses: t.expose("uses", {
      type: [ColumnUseType],
      description: "The evidence between columns: each way in which the upstream one is used. Empty for all else.",
      complexity: { field: 1, multiplier: ASSUMED_USES },
    }),
    node: t.expose("node", { type: CatalogNodeType, description: "The neighbour." }),
  }),
});

const NeighbourConnection = builder.objectRef<Neighbourhood>("NeighbourConnection").implement({
  description: "A page of direct neighbours, in the order of their names.",
  fields: (t) => ({
    totalCount: t.expose("totalCount", {
      type: "NonNegativeInt",
      description: "All distinct neighbours, whatever the page.",
    }),
    nodes: t.expose("nodes", { type: [CatalogNodeType], description: "The neighbours on this page." }),
    edges: t.expose("edges", { type: [NeighbourEdge], description: "The neighbours with how they are connected." }),
    pageInfo: t.expose("pageInfo", { type: PageInfoType, description: "Where this page stands." }),
  }),
});

/** Sources state any text; what is no address of a page would fail the scalar, and a script must never become a link. */
function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === "http:" || protocol === "https:";
}

async function loadNeighbours(
  node: CatalogNode,
  direction: DirectionWord,
  args: { first: number; after?: string | null | undefined },
  context: GraphqlContext,
): Promise<Neighbourhood> {
  const limit = parsePageSize(args.first);
  const { cursors } = context.services;
  const query = [workspaceOf(context), "neighbours", node.id, direction];
  const after = args.after ? cursors.read(args.after, query, z.string()) : null;
  const found = await context.loaders.neighbours.load({ id: node.id, direction, first: limit, after });
  const page = toConnection(found.items, {
    limit,
    hasMore: found.hasMore,
    after,
    cursorOf: (neighbour) => cursors.issue(query, neighbour.node.key),
  });
  return { ...page, totalCount: found.total };
}

async function loadSummary(node: CatalogNode, context: GraphqlContext): Promise<LineageSummary> {
  const count = async (direction: DirectionWord): Promise<number> =>
    (await context.loaders.neighbours.load({ id: node.id, direction, directOnly: true, first: 0, after: null })).total;
  const [upstreamCount, downstreamCount] = await Promise.all([count("upstream"), count("downstream")]);
  return { upstreamCount, downstreamCount };
}

CatalogNodeType.implement({
  description: "An asset or a metric: whatever lineage connects.",
  interfaces: [NodeInterface],
  resolveType: (node) => (node.type === "metric" ? "Metric" : "Asset"),
  fields: (t) => {
    const neighbours = (direction: DirectionWord, description: string) =>
      t.field({
        type: NeighbourConnection,
        description,
        args: {
          first: t.arg.int({
            required: true,
            defaultValue: DEFAULT_NEIGHBOURS,
            description: `How many, 1 to ${MAX_PAGE_SIZE}.`,
          }),
          after: t.arg.string({ description: "A cursor: begin behind it." }),
        },
        complexity: (args) => ({ field: 1, multiplier: args.first }),
        resolve: (node, args, context) => loadNeighbours(node, direction, args, context),
      });
    return {
      id: t.exposeID("id", { description: "The same wherever and by whichever connector it is seen." }),
      type: t.expose("type", { type: NodeType, description: "What it is." }),
      name: t.exposeString("name", { description: "Its own name." }),
      fqn: t.exposeString("fqn", { description: "Its dot-separated, fully qualified name." }),
      platform: t.exposeString("platform", { description: "The warehouse or tool that holds it, such as `postgres`." }),
      description: t.string({
        nullable: true,
        description: "What it is, in people's words; null if nobody has described it.",
        resolve: ({ description }) => description || null,
      }),
      tags: t.exposeStringList("tags", { description: "Its tags, in order." }),
      owner: t.field({
        type: "EmailAddress",
        nullable: true,
        description: "The owner's e-mail address; null if it is unknown.",
        resolve: ({ owner }) => owner || null,
      }),
      ownerName: t.string({
        nullable: true,
        description: "The owner's name, or an owner that is no e-mail address; null if it is unknown.",
        resolve: ({ ownerName }) => ownerName || null,
      }),
      sourceConnector: t.string({
        nullable: true,
        description: "The connector of highest precedence that holds it; null if no connector does.",
        resolve: ({ sourceConnector }) => sourceConnector || null,
      }),
      connectors: t.exposeStringList("connectors", { description: "All connectors that hold it, by precedence." }),
      url: t.field({
        type: "URL",
        nullable: true,
        description: "Where its own tool shows it; null if its sources state no absolute http or https URL.",
        resolve: ({ url }) => (url !== null && isWebAddress(url) ? url : null),
      }),
      meta: t.expose("meta", {
        type: "JSONObject",
        description: "Whatever else its sources say of it, such as dbt's `meta`.",
      }),
      columnLineage: t.expose("columnLineage", {
        type: ColumnLineageType,
        nullable: true,
        description: "What could be read out of its SQL; null where it has none.",
      }),
      createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was first seen." }),
      updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When what is shown last changed." }),
      lineageSummary: t.field({
        type: LineageSummaryType,
        description: "How many direct neighbours it has; of a column, those that its values come from or go to.",
        resolve: (node, _args, context) => loadSummary(node, context),
      }),
      upstream: neighbours("upstream", "What it is made from, one hop away. Nest it to go further."),
      downstream: neighbours("downstream", "What uses it, one hop away. Nest it to go further."),
      lineage: t.field({
        type: LineageType,
        description: "Everything within some hops, as one graph.",
        args: {
          direction: t.arg({ type: Direction, required: true, description: "Which way to walk." }),
          depth: t.arg.int({ required: true, defaultValue: DEFAULT_DEPTH, description: "Hops, 1 to 10." }),
          uses: t.arg({
            type: FollowedUses,
            required: true,
            defaultValue: "direct",
            description: "Which uses to follow from a column.",
          }),
        },
        complexity: WALK_COST,
        async resolve(node, args, context) {
          await context.loaders.places.load({});
          return walkLineage(node.id, args, context);
        },
      }),
      impact: t.field({
        type: ImpactType,
        description: "What a change to it would affect, with the risk and the reason.",
        args: changeArgs,
        complexity: IMPACT_COST,
        async resolve(node, args, context, info) {
          await context.loaders.places.load({});
          return assessImpact(node, args, context, { maxChecks: findMaxChecks(info) });
        },
      }),
    };
  },
});
