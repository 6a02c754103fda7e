/** Reads whole lists page by page. */
import type { Client } from "./client.ts";
import type { Item, ListOperation } from "./operations.ts";

/** The largest page. */
export const PAGE_SIZE = 200;

interface Page<Each> {
  list: { nodes: Each[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

interface ListOptions {
  variables?: Readonly<Record<string, unknown>>;
  /** The limit for the number of items. Default: all. */
  limit?: number;
}

/**
 * @param operation an operation of `schema/commands` with a list named `list` and the variable `after`
 */
export async function listAll<Name extends ListOperation>(
  client: Client,
  operation: Name,
  { variables = {}, limit = Infinity }: ListOptions = {},
): Promise<Item<Name>[]> {
  const all: Item<Name>[] = [];
  for (let after: string | null = null; ;) {
    // The compiler does not see that every answer of a `ListOperation` has this form.
    const { list } = (await client.ask(operation, { ...variables, after })) as unknown as Page<Item<Name>>;
    all.push(...list.nodes);
    if (!list.pageInfo.hasNextPage || all.length >= limit) return all.slice(0, limit);
    after = list.pageInfo.endCursor;
  }
}
