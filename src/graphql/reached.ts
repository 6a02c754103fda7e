/** All that is within some hops of a node, in pages, with the filters of its direct neighbours. */
import { z } from "zod";

import type { CatalogNode } from "../catalog/asset.ts";
import type { Direction } from "../catalog/edge.ts";
import type { LineageNode } from "../catalog/lineage.ts";
import { foldForSearch } from "../catalog/text.ts";
import { badField } from "../errors.ts";
import type { NeighbourFilter } from "../graph/catalog-graph.ts";
import { passesBeside } from "../graph/node-passes.ts";
import { type Connection, toConnection } from "./connection.ts";
import { cursorQuery, type GraphqlContext } from "./context.ts";
import { loadNode, walkLineage } from "./lineage.ts";
import { takeNestedUnit } from "./loaders.ts";

/** A node that a walk reached, as an edge of a list. */
export interface Reached {
  node: CatalogNode;
  hops: number;
  /** There may be many edges on the way, so none is told. */
  kinds: [];
  uses: [];
}

interface ReachedPage {
  direction: Direction;
  depth: number;
  only: NeighbourFilter | undefined;
  limit: number;
  after: string | null | undefined;
}

/**
 * Lists what a walk reaches, the nearest first.
 * @throws AppError `bad_request` for a filter by kinds, for a bad cursor, and if the walk is too large to be counted
 */
export async function listReached(
  root: CatalogNode,
  { direction, depth, only, limit, after }: ReachedPage,
  context: GraphqlContext,
): Promise<Connection<CatalogNode, Reached> & { totalCount: number }> {
  if (only?.kinds !== undefined) throw badField("kinds", "can only be given with a depth of 1");
  const { cursors } = context.services;
  const query = cursorQuery(context, "reached", root.id, direction, depth, only ?? null);
  const place = after ? cursors.read(after, query, z.string()) : null;
  await takeNestedUnit(context);
  const walked = await walkLineage(root.id, { direction, depth, uses: "all" }, context);
  if (walked.truncated) throw badField("depth", `reaches ${walked.totalNodes} nodes, which are too many; ask for less`);
  const found = await filterReached(walked.nodes, only, context);
  const index = found.findIndex(({ id }) => id === place);
  if (place !== null && index === -1) throw badField("after", "names a node that is not there any more");
  const page = found.slice(index + 1, index + 1 + limit);
  const items = await Promise.all(
    page.map(async ({ id, depth: hops }): Promise<Reached> => {
      return { node: await loadNode(id, context), hops, kinds: [], uses: [] };
    }),
  );
  const connection = toConnection(items, {
    limit,
    hasMore: found.length > index + 1 + limit,
    after: place,
    cursorOf: ({ node }) => cursors.issue(query, node.id),
  });
  return { ...connection, totalCount: found.length };
}

/** Only filters by more than type and name need the nodes themselves. */
async function filterReached(
  nodes: readonly LineageNode[],
  only: NeighbourFilter | undefined,
  context: GraphqlContext,
): Promise<LineageNode[]> {
  if (only === undefined) return [...nodes];
  const { types, nameParts = [], ...rest } = only;
  const named = nodes.filter(
    ({ type, name }) =>
      (types === undefined || types.includes(type)) && nameParts.every((part) => foldForSearch(name).includes(part)),
  );
  if (Object.keys(rest).length === 0) return named;
  const loaded = await Promise.all(named.map(({ id }) => loadNode(id, context)));
  const isChosen = loaded.map((node) => passesBeside(node, rest));
  return named.filter((_, i) => isChosen[i]);
}
