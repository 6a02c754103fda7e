/** Reads lists to their end, page by page. */
import { z } from "zod";

import type { Client } from "./client.ts";

/** The most that a page holds. */
export const PAGE_SIZE = 200;

interface ListOptions {
  variables?: Readonly<Record<string, unknown>>;
  /** Reads no further than this many; all, if left out. */
  limit?: number;
}

/**
 * @param operation one of `schema/commands` that calls its list `list` and takes the cursor `after`
 * @param node what the list holds
 */
export async function listAll<T>(
  client: Client,
  operation: string,
  node: z.ZodType<T>,
  { variables = {}, limit = Infinity }: ListOptions = {},
): Promise<T[]> {
  const page = z.object({
    list: z.object({
      nodes: z.array(node),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
    }),
  });
  const all: T[] = [];
  for (let after: string | null = null; ;) {
    const { list }: z.output<typeof page> = await client.ask(operation, { ...variables, after }, page);
    all.push(...list.nodes);
    if (!list.pageInfo.hasNextPage || all.length >= limit) return all.slice(0, limit);
    after = list.pageInfo.endCursor;
  }
}
