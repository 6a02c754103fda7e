/** Supposed lineage, compared with a graph that really has it. */
import fc from "fast-check";
import { expect, it } from "vitest";

import type { Impact, ImpactQuery } from "../../../../src/catalog/impact.ts";
import type { EdgeWrite, NodeWrite } from "../../../../src/graph/catalog-writes.ts";
import type { Reference } from "../../../../src/catalog/reference.ts";
import { toWorkspaceId } from "../../../../src/ids.ts";
import { propertyRuns } from "../../../support/depth.ts";
import { stampOf } from "../../../support/graph-writes.ts";
import { present } from "../../../support/present.ts";
import { lineages, writesOf } from "../../../support/random-lineage.ts";
import { createReferenceGraph } from "../../../support/reference-graph.ts";

const W = toWorkspaceId("w");

interface Writes {
  nodes: readonly NodeWrite[];
  edges: readonly EdgeWrite[];
  references: readonly Reference[];
}

async function assess({ nodes, edges, references }: Writes, query: ImpactQuery): Promise<Impact> {
  const graph = createReferenceGraph();
  const stamp = stampOf(W, "dbt", 1);
  await graph.writeNodes(stamp, "all", nodes);
  await graph.writeEdges(stamp, "all", edges);
  await graph.writeReferences(stamp, "all", references);
  return present(await graph.assessImpact(W, query));
}

function idsOf({ affected }: Impact): Set<string> {
  return new Set(affected.map(({ id }) => id));
}

function knowing(node: NodeWrite, known: ReadonlySet<string>): NodeWrite {
  if (!known.has(node.id)) return node;
  return { ...node, facts: { ...node.facts, columnLineage: { status: "known", reason: "" } } };
}

it("A supposition affects nothing that a graph without those edges would not, and nothing that the present graph does not", async () => {
  const indexes = fc.array(fc.nat({ max: 40 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lineages, fc.nat(), indexes, indexes, async (random, at, goneAt, knownAt) => {
      const written = writesOf(W, random);
      const { nodes, edges, references } = written;
      const root = present(nodes[at % nodes.length]);
      const assets = nodes.filter(({ type }) => type !== "column");
      const known = new Set(knownAt.flatMap((index) => assets[index]?.id ?? []));
      const gone = goneAt
        .flatMap((index) => [...edges, ...references][index] ?? [])
        .map(({ from, to }) => ({ from, to }));
      const isGone = (edge: Reference): boolean => gone.some(({ from, to }) => edge.from === from && edge.to === to);
      const columns = root.type === "column" || root.type === "table" || root.type === "model";
      const change = columns ? "column_drop" : "deprecate";
      const query: ImpactQuery = { root: root.id, change, newType: null, maxAffected: 1_000 };

      const supposed = idsOf(await assess(written, { ...query, supposing: { gone, known: [...known] } }));
      const changed = {
        nodes: nodes.map((node) => knowing(node, known)),
        edges: edges.filter((edge) => !isGone(edge)),
        references: references.filter((reference) => !isGone(reference)),
      };
      const without = idsOf(await assess(changed, query));
      expect([...supposed.difference(without)]).toEqual([]);
      expect([...supposed.difference(idsOf(await assess(written, query)))]).toEqual([]);
      const nothing = { ...query, supposing: { gone: [], known: [] } };
      expect(await assess(written, nothing)).toEqual(await assess(written, query));
    }),
    propertyRuns(300),
  );
});
