/** Direct neighbours along the lineage: pages of them, with the same filters as lists of assets. */
import { z } from "zod";

import type { CatalogNode } from "../catalog/asset.ts";
import type { Direction as DirectionWord } from "../catalog/edge.ts";
import { MAX_DEPTH } from "../catalog/lineage.ts";
import { namePartsOf } from "../catalog/search.ts";
import type { Neighbour, NeighbourFilter, NeighbourQuery } from "../graph/catalog-graph.ts";
import { builder, listOf, objectType, typed } from "./builder.ts";
import {
  type Connection,
  CURSOR_DESCRIPTION,
  MAX_PAGE_SIZE,
  type PageEdge,
  PageInfoType,
  parsePageSize,
  toConnection,
} from "./connection.ts";
import { cursorQuery, type GraphqlContext } from "./context.ts";
import { Certification, EdgeKind, NodeType } from "./enums.ts";
import { given } from "./given.ts";
import { WALK_COST } from "./lineage.ts";
import { createLoader } from "./loaders.ts";
import { parseSearchText } from "./node-list.ts";
import { listReached } from "./reached.ts";
import { CatalogNodeType, ColumnUseType } from "./refs.ts";

/** The page size if none is given. */
const DEFAULT_NEIGHBOURS = 20;
/** The assumed number of uses in a query's cost. */
const ASSUMED_USES = 3;

/** The arguments of `upstream` and `downstream`. */
export const neighbourArgs = builder.args((t) => ({
  depth: t.int({
    required: true,
    defaultValue: 1,
    description: `Hops, 1 to ${MAX_DEPTH}. With more than one: all within so many hops, the nearest first.`,
  }),
  first: t.int({
    required: true,
    defaultValue: DEFAULT_NEIGHBOURS,
    description: `How many, 1 to ${MAX_PAGE_SIZE}.`,
  }),
  after: t.string({ description: "A cursor: the page begins after it. A cursor is valid for 24 hours." }),
  search: t.string({
    description: "Only neighbours whose names contain each of these words, or parts of words, in any case.",
  }),
  types: t.field({ type: [NodeType], description: "Only neighbours of one of these types. All types if left out." }),
  kinds: t.field({
    type: [EdgeKind],
    description: "Only neighbours that an edge of one of these kinds connects. All kinds if left out.",
  }),
  tag: t.string({ description: "Only neighbours with this tag." }),
  certification: t.field({ type: Certification, description: "Only neighbours with this certification." }),
  owner: t.field({
    type: "EmailAddress",
    description: "Only neighbours of this owner, in any case; null for those without an owner.",
  }),
  connector: t.string({ description: "Only neighbours that this connector holds, by its name." }),
  schema: t.string({
    description:
      "Only neighbours whose fully qualified names begin with these parts, such as `shop.marts`, in any case.",
  }),
}));

type NeighbourArgs = { [Name in keyof NeighbourFilter]?: NeighbourFilter[Name] | null } & {
  depth: number;
  search?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
};

/** A neighbour is one hop away. */
type ListedNeighbour = Neighbour & { hops?: number };

interface Neighbourhood extends Connection<CatalogNode, ListedNeighbour> {
  totalCount: number;
}

const NeighbourEdge = objectType<PageEdge<CatalogNode> & ListedNeighbour>(
  "NeighbourEdge",
  "One neighbour, and how it is connected.",
).with({
  cursor: { ...typed("String", CURSOR_DESCRIPTION), resolve: ({ issueCursor }) => issueCursor() },
  hops: { ...typed("Int", "The fewest hops to it."), resolve: ({ hops = 1 }) => hops },
  kinds: typed([EdgeKind], "The kinds of all edges between the two; an empty list with a `depth` above 1."),
  uses: listOf(
    ColumnUseType,
    "If both are columns: each way in which the upstream column is used. Otherwise, and with a `depth` above 1, an empty list.",
    ASSUMED_USES,
  ),
  node: typed(CatalogNodeType, "The neighbour."),
});

export const NeighbourConnection = objectType<Neighbourhood>(
  "NeighbourConnection",
  "A page of direct neighbours in the order of their names, or of all within some hops, the nearest first.",
).with({
  totalCount: typed("NonNegativeInt", "How many distinct neighbours pass the filters, on all pages."),
  nodes: typed([CatalogNodeType], "The neighbours on this page."),
  edges: typed([NeighbourEdge], "The neighbours with how they are connected."),
  pageInfo: typed(PageInfoType, "The cursors of this page, and whether there are more items."),
});

/** Returns undefined if no filter is given, so that every neighbour passes. */
function toFilter(args: NeighbourArgs): NeighbourFilter | undefined {
  const { search, types, kinds, tag, certification, owner, connector, schema } = args;
  const nameParts = namePartsOf(parseSearchText(search));
  const whose = owner === null ? "" : owner;
  const named = nameParts.length === 0 ? null : nameParts;
  const only = given({ types, kinds, tag, certification, owner: whose, connector, schema, nameParts: named });
  return Object.keys(only).length === 0 ? undefined : only;
}

/** Pages of neighbours. */
export const neighboursOf = createLoader(
  ({ graph }, ws, queries: readonly NeighbourQuery[]) => graph.loadNeighbours(ws, queries),
  {
    expect: ({ first }) => 1 + first,
    weigh: ({ items }) => items.length,
    cacheKeyFn: ({ id, direction, level, directOnly, only, first, after }) =>
      JSON.stringify([id, direction, level, directOnly, only, first, after]),
  },
);

/** The cost of a list in a query. */
export function neighbourCost({ depth, first }: { depth: number; first: number }) {
  return { field: depth === 1 ? 1 : WALK_COST, multiplier: first };
}

/** @throws AppError `bad_request` for a bad page size, depth, search text or cursor */
export async function loadNeighbours(
  node: CatalogNode,
  direction: DirectionWord,
  args: NeighbourArgs,
  context: GraphqlContext,
): Promise<Neighbourhood> {
  const limit = parsePageSize(args.first);
  const only = toFilter(args);
  const { depth, after: place } = args;
  if (depth !== 1) return listReached(node, { direction, depth, only, limit, after: place }, context);
  const { cursors } = context.services;
  const query = cursorQuery(context, "neighbours", node.id, direction, only ?? null);
  const after = args.after ? cursors.read(args.after, query, z.string()) : null;
  const found = await neighboursOf(context).load({ id: node.id, direction, only, first: limit, after });
  const page = toConnection(found.items, {
    limit,
    hasMore: found.hasMore,
    after,
    cursorOf: (neighbour) => cursors.issue(query, neighbour.node.key),
  });
  return { ...page, totalCount: found.total };
}
