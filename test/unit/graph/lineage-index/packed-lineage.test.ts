import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { NODE_TYPES } from "../../../../src/catalog/node-types.ts";
import { EDGE_KINDS } from "../../../../src/catalog/edge.ts";
import type { Lineage } from "../../../../src/catalog/lineage.ts";
import { packLineage, unpackLineage } from "../../../../src/graph/lineage-index/packed-lineage.ts";
import { type NodeId, toConnectorId, toNodeId } from "../../../../src/ids.ts";

const ROOT = toNodeId("root");

const nodeOf = (id: NodeId) =>
  fc.record({
    id: fc.constant(id),
    name: fc.string(),
    type: fc.constantFrom(...NODE_TYPES),
    depth: fc.integer({ min: 1, max: 10 }),
  });

const lineage: fc.Arbitrary<Lineage> = fc
  .uniqueArray(fc.string({ minLength: 5, maxLength: 8 }).map(toNodeId), { maxLength: 12 })
  .chain((ids) => {
    const end = fc.constantFrom(ROOT, ...ids);
    return fc.record({
      root: fc.constant(ROOT),
      direction: fc.constantFrom("upstream", "downstream"),
      depth: fc.integer({ min: 1, max: 10 }),
      nodes: fc.tuple(...ids.map(nodeOf)),
      edges: fc.array(fc.record({ from: end, to: end, kind: fc.constantFrom(...EDGE_KINDS) })),
      truncated: fc.boolean(),
      totalNodes: fc.nat(),
      coverage: fc.constant({
        connectors: [toConnectorId("a")],
        gaps: [{ id: toNodeId("b"), reason: "no SQL" }],
        gapsTotal: 2,
      }),
    });
  });

describe("Packed lineage", () => {
  it("A packed lineage walk is equal after it is unpacked", () => {
    fc.assert(
      fc.property(lineage, (walk) => {
        expect(unpackLineage(structuredClone(packLineage(walk)))).toEqual(walk);
      }),
    );
  });
});
