/** Writes a filter as conditions on `nodes AS n`. */
import { ASSET_TYPES, type NodeType } from "../../catalog/asset.ts";
import { keysWithin } from "../../catalog/identity.ts";
import { fold } from "../../catalog/text.ts";
import type { Facet, NodeFilter } from "../catalog-graph.ts";
import type { StoredNode } from "./node-row.ts";
import type { Parameters } from "./statements.ts";

export const FACET_KINDS = ["tag", "certification", "owner", "connector"] as const satisfies Facet[];

/** The values of a node for each kind of facet. */
export function facetsOf(node: StoredNode): Record<Facet, readonly string[]> {
  return {
    tag: node.tags,
    certification: [node.certification],
    owner: [fold(node.owner)],
    connector: node.connectors,
  };
}

/** The value that a filter asks for. Returns undefined if it does not name this kind of facet. */
function facetValue(filter: NodeFilter, kind: Facet): string | undefined {
  return kind === "owner" && filter.owner !== undefined ? fold(filter.owner) : filter[kind];
}

/** Whether the filter names a facet. A read may then pass over any number of rows before a page is full. */
export function asksForFacet(filter: NodeFilter): boolean {
  return FACET_KINDS.some((kind) => filter[kind] !== undefined);
}

/** The row of `facets` that a filter asks for, as an SQL expression. */
export function facetSeq(kind: Facet): string {
  return `(SELECT seq FROM facets WHERE workspace = $workspace AND kind = '${kind}' AND value = $${kind})`;
}

function withinParameters({ schema }: NodeFilter): Parameters {
  if (schema === undefined) return {};
  const { after, before } = keysWithin(schema);
  return { within: after, withinEnd: before };
}

/** The types of a filter, each once. */
export function namedTypes({ types }: NodeFilter): readonly NodeType[] {
  return types === "asset" ? ASSET_TYPES : [...new Set(types)];
}

export interface FilterSql {
  /** Conditions, each with ` AND ` before it. */
  facets: string;
  types: string;
  /** The kinds of facet that the filter asks for. */
  kinds: Facet[];
  /** Named as in the filter. `$types` is a JSON list without repeats. */
  parameters: Parameters;
}

/** Writes a filter as SQL. The SQL also needs `$workspace`. */
export function filterSql(filter: NodeFilter): FilterSql {
  const kinds = FACET_KINDS.filter((kind) => filter[kind] !== undefined);
  const facets = kinds.map(
    (kind) =>
      ` AND EXISTS (SELECT 1 FROM node_facets WHERE facet = ${facetSeq(kind)} AND type = n.type AND key = n.key AND node = n.seq)`,
  );
  if (filter.schema !== undefined) facets.push(" AND n.key > $within AND n.key < $withinEnd");
  const parameters: Parameters = Object.fromEntries(kinds.map((kind) => [kind, facetValue(filter, kind) ?? ""]));
  const named = filter.types === "asset" ? "n.type <> 'metric'" : "n.type IN (SELECT value FROM json_each($types))";
  return {
    facets: facets.join(""),
    types: ` AND n.held AND ${named}`,
    kinds,
    parameters: { ...parameters, ...withinParameters(filter), types: JSON.stringify(namedTypes(filter)) },
  };
}
