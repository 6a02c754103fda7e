/** The filters of the catalog. They are in the URL, so that a link shows the same list. */
import { type Order, readOrder } from "../../assets/order.tsx";
import type { VariablesOf } from "../../graphql/graphql.ts";
import { ASSET_TYPES } from "../../parts/node-types.ts";
import { ownedBy } from "../../assets/asset-row.ts";
import type { ASSETS } from "./documents.ts";
import { useParameters } from "../../parts/use-parameters.ts";

const CERTIFICATIONS = ["certified", "pending", "deprecated", "none"] as const;

type Certification = (typeof CERTIFICATIONS)[number];

/** What a facet filters by. The order is that of the page. */
export const FACETS = ["type", "connector", "schema", "certification", "owner", "tag"] as const;
export type Facet = (typeof FACETS)[number];

/** What the list can be filtered by besides: a link sets these filters, and the list shows how to remove them. */
const OTHER_FILTERS = ["platform", "directly", "responsible", "described", "failing"] as const;
export const FILTERS = [...FACETS, ...OTHER_FILTERS] as const;
export type Filter = (typeof FILTERS)[number];

export interface Filters {
  search: string;
  /** Chosen values; absent if nothing is chosen. */
  chosen: Partial<Record<Filter, string>>;
  /** Null for the usual order: by relevance for a search, else by fully qualified name. */
  sort?: Order | null;
}

/** What is also listed without a search. There are too many columns for that to be of use. */
export const BROWSED = ASSET_TYPES.filter((type) => type !== "column");

/** The filters that the service reads in the text of a search. */
export const WRITTEN_FILTERS = ["tag:", "owner:", "type:", "schema:"] as const;
const WRITTEN_FILTER = /(?<=^|\s)(tag|owner|type|schema):(?:"[^"]+"|[^\s"]\S*)/gi;

/** What a search text has besides filters. */
export function wordsOf(search: string): string {
  return search.replaceAll(WRITTEN_FILTER, "").trim();
}

export function toVariables({ search, chosen }: Filters) {
  const type = ASSET_TYPES.find((it) => it === chosen.type);
  const isBrowsing = wordsOf(search) === "" && !/\btype:/i.test(search);
  const types = type === undefined ? (isBrowsing ? [...BROWSED] : null) : [type];
  return {
    search: search === "" ? null : search,
    types,
    connector: chosen.connector ?? null,
    schema: chosen.schema ?? (chosen.directly === undefined ? null : ""),
    directly: chosen.directly === undefined ? null : true,
    platform: chosen.platform ?? null,
    tag: chosen.tag ?? null,
    ...ownedBy(chosen.owner),
    responsible: chosen.responsible ?? null,
    described: chosen.described === undefined ? null : chosen.described === "yes",
    failing: chosen.failing === undefined ? null : true,
    certification: CERTIFICATIONS.find((it): it is Certification => it === chosen.certification) ?? null,
  } satisfies VariablesOf<typeof ASSETS>;
}

/** Whether the list can be sorted. Columns are in the order of their names. */
export function isSortable({ search, chosen }: Filters): boolean {
  return chosen["type"] !== "column" && !/\btype:"?column\b/i.test(search);
}

/** The same with the order. */
export function toListVariables(filters: Filters): VariablesOf<typeof ASSETS> {
  return { ...toVariables(filters), orderBy: isSortable(filters) ? (filters.sort ?? null) : null };
}

/** The filters without one facet, to count what choosing another of its values would find. */
export function without(filters: Filters, facet: Facet): Filters {
  return { ...filters, chosen: { ...filters.chosen, [facet]: undefined } };
}

export function useFilters() {
  const { parameters, setParameter, clear } = useParameters();
  const chosen = Object.fromEntries(
    FILTERS.flatMap((name) => (parameters.get(name) ? [[name, parameters.get(name) ?? ""]] : [])),
  );
  const filters: Filters = { search: parameters.get("q") ?? "", chosen, sort: readOrder(parameters) };
  /** @param value undefined to choose nothing */
  const choose = (name: Filter, value: string | undefined): void => setParameter(name, value ?? null);
  return { filters, choose, clear };
}
