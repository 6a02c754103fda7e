/** Lists and searches of nodes, in pages with signed cursors. */
import { z } from "zod";

import { hasMoreCharacters } from "../characters.ts";
import type { CatalogNode } from "../catalog/asset.ts";
import { namedTypes, type NodeType } from "../catalog/node-types.ts";
import { readSearchFilters, type SearchFilters } from "../catalog/search-filters.ts";
import {
  MAX_SEARCH_CHARACTERS,
  parseSearch,
  type SearchPosition,
  splitIdentifier,
  STANDINGS,
  TIER,
} from "../catalog/search.ts";
import { fold } from "../catalog/text.ts";
import { type NodeOrder, type NodePlace, sortedTypes } from "../catalog/node-order.ts";
import { badField } from "../errors.ts";
import type { NodeFilter } from "../graph/catalog-graph.ts";
import { type CountedConnection, type PageArgs, parsePageSize, toConnection } from "./connection.ts";
import { cursorQuery, type GraphqlContext, workspaceOf } from "./context.ts";
import { given } from "./given.ts";
import { sum } from "./loaders.ts";
import type { Hit } from "./search-match.ts";
import { MAX_COUNTED_HITS, type SearchTally, tallySearch } from "./search-tally.ts";

/** The filters of a list: a null for the owner asks for what has none, and for every other filter the same as nothing. */
type FilterArgs = { [Name in keyof Omit<NodeFilter, "types" | "directly" | "failing">]?: NodeFilter[Name] | null };

export interface NodeListArgs extends FilterArgs, PageArgs {
  search?: string | null | undefined;
  directly?: boolean | null | undefined;
  failing?: boolean | null | undefined;
  orderBy?: NodeOrder | null | undefined;
}

/** The description of `totalCount` for lists of nodes. */
export const COUNT_OF_NODES = `How many pass the filters, on all pages. With \`search\`: the number of hits, or null if there are more than ${MAX_COUNTED_HITS.toLocaleString("en-US")}.`;

export const ORDER_DESCRIPTION = `The order; if left out, by fully qualified name, or by relevance with \`search\`. With \`search\`, the ${MAX_COUNTED_HITS.toLocaleString("en-US")} most relevant hits are put in order, and no others are listed. Columns have no other order, and are left out of such lists.`;

/** What a search text may have besides words. */
export const SEARCH_FILTERS =
  "It may have filters, such as `tag:pii`, `owner:ada@example.com`, `type:model` and `schema:shop.marts`. An owner's name is enough if only one owner's address has it.";

/** The description of a filter by owner. */
export const OWNER_DESCRIPTION =
  "Only those of this owner, in any case. Null: only those without an owner. All if left out.";

export const RESPONSIBLE_DESCRIPTION =
  "Only those of this person or team, in any case: the owner's address, the owner's name, or the certifier's address.";

const positionSchema: z.ZodType<SearchPosition> = z.object({
  mode: z.enum(["all", "any"]),
  tier: z.literal(Object.values(TIER)),
  standing: z.literal(STANDINGS),
  matched: z.number(),
  key: z.string(),
  corrections: z.array(z.tuple([z.string(), z.string()])).optional(),
});

const placeSchema: z.ZodType<NodePlace> = z.object({ value: z.union([z.string(), z.number()]), key: z.string() });

function toFilter(types: NodeFilter["types"], args: NodeListArgs): NodeFilter {
  const { tag, certification, owner, connector, schema, platform, responsible, described } = args;
  const whose = owner === null ? "" : owner;
  const directly = args.directly === true || null;
  const failing = args.failing === true || null;
  const others = { connector, schema, directly, platform, responsible, described, failing };
  return { types, ...given({ tag, certification, owner: whose, ...others }) };
}

/**
 * Adds the filters that are written in the text of a search.
 * @throws AppError `bad_request` if an argument already filters by another value
 */
function join(filter: NodeFilter, { types, ...others }: Omit<SearchFilters, "words">): NodeFilter {
  for (const [name, value] of Object.entries(others)) {
    const other = filter[name as keyof typeof others];
    if (other !== undefined && other !== value) throw badField("search", `has another ${name} than the filter ${name}`);
  }
  const asked = types && namedTypes(filter).filter((type) => types.includes(type));
  return { ...filter, ...others, ...(asked && { types: asked }) };
}

/** Owners that are looked through for the one who is meant. */
const MAX_OWNERS = 1_000;

