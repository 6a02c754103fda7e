/** Writes a filter as conditions on `:Asset` a. Types are not among them, because each type is a range of its own. */
import { int } from "neo4j-driver";

import { countParts } from "../../catalog/identity.ts";
import { fold } from "../../catalog/text.ts";
import type { NodeFilter } from "../catalog-graph.ts";
import type { Parameters } from "./bolt.ts";

const CONDITIONS = {
  tag: "any(tag IN a.tags WHERE tag = $tag)",
  certification: "a.certification = $certification",
  owner: "(a.ownerFolded = $owner AND ($owner <> '' OR a.ownerName = ''))",
  connector: "any(connector IN a.connectors WHERE connector = $connector)",
  responsible: `(a.ownerFolded = $responsible OR toLower(a.ownerName) = $responsible
    OR toLower(coalesce(a.certifiedBy, '')) = $responsible)`,
  described: "(a.description <> '') = $described",
  platform: "a.platform = $platform",
  // A column has the name of its table in its fqn, after the schema.
  depth: "size(split(a.key, '.')) = $depth + CASE a.type WHEN 'column' THEN 2 ELSE 1 END",
} as const;

export interface FilterCypher {
  /** Each begins with ` AND `; "" for none. */
  conditions: string;
  parameters: Parameters;
}

/** `failing` is not among the conditions: see `failing.ts`. */
export function filterCypher(filter: NodeFilter): FilterCypher {
  const { tag, certification, connector, described, platform, schema = "" } = filter;
  const [owner, responsible] = [filter.owner, filter.responsible].map((name) => name && fold(name));
  const depth = filter.directly ? int(countParts(schema)) : undefined;
  const asked = { tag, certification, owner, connector, responsible, described, platform, depth };
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  const conditions = given.map(([key]) => ` AND ${CONDITIONS[key as keyof typeof CONDITIONS]}`);
  return { conditions: conditions.join(""), parameters: Object.fromEntries(given) };
}
