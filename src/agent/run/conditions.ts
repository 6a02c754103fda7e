/** What the conditions of a set let the finder begin with. */
import type { NodeType } from "../../catalog/node-types.ts";
import { NAMED_TYPES, type Thing } from "../catalog.ts";
import { type Filter, FILTERS } from "../lookup.ts";
import type { Condition, Things } from "../plan.ts";

/** A condition that leads to its members by itself, without a list of all there is. */
export type Narrow = Condition & { is: "along" | "affected" | "name" | "text" };

export function isNarrow(condition: Condition): condition is Narrow {
  return ["along", "affected", "name", "text"].includes(condition.is);
}

/** What the store can filter by, and what is left to look at. */
export function toFilter({ types }: Things, conditions: readonly Condition[]): { filter: Filter; rest: Condition[] } {
  const filter: Filter = { types: types ?? NAMED_TYPES };
  const rest = conditions.filter((condition) => {
    const [first, ...others] = "any" in condition ? condition.any : [];
    const field = FILTERS.find((each) => each === condition.is);
    if (field === undefined || field in filter || first === undefined || others.length > 0) return true;
    if (field === "owner" && !first.includes("@")) return true;
    filter[field] = first;
    return false;
  });
  return { filter, rest };
}

export function idsOf(things: readonly Thing[]): Set<string> {
  return new Set(things.map(({ id }) => id));
}

/** What reads tables and has no columns. */
export function isReport(type: NodeType): boolean {
  return type === "metric" || type === "dashboard" || type === "pipeline";
}
