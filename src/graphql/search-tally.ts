/** Counts the first hits of a search by their values. So a search has facets and a count, like a list. */
import { type CatalogNode, ownerValues } from "../catalog/asset.ts";
import type { NodeType } from "../catalog/node-types.ts";
import { schemaOf } from "../catalog/identity.ts";
import type { SearchPosition, SearchQuery } from "../catalog/search.ts";
import { compareCodePoints } from "../catalog/text.ts";
import type { CountedBy, NodeFilter } from "../graph/catalog-graph.ts";
import type { NodeId } from "../ids.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";

/** How many hits of a search are counted. */
export const MAX_COUNTED_HITS = 1_000;
/** How many hits are read at once. They are released before the next are read. */
const HITS_AT_ONCE = 200;

export type SearchTally = Awaited<ReturnType<typeof tallySearch>>;

/** Counts from the first hit, whichever page is asked for. The request is charged for each hit. */
export async function tallySearch(filter: NodeFilter, search: SearchQuery, context: GraphqlContext) {
  const { budget, graph } = context;
  const types = new Map<NodeType, number>();
  /** The place of each counted hit in the order of relevance. */
  const positions = new Map<NodeId, SearchPosition>();
  const values: Record<CountedBy, Map<string, number>> = {
    tag: new Map(),
    owner: new Map(),
    certification: new Map(),
    connector: new Map(),
    schema: new Map(),
  };
  /** How many hits were counted. */
  let amount = 0;
  let after: SearchPosition | null = null;
  let hasMore = true;
  while (hasMore && amount < MAX_COUNTED_HITS) {
    budget.draw("rows", HITS_AT_ONCE);
    const page: Awaited<ReturnType<typeof graph.searchNodes>> = await graph.searchNodes(
      workspaceOf(context),
      filter,
      search,
      { after, limit: HITS_AT_ONCE },
    );
    for (const { node, position } of page.items) {
      positions.set(node.id, position);
      add(types, node.type);
      for (const [facet, found] of Object.entries(valuesOf(node))) {
        for (const value of found) add(values[facet as CountedBy], value);
      }
    }
    amount += page.items.length;
    after = page.items.at(-1)?.position ?? null;
    hasMore = page.hasMore && after !== null;
  }
  return {
    amount,
    /** Whether there are more hits. */
    isPartial: hasMore,
    positions,
    types,
    /** The most frequent first, then in the order of code points. "" stands for no value. */
    valuesOf: (facet: CountedBy) =>
      [...values[facet]]
        .map(([value, count]) => ({ value, amount: count }))
        .toSorted((a, b) => b.amount - a.amount || compareCodePoints(a.value, b.value)),
  };
}

/** Each value once, as a filter takes it. */
function valuesOf(node: CatalogNode): Record<CountedBy, ReadonlySet<string>> {
  const { tags, certification, connectors } = node;
  return {
    schema: new Set([schemaOf(node)]),
    tag: new Set(tags),
    owner: new Set(ownerValues(node)),
    certification: new Set([certification]),
    connector: new Set(connectors),
  };
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
