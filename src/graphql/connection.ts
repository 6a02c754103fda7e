/** Connections: pages of a list, with cursors to get the next page. */
import type { ObjectRef } from "@pothos/core";

import { badField } from "../errors.ts";
import { builder, objectType, typed, typedOrNull, type GraphqlTypes } from "./builder.ts";
import type { Counted } from "./facets.ts";

export const MAX_PAGE_SIZE = 200;

export interface PageArgs {
  first: number;
  after?: string | null | undefined;
}

/** The arguments of every list. */
export const pageArgs = builder.args((t) => ({
  first: t.int({ required: true, defaultValue: 50, description: `How many, 1 to ${MAX_PAGE_SIZE}.` }),
  after: t.string({ description: "A cursor: the page begins after it. A cursor is valid for 24 hours." }),
}));

export interface PageInfo {
  limit: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** Null on an empty page. */
  issueStartCursor: (() => string) | null;
  issueEndCursor: (() => string) | null;
}

/** One page of a list. Plain data, so that no field but the cursors needs a resolver. */
export interface Connection<Node, Edge = object> {
  nodes: Node[];
  edges: (PageEdge<Node> & Edge)[];
  pageInfo: PageInfo;
}

/** A page of a list that is counted only if the count is asked for. */
export interface CountedConnection<Node> extends Connection<Node> {
  /** Counts the whole list, not only the page. Null if that would take too long. */
  countAll: () => Promise<number | null> | number | null;
  /** What the facets count, if it is a list of nodes. */
  counted?: Counted;
  /** The span that a list of changes is of. It begins nowhere if nothing was written yet. */
  span?: { since: string | null; until: string };
}

export interface PageEdge<Node> {
  node: Node;
  issueCursor: () => string;
}

export const PageInfoType = objectType<PageInfo>(
  "PageInfo",
  "The position of a page in its list. Lists can only be read forward.",
).with({
  limit: typed("Int", "The page size."),
  hasNextPage: typed("Boolean", "Whether there are more items after this page."),
  hasPreviousPage: typed("Boolean", "Whether the page was asked for with `after`, so that there are items before it."),
  startCursor: {
    ...typedOrNull("String", "The cursor of the first item on this page; null if the page is empty."),
    resolve: ({ issueStartCursor }) => issueStartCursor?.() ?? null,
  },
  endCursor: {
    ...typedOrNull("String", "The cursor of the last item on this page; null if the page is empty."),
    resolve: ({ issueEndCursor }) => issueEndCursor?.() ?? null,
  },
  nextCursor: {
    ...typedOrNull("String", "What to pass as `after` to get the next page; null if there is none."),
    resolve: ({ hasNextPage, issueEndCursor }) => (hasNextPage ? (issueEndCursor?.() ?? null) : null),
  },
});

interface PageFacts<Item> {
  limit: number;
  hasMore: boolean;
  /** The place after which the page begins; null for the first page. */
  after: unknown;
  cursorOf: (item: Item) => string;
}

/**
 * Makes a connection of a page. A cursor is signed only if it is asked for.
 * @param items nodes, with the other fields of their edges
 */
export function toConnection<Node, Edge = object>(
  items: readonly ({ node: Node } & Edge)[],
  { limit, hasMore, after, cursorOf }: PageFacts<{ node: Node } & Edge>,
): Connection<Node, Edge> {
  const issue = (item: ({ node: Node } & Edge) | undefined) => (item === undefined ? null : () => cursorOf(item));
  return {
    nodes: items.map((item) => item.node),
    edges: items.map((item) => ({ ...item, issueCursor: () => cursorOf(item) })),
    pageInfo: {
      limit,
      hasNextPage: hasMore,
      hasPreviousPage: after !== null,
      issueStartCursor: issue(items[0]),
      issueEndCursor: issue(items.at(-1)),
    },
  };
}

export const CURSOR_DESCRIPTION = "Its place in the list, for `after`.";

/**
 * Declares `<Name>Connection` and `<Name>Edge` over a type of nodes.
 * @param totalCount the description of the count of the whole list; null for a list that is never counted
 */
export function connectionType<Node extends object>(
  name: string,
  noun: string,
  node: ObjectRef<GraphqlTypes, Node>,
  totalCount?: string | null,
): ObjectRef<GraphqlTypes, CountedConnection<Node>> {
  return connectionTypes(name, noun, node, totalCount).connection;
}

/** The same, and returns the type of the edges too, for lists whose edges have more fields. */
export function connectionTypes<Node extends object>(
  name: string,
  noun: string,
  node: ObjectRef<GraphqlTypes, Node>,
  totalCount: string | null = `How many ${noun}s the whole list has. They are counted only if this field is asked for.`,
): { connection: ObjectRef<GraphqlTypes, CountedConnection<Node>>; edge: ObjectRef<GraphqlTypes, PageEdge<Node>> } {
  const edge = builder.objectRef<PageEdge<Node>>(`${name}Edge`);
  const connection = builder.objectRef<CountedConnection<Node>>(`${name}Connection`);
  objectType(edge, `One ${noun} and its place in the list.`).with({
    cursor: { ...typed("String", CURSOR_DESCRIPTION), resolve: ({ issueCursor }) => issueCursor() },
    node: typed(node, `The ${noun}.`),
  });
  objectType(connection, `A page of ${noun}s.`).with({
    nodes: typed([node], `The ${noun}s on this page.`),
    edges: typed([edge], `The ${noun}s with their cursors.`),
    pageInfo: typed(PageInfoType, "The cursors of this page, and whether there are more items."),
    ...(totalCount !== null && {
      totalCount: (t) =>
        t.field({ ...typedOrNull("NonNegativeInt", totalCount), resolve: ({ countAll }) => countAll() }),
    }),
  });
  return { connection, edge };
}

/**
 * Checks a page size.
 * @throws AppError `bad_request` if it is out of range
 */
export function parsePageSize(first: number, field = "first"): number {
  if (first < 1 || first > MAX_PAGE_SIZE) throw badField(field, `must be between 1 and ${MAX_PAGE_SIZE}`);
  return first;
}
