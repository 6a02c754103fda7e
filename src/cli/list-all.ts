/** Reads whole lists page by page. */
import { z } from "zod";

import type { Client } from "./client.ts";

/** The largest page. */
export const PAGE_SIZE = 200;

interface ListOptions {
  variables?: Readonly<Record<string, unknown>>;
  /** The limit for the number of items. Default: all. */
  limit?: number;
}

/**
 * @param operation an operation of `schema/commands` with a list named `list` and the variable `after`
 * @param node the shape of an item
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
