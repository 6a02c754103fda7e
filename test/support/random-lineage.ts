/** Random lineages with the parts that an impact uses: columns, how they are used, and how much of that is known. */
import fc from "fast-check";

import { CERTIFICATIONS, COLUMN_LINEAGE_STATUSES } from "../../src/catalog/asset.ts";
import type { NodeType } from "../../src/catalog/node-types.ts";
import { edgeLevels } from "../../src/catalog/edge.ts";
import type { Reference } from "../../src/catalog/reference.ts";
import { type NodeFacts, toFacts } from "../../src/catalog/statement.ts";
import type { EdgeWrite, NodeWrite } from "../../src/graph/catalog-writes.ts";
import type { NodeId, WorkspaceId } from "../../src/ids.ts";
import { edges, idAt } from "./random-graph.ts";

/** Enough of each type that a change meets all kinds of hop. */
const TYPES = ["table", "model", "model", "metric", "dashboard", "pipeline"] as const satisfies readonly NodeType[];
const MAX_NODES = 14;

const lineage: fc.Arbitrary<NodeFacts["columnLineage"]> = fc.option(
  fc.record({
    status: fc.constantFrom("known" as const, ...COLUMN_LINEAGE_STATUSES),
    reason: fc.constantFrom("", "could not parse"),
  }),
);

const column = fc.record({
  columnLineage: lineage,
  dataType: fc.constantFrom("int", "bigint", "text", ""),
  owner: fc.constantFrom("", "", "ada@example.com"),
});

const asset = fc.record({
  type: fc.constantFrom(...TYPES),
  /** The name decides the order of keys. */
  name: fc.constantFrom("a", "b", "c", "b.x"),
  columnLineage: lineage,
  certification: fc.option(fc.constantFrom(...CERTIFICATIONS)),
  owner: fc.constantFrom("", "ada@example.com", "bob@example.com", "Ada@Example.com"),
  ownerName: fc.constantFrom("", "", "Finance"),
  columns: fc.array(column, { maxLength: 3 }),
});

export const lineages = fc.record({
  assets: fc.array(asset, { minLength: 2, maxLength: 8 }),
  edges: edges(MAX_NODES, 40),
  /** Indexes among the columns and among the assets. */
  references: fc.array(fc.record({ column: fc.nat(), asset: fc.nat() }), { maxLength: 12 }),
});
export type RandomLineage = typeof lineages extends fc.Arbitrary<infer T> ? T : never;

/** The writes that make it, in one workspace. Impossible edges are left out, and the last of equal ones counts. */
export function writesOf(workspace: WorkspaceId, { assets, edges: arrows, references: named }: RandomLineage) {
  const nodes: NodeWrite[] = [];
  const add = (type: NodeType, parentId: NodeId | null, facts: NodeFacts): NodeId => {
    const id = idAt(workspace, nodes.length);
    nodes.push({ id, type, platform: "postgres", parentId, facts });
    return id;
  };
  for (const { type, name, columns, ...said } of assets) {
    const id = add(type, null, toFacts({ ...said, name, fqn: name }));
    if (type !== "table" && type !== "model") continue;
    for (const [ordinal, own] of columns.entries()) {
      add("column", id, toFacts({ ...own, ordinal, name: `c${ordinal}`, fqn: `${name}.c${ordinal}` }));
    }
  }
  const stated = arrows.flatMap(({ from, to, kind, uses }): EdgeWrite[] => {
    const [a, b] = [nodes[from % nodes.length], nodes[to % nodes.length]];
    if (a === undefined || b === undefined || edgeLevels(a.type, b.type) === null) return [];
    return [{ from: a.id, to: b.id, kind, uses }];
  });
  const distinct = new Map(stated.map((edge) => [`${edge.from} ${edge.to} ${edge.kind}`, edge]));
  const columns = nodes.filter(({ type }) => type === "column");
  const others = nodes.filter(({ type }) => type !== "column");
  const references = named.flatMap((each): Reference[] => {
    const [from, to] = [columns[each.column % columns.length], others[each.asset % others.length]];
    return from === undefined || to === undefined ? [] : [{ from: from.id, to: to.id }];
  });
  return { nodes, edges: [...distinct.values()], references };
}
