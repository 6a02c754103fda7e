/** Writes a filter as conditions on `:Asset` a. Types are not among them, because each type is a range of its own. */
import { fold } from "../../catalog/text.ts";
import type { NodeFilter } from "../catalog-graph.ts";
import type { Parameters } from "./bolt.ts";

const CONDITIONS = {
  tag: "any(tag IN a.tags WHERE tag = $tag)",
  certification: "a.certification = $certification",
  owner: "a.ownerFolded = $owner",
  connector: "any(connector IN a.connectors WHERE connector = $connector)",
} as const;

export interface FilterCypher {
  /** Each begins with ` AND `; "" for none. */
  conditions: string;
  parameters: Parameters;
}

export function filterCypher(filter: NodeFilter): FilterCypher {
  const { tag, certification, connector } = filter;
  const owner = filter.owner === undefined ? undefined : fold(filter.owner);
  const given = Object.entries({ tag, certification, owner, connector }).filter(([, value]) => value !== undefined);
  const conditions = given.map(([key]) => ` AND ${CONDITIONS[key as keyof typeof CONDITIONS]}`);
  return { conditions: conditions.join(""), parameters: Object.fromEntries(given) };
}
