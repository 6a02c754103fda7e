/** Lists that the metadata store pages, behind signed cursors that hold a place as text. */
import { z } from "zod";

import { type Connection, type PageArgs, parsePageSize, toConnection } from "./connection.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";

interface StoredPage<Node> {
  /** What chooses and orders the rows within the workspace: a cursor of another list is refused. */
  query: readonly unknown[];
  list(
    workspaceId: string,
    page: { after: string | null; limit: number },
  ): Promise<{ items: Node[]; hasMore: boolean }>;
  /** What the store takes as `after`, to go on behind it. */
  placeOf(node: Node): string;
}

/** @throws AppError `bad_request` for a bad page size or cursor */
export async function listStored<Node>(
  args: PageArgs,
  context: GraphqlContext,
  { query, list, placeOf }: StoredPage<Node>,
): Promise<Connection<Node>> {
  const limit = parsePageSize(args.first);
  const { cursors } = context.services;
  const workspaceId = workspaceOf(context);
  const cursorQuery = [workspaceId, ...query];
  const after = args.after ? cursors.read(args.after, cursorQuery, z.string()) : null;
  const page = await list(workspaceId, { after, limit });
  return toConnection(
    page.items.map((node) => ({ node })),
    { limit, hasMore: page.hasMore, cursorOf: ({ node }) => cursors.issue(cursorQuery, placeOf(node)) },
  );
}
