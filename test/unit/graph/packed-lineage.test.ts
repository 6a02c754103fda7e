import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { NODE_TYPES } from "../../../src/catalog/node-types.ts";
import { type Edge, EDGE_KINDS } from "../../../src/catalog/edge.ts";
import type { Lineage } from "../../../src/catalog/lineage.ts";
import { compareCodePoints } from "../../../src/catalog/text.ts";
import { edgesAmong, packWalk, unpackLineage } from "../../../src/graph/packed-lineage.ts";
import { type NodeId, toConnectorId, toNodeId } from "../../../src/ids.ts";

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
      truncated: fc.constant(true),
      totalNodes: fc.integer({ min: ids.length + 1 }),
      coverage: fc.constant({
        connectors: [toConnectorId("a")],
        gaps: [{ id: toNodeId("b"), reason: "no SQL" }],
        gapsTotal: 2,
      }),
    });
  });

const textOf = ({ from, to, kind }: Edge): string => [from, to, kind].join("\u0000");

describe("Packed lineage", () => {
  it("A packed lineage walk is equal after it is unpacked, with each edge once and in order", () => {
    fc.assert(
      fc.property(lineage, (walk) => {
        const { root, direction, nodes, coverage } = walk;
        const ids = [...nodes.map(({ id }) => id), root];
        const isDownstream = direction === "downstream";
        const steps = walk.edges.map(({ from, to, kind }) => {
          return { near: isDownstream ? from : to, far: isDownstream ? to : from, kind: EDGE_KINDS.indexOf(kind) };
        });
        const outside = { near: toNodeId("x"), far: root, kind: 0 };
        const packed = packWalk(
          { root, direction, depth: walk.depth, maxNodes: nodes.length },
          {
            ids,
            names: nodes.map(({ name }) => name),
            types: nodes.map(({ type }) => type),
            depths: nodes.map(({ depth }) => depth),
            edges: edgesAmong(ids, [...steps, outside], direction),
            total: walk.totalNodes,
            coverage,
          },
        );
        const edges = [...new Map(walk.edges.map((edge) => [textOf(edge), edge])).values()];
        const ordered = edges.toSorted((a, b) => compareCodePoints(textOf(a), textOf(b)));
        expect(unpackLineage(structuredClone(packed))).toEqual({ ...walk, edges: ordered });
      }),
    );
  });
});
