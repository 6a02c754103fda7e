/** The filters of the catalog. They are in the URL, so that a link shows the same list. */
import { useSearchParams } from "wouter";

import type { VariablesOf } from "../../graphql/graphql.ts";
import { ASSET_TYPES, NODE_TYPE_TABLE } from "../../parts/node-types.ts";
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
    owner: chosen.owner ?? null,
    certification: CERTIFICATIONS.find((it): it is Certification => it === chosen.certification) ?? null,
  };
}

/** The filters without one facet: they count what that facet could be changed to. */
export function without(filters: Filters, facet: Facet): Filters {
  return { ...filters, chosen: { ...filters.chosen, [facet]: undefined } };
}

interface FiltersInUrl {
  filters: Filters;
  setSearch: (search: string) => void;
  /** @param value undefined to choose nothing */
  choose: (facet: Facet, value: string | undefined) => void;
  clear: () => void;
}

export function useFilters(): FiltersInUrl {
  const [parameters, setParameters] = useSearchParams();
  const change = (name: string, value: string, replace: boolean): void => {
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === "") after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace },
    );
  };
  const chosen = Object.fromEntries(
    FACETS.flatMap((facet) => (parameters.get(facet) ? [[facet, parameters.get(facet) ?? ""]] : [])),
  );
  return {
    filters: { search: parameters.get("q") ?? "", chosen },
    // Every letter would be a step back otherwise.
    setSearch: (search) => change("q", search, true),
    choose: (facet, value) => change(facet, value ?? "", false),
    clear: () => setParameters({}),
  };
}
