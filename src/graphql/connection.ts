/** Connections: pages of a list with the cursors to go on from. */
import type { ObjectRef } from "@pothos/core";

import { badField } from "../errors.ts";
import { builder } from "./builder.ts";

export const MAX_PAGE_SIZE = 200;

export interface PageArgs {
  first: number;
  after?: string | null | undefined;
}

/** What every list is asked with. */
export const pageArgs = builder.args((t) => ({
  first: t.int({ required: true, defaultValue: 50, description: `How many, 1 to ${MAX_PAGE_SIZE}.` }),
  after: t.string({ description: "A cursor: begin behind it. Good for 24 hours." }),
}));

interface PageInfo {
  limit: number;
  hasNextPage: boolean;
  endCursor: string | null;
  nextCursor: string | null;
}

/** One page of a list. Plain data, so that no field but the cursors needs a resolver. */
export interface Connection<Node, Edge = object> {
  nodes: Node[];
  edges: (PageEdge<Node> & Edge)[];
  pageInfo: PageInfo;
}

export interface PageEdge<Node> {
  node: Node;
  issueCursor: () => string;
}

export const PageInfoType = builder.objectRef<PageInfo>("PageInfo").implement({
  description: "Where a page stands in its list.",
  fields: (t) => ({
    limit: t.exposeInt("limit", { description: "The page size that was applied." }),
    hasNextPage: t.exposeBoolean("hasNextPage", { description: "Whether more follows." }),
    endCursor: t.exposeString("endCursor", {
      nullable: true,
      description: "The cursor of the last item on this page, null on an empty one.",
    }),
    nextCursor: t.exposeString("nextCursor", {
      nullable: true,
      description: "What to hand in as `after` for the next page, null when there is none.",
    }),
  }),
});

/**
 * Puts a page into the form of a connection. Cursors are signed only where they are asked for.
 * @param items nodes, with what else their edges show
 */
export function toConnection<Node, Edge = object>(
  items: readonly ({ node: Node } & Edge)[],
  page: { limit: number; hasMore: boolean; cursorOf: (item: { node: Node } & Edge) => string },
): Connection<Node, Edge> {
  const last = items.at(-1);
  const endCursor = last === undefined ? null : page.cursorOf(last);
  return {
    nodes: items.map((item) => item.node),
    edges: items.map((item) => ({ ...item, issueCursor: () => page.cursorOf(item) })),
    pageInfo: {
      limit: page.limit,
      hasNextPage: page.hasMore,
      endCursor,
      nextCursor: page.hasMore ? endCursor : null,
    },
  };
}

export const CURSOR_DESCRIPTION = "Its place in the list, as `after` takes it.";

/** Declares `<Name>Connection` and `<Name>Edge` over a type of nodes. */
export function connectionType<Node extends object>(
  name: string,
  noun: string,
  node: ObjectRef<GraphqlTypes, Node>,
): ObjectRef<GraphqlTypes, Connection<Node>> {
  const edge = builder.objectRef<PageEdge<Node>>(`${name}Edge`);
  const connection = builder.objectRef<Connection<Node>>(`${name}Connection`);
  edge.implement({
    description: `One ${noun} and its place in the list.`,
    fields: (t) => ({
      cursor: t.string({ description: CURSOR_DESCRIPTION, resolve: ({ issueCursor }) => issueCursor() }),
      node: t.expose("node", { type: node, description: `The ${noun}.` }),
    }),
  });
  connection.implement({
    description: `A page of ${noun}s.`,
    fields: (t) => ({
      nodes: t.expose("nodes", { type: [node], description: `The ${noun}s on this page.` }),
      edges: t.expose("edges", { type: [edge], description: `The ${noun}s with their cursors.` }),
      pageInfo: t.expose("pageInfo", { type: PageInfoType, description: "Where this page stands." }),
    }),
  });
  return connection;
}

type GraphqlTypes = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types> ? Types : never;

/**
 * Checks a page size.
 * @throws AppError `bad_request`: a size out of range is never clamped
 */
export function parsePageSize(first: number, field = "first"): number {
  if (first < 1 || first > MAX_PAGE_SIZE) throw badField(field, `must be between 1 and ${MAX_PAGE_SIZE}`);
  return first;
}
