/** The filters of the catalog. They are in the URL, so that a link shows the same list. */
import type { VariablesOf } from "../../graphql/graphql.ts";
import { ASSET_TYPES, NODE_TYPE_TABLE } from "../../parts/node-types.ts";
import { useParameters } from "../../parts/use-parameters.ts";
import type { ASSETS } from "./documents.ts";

const CERTIFICATIONS = ["certified", "pending", "deprecated", "none"] as const;

type Certification = (typeof CERTIFICATIONS)[number];

/** What a facet filters by. The order is that of the page. */
export const FACETS = ["type", "connector", "schema", "certification", "owner", "tag"] as const;
export type Facet = (typeof FACETS)[number];

export interface Filters {
  search: string;
  /** Chosen values; absent if nothing is chosen. */
  chosen: Partial<Record<Facet, string>>;
}

const BROWSED = ASSET_TYPES.filter((type) => NODE_TYPE_TABLE[type].isBrowsed);

export function toVariables({ search, chosen }: Filters): VariablesOf<typeof ASSETS> {
  const type = ASSET_TYPES.find((it) => it === chosen.type);
  const types = type === undefined ? (search === "" ? [...BROWSED] : null) : [type];
  return {
    search: search === "" ? null : search,
    types,
    connector: chosen.connector ?? null,
    schema: chosen.schema ?? null,
    tag: chosen.tag ?? null,
    // An owner of null would ask for assets without one.
    ...(chosen.owner !== undefined && { owner: chosen.owner }),
    certification: CERTIFICATIONS.find((it): it is Certification => it === chosen.certification) ?? null,
  };
}

/** The filters without one facet, to count what choosing another of its values would find. */
export function without(filters: Filters, facet: Facet): Filters {
  return { ...filters, chosen: { ...filters.chosen, [facet]: undefined } };
}

export function useFilters() {
  const { parameters, setParameter, clear } = useParameters();
  const chosen = Object.fromEntries(
    FACETS.flatMap((facet) => (parameters.get(facet) ? [[facet, parameters.get(facet) ?? ""]] : [])),
  );
  const filters: Filters = { search: parameters.get("q") ?? "", chosen };
  /** @param value undefined to choose nothing */
  const choose = (facet: Facet, value: string | undefined): void => setParameter(facet, value ?? null);
  return { filters, choose, clear };
}
