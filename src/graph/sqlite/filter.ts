/** Writes a filter as conditions on `nodes AS n`. */
import { ownerValues } from "../../catalog/asset.ts";
import { namedTypes } from "../../catalog/node-types.ts";
import { countParts, KEY_END, keysWithin } from "../../catalog/identity.ts";
import { fold } from "../../catalog/text.ts";
import type { Facet, NeighbourFilter, NodeFilter } from "../catalog-graph.ts";
import { fromKind } from "./edge-row.ts";
import type { StoredNode } from "./node-row.ts";
import type { Parameters } from "./statements.ts";

export const FACET_KINDS = ["tag", "certification", "owner", "connector", "responsible"] as const satisfies Facet[];

/** What a node is found by. `person` joins an owner's address with the name that is stated with it. */
export function facetsOf(node: StoredNode): Record<Facet | "person", readonly string[]> {
  const { owner, ownerName } = node;
  return {
    person: owner === "" || ownerName === "" ? [] : [`${beginPerson(owner)}${ownerName}`],
    tag: node.tags,
    certification: [node.certification],
    owner: ownerValues(node),
    connector: node.connectors,
    responsible: [owner, ownerName, node.certifiedBy ?? ""].filter((name) => name !== "").map(fold),
  };
}

/** How a `person` with this address begins. */
export function beginPerson(address: string): string {
  return `${fold(address)}\u0001`;
}

/** The value that a filter asks for. Returns undefined if it does not name this kind of facet. */
function facetValue(filter: Partial<Record<Facet, string | undefined>>, kind: Facet): string | undefined {
  const value = filter[kind];
  return (kind === "owner" || kind === "responsible") && value !== undefined ? fold(value) : value;
}

/** Whether the filter names a facet. A read may then pass over any number of rows before a page is full. */
export function asksForFacet(filter: NodeFilter): boolean {
  return filter.platform !== undefined || FACET_KINDS.some((kind) => filter[kind] !== undefined);
}

/** The row of `facets` that a filter asks for, as an SQL expression. */
export function facetSeq(kind: Facet): string {
  return `(SELECT seq FROM facets WHERE workspace = $workspace AND kind = '${kind}' AND value = $${kind})`;
}

export function withinParameters({ schema }: Pick<NodeFilter, "schema">): Parameters {
  if (schema === undefined) return {};
  const { after, before } = keysWithin(schema);
  return { within: after, withinEnd: before };
}

function placeParameters({ schema = "", platform }: NodeFilter): Parameters {
  return { ...withinParameters({ schema }), depth: countParts(schema), platform: platform ?? null };
}

/** Whether n has the value of a kind of facet that the filter asks for; begins with ` AND `. */
function facetCondition(kind: Facet): string {
  return ` AND EXISTS (SELECT 1 FROM node_facets WHERE facet = ${facetSeq(kind)} AND type = n.type AND key = n.key AND node = n.seq)`;
}

/** What a filter asks for by its facets: the conditions, and the values by their kinds. */
function facetsSql(filter: Partial<Record<Facet, string | undefined>>): {
  kinds: Facet[];
  conditions: string;
  parameters: Parameters;
} {
  const kinds = FACET_KINDS.filter((kind) => filter[kind] !== undefined);
  return {
    kinds,
    conditions: kinds.map(facetCondition).join(""),
    parameters: Object.fromEntries(kinds.map((kind) => [kind, facetValue(filter, kind) ?? ""])),
  };
}

/**
 * Writes a filter of neighbours as conditions on `nodes AS n` and `edges AS e`, each with ` AND ` before it. What is left
 * open is a parameter of null, so that there are few texts. It also needs `$workspace`.
 */
export function neighbourFilterSql(filter: NeighbourFilter): { conditions: string; parameters: Parameters } {
  const { types, kinds, nameParts = [] } = filter;
  const facets = facetsSql(filter);
  return {
    conditions: ` AND ($types IS NULL OR n.type IN (SELECT value FROM json_each($types)))
      AND ($kinds IS NULL OR e.kind IN (SELECT value FROM json_each($kinds)))
      AND ($within IS NULL OR (n.key > $within AND n.key < $withinEnd))
      AND NOT EXISTS (SELECT 1 FROM json_each($nameParts) WHERE instr(n.name_prefix, value) = 0)${facets.conditions}`,
    parameters: {
      types: types === undefined ? null : JSON.stringify(types),
      kinds: kinds === undefined ? null : JSON.stringify(kinds.map(fromKind)),
      within: null,
      withinEnd: null,
      nameParts: JSON.stringify(nameParts),
      ...withinParameters(filter),
      ...facets.parameters,
    },
  };
}

/** The nodes with a check that failed. If several connectors state a check, only the one that is shown counts. */
const FAILING = `(
  SELECT k.node FROM checks AS c INDEXED BY failed_checks CROSS JOIN checked_nodes AS k ON k.checked_by = c.seq
  WHERE c.result ->> '$.status' IN ('fail', 'error') AND k.workspace = $workspace AND c.seq = (
    SELECT one.seq FROM checks AS one INDEXED BY checks_by_id CROSS JOIN sources AS s ON s.seq = one.source
    WHERE one.id = c.id AND s.workspace = $workspace ORDER BY one.precedence DESC, s.connector, s.scope LIMIT 1
  )
)`;

/** The fqn of a node n, folded. */
export const FQN = `substr(n.key, 1, instr(n.key, char(${KEY_END.charCodeAt(0)})) - 1)`;

/** A column has the name of its table in its fqn, after the schema. */
const DIRECTLY = ` AND length(${FQN}) - length(replace(${FQN}, '.', '')) = $depth + (n.type = 'column')`;

function placeConditions({ schema, directly, platform }: NodeFilter): string {
  const within = schema === undefined ? "" : " AND n.key > $within AND n.key < $withinEnd";
  return `${within}${directly ? DIRECTLY : ""}${platform === undefined ? "" : " AND n.platform = $platform"}`;
}

function qualityConditions({ described, failing }: NodeFilter): string {
  const ofText = described === undefined ? "" : ` AND n.shown ->> '$.description' ${described ? "<>" : "="} ''`;
  return failing ? `${ofText} AND n.id IN ${FAILING}` : ofText;
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
  const { kinds, conditions, parameters } = facetsSql(filter);
  const named = filter.types === "asset" ? "n.type <> 'metric'" : "n.type IN (SELECT value FROM json_each($types))";
  return {
    facets: `${conditions}${placeConditions(filter)}${qualityConditions(filter)}`,
    types: ` AND n.held AND ${named}`,
    kinds,
    parameters: { ...parameters, ...placeParameters(filter), types: JSON.stringify(namedTypes(filter)) },
  };
}
