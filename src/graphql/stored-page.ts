/** Pages of the lists in the metadata store, with signed cursors. */
import { z } from "zod";

import type { WorkspaceId } from "../ids.ts";
import { type CountedConnection, type PageArgs, parsePageSize, toConnection } from "./connection.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";

interface StoredList<Node, Place> {
  /** Names the list, with its filters and order. A cursor of another list is refused. */
  query: readonly unknown[];
  list(workspaceId: WorkspaceId, page: { after: Place | null; limit: number }): Promise<StoredPage<Node>>;
  /** Returns what `list` takes as `after` to continue after a node, and its form. */
  placeOf(node: Node): Place;
  placeSchema: z.ZodType<Place>;
  /** Returns null if the list is too long to be counted. */
  count(workspaceId: WorkspaceId): Promise<number> | number | null;
}

interface StoredPage<Node> {
  items: Node[];
  hasMore: boolean;
}

/** @throws AppError `bad_request` for a bad page size or cursor */
export async function listStored<Node, Place>(
  args: PageArgs,
  context: GraphqlContext,
  { query, list, placeOf, placeSchema, count }: StoredList<Node, Place>,
): Promise<CountedConnection<Node>> {
  const limit = parsePageSize(args.first);
  const { cursors } = context.services;
  const workspaceId = workspaceOf(context);
  const cursorQuery = [workspaceId, ...query];
  const after = args.after ? cursors.read(args.after, cursorQuery, placeSchema) : null;
  const page = await list(workspaceId, { after, limit });
  const connection = toConnection(
    page.items.map((node) => ({ node })),
    {
      limit,
      hasMore: page.hasMore,
      after,
      cursorOf: ({ node }) => cursors.issue(cursorQuery, placeOf(node)),
    },
  );
  return { ...connection, countAll: () => count(workspaceId) };
}

interface Created {
  id: string;
  createdAt: string;
}

const createdSchema: z.ZodType<Created> = z.object({ id: z.string(), createdAt: z.string() });

/**
 * Reads a page of a list that the store only reads as a whole, the oldest first.
 * @throws AppError `bad_request` for a bad page size or cursor
 */
export function listWhole<Node extends Created>(
  args: PageArgs,
  context: GraphqlContext,
  { query, load }: { query: readonly unknown[]; load: (workspaceId: WorkspaceId) => Promise<Node[]> },
): Promise<CountedConnection<Node>> {
  let total = 0;
  return listStored(args, context, {
    query,
    count: () => total,
    placeSchema: createdSchema,
    placeOf: ({ id, createdAt }) => ({ id, createdAt }),
    async list(workspaceId, { after, limit }) {
      const all = await load(workspaceId);
      total = all.length;
      const rest = after === null ? all : all.filter((node) => isBehind(node, after));
      return { items: rest.slice(0, limit), hasMore: rest.length > limit };
    },
  });
}

function isBehind(node: Created, place: Created): boolean {
  return node.createdAt > place.createdAt || (node.createdAt === place.createdAt && node.id > place.id);
}