/** The address of the only owner in whose address all written words are, such as `ada` in `ada.byron@example.com`. */
async function completeOwner(filters: SearchFilters, context: GraphqlContext): Promise<SearchFilters> {
  const { responsible, ...others } = filters;
  // Which owners there were at an earlier time is not known.
  if (responsible === undefined || context.asOf !== undefined) return filters;
  const words = splitIdentifier(fold(responsible));
  const owners = await context.graph.listValues(workspaceOf(context), "owner", MAX_OWNERS);
  const meant = owners.filter((owner) => {
    const known = new Set(splitIdentifier(owner.slice(0, Math.max(0, owner.indexOf("@")))));
    return words.length > 0 && words.every((word) => known.has(word));
  });
  const [only] = owners.includes(fold(responsible)) ? [] : meant;
  return only === undefined || meant.length > 1 ? filters : { ...others, responsible: only };
}

/** @throws AppError `bad_request` if the text is too long; a blank text means no search */
export function parseSearchText(search: string | null | undefined): string {
  const text = search ?? "";
  if (!hasMoreCharacters(text, MAX_SEARCH_CHARACTERS)) return text;
  throw badField("search", `must have at most ${MAX_SEARCH_CHARACTERS} characters`);
}

/** @throws AppError `bad_request` if columns are asked for in an order that they do not have */
function inSomeOrder(filter: NodeFilter, orderBy: NodeOrder | null | undefined): NodeFilter {
  if (orderBy == null) return filter;
  if (filter.types !== "asset" && filter.types.includes("column")) {
    throw badField("orderBy", "cannot be given with columns, which are in the order of their fully qualified names");
  }
  return { ...filter, types: sortedTypes(filter.types) };
}

/**
 * Reads one page of nodes in the order of their keys, in the order that is asked for, or by relevance if there is a
 * search.
 * @throws AppError `bad_request` for a bad page size, search text or cursor
 */
export async function listNodes(
  types: readonly NodeType[] | "asset",
  args: NodeListArgs,
  context: GraphqlContext,
): Promise<CountedConnection<CatalogNode>> {
  const limit = parsePageSize(args.first);
  const { budget, graph } = context;
  const { cursors } = context.services;
  const workspace = workspaceOf(context);
  const { words, ...written } = await completeOwner(readSearchFilters(parseSearchText(args.search)), context);
  const { orderBy } = args;
  const filter = inSomeOrder(join(toFilter(types, args), written), orderBy);
  const search = parseSearch(words);
  budget.draw("rows", limit);
  const query = cursorQuery(context, "nodes", filter, search, ...(orderBy == null ? [] : [orderBy]));
  // One tally serves the count, all facets and another order. It is made only if one of them is asked for.
  let tallied: Promise<SearchTally> | undefined;
  const tally = search && (() => (tallied ??= tallySearch(filter, search, context)));
  const countAll = async (): Promise<number | null> => {
    if (tally === null) return sum(Object.values(await graph.countNodes(workspace, filter)));
    const { amount, isPartial } = await tally();
    return isPartial ? null : amount;
  };
  const counts = { countAll, counted: tally === null ? { filter } : { tally } };

  if (orderBy != null) {
    const after = args.after ? cursors.read(args.after, query, placeSchema) : null;
    const positions = tally ? (await tally()).positions : undefined;
    const among = positions && [...positions.keys()];
    const { items, hasMore } = await graph.sortNodes(workspace, filter, orderBy, { after, limit, among });
    const found = items.map((item) => Object.assign(item, { search, position: positions?.get(item.node.id) }));
    const cursorOf = ({ place }: { place: NodePlace }): string => cursors.issue(query, place);
    return { ...toConnection(found, { limit, hasMore, after, cursorOf }), ...counts };
  }
  if (search === null) {
    const after = args.after ? cursors.read(args.after, query, z.string()) : null;
    const page = await graph.listNodes(workspace, filter, { after, limit });
    const connection = toConnection(
      page.items.map((node) => ({ node })),
      { limit, hasMore: page.hasMore, after, cursorOf: ({ node }) => cursors.issue(query, node.key) },
    );
    return { ...connection, ...counts };
  }
  const after = args.after ? cursors.read(args.after, query, positionSchema) : null;
  const page = await graph.searchNodes(workspace, filter, search, { after, limit });
  const hits = page.items.map(({ node, position }): Hit => ({ node, position, search }));
  const connection = toConnection<CatalogNode, Hit>(hits, {
    limit,
    hasMore: page.hasMore,
    after,
    cursorOf: ({ position }) => cursors.issue(query, position),
  });
  return { ...connection, ...counts };
}
