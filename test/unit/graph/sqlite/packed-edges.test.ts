import fc from "fast-check";
import { expect, it } from "vitest";

import {
  carriesValues,
  type ColumnUse,
  EDGE_KINDS,
  TRANSFORMATIONS,
  USE_KINDS,
  usesText,
} from "../../../../src/catalog/edge.ts";
import { packEdges, unpackEdges } from "../../../../src/graph/sqlite/packed-edges.ts";
import { toNodeId } from "../../../../src/ids.ts";

const id = fc.constantFrom("a", "b", "c", "d").map((letter) => toNodeId(letter.repeat(32)));
const uses = fc.array(
  fc.record<ColumnUse>({
    kind: fc.constantFrom(...USE_KINDS),
    transformation: fc.constantFrom(...TRANSFORMATIONS),
    expression: fc.constantFrom("", "amount", 'sum("a")'),
  }),
  { maxLength: 2 },
);

it("Packed edges are equal after they are sent to another thread, whatever they share", () => {
  fc.assert(
    fc.property(
      fc.array(uses, { minLength: 1, maxLength: 3 }).chain((shared) =>
        fc.array(
          fc.record({
            from: id,
            to: id,
            kind: fc.constantFrom(...EDGE_KINDS),
            uses: fc.oneof(fc.constantFrom(...shared), uses),
          }),
        ),
      ),
      (edges) => {
        const stored = edges.map((edge) => ({
          ...edge,
          uses: usesText(edge.uses),
          carriesValues: carriesValues(edge.uses),
        }));
        expect(unpackEdges(structuredClone(packEdges(edges)))).toEqual(stored);
      },
    ),
  );
});

it("A thousand packed edges into the columns of one table contain each end and each use once", () => {
  const filter: ColumnUse[] = [{ kind: "INDIRECT", transformation: "FILTER", expression: "status = 'paid'" }];
  const columns = Array.from({ length: 1_000 }, (_, i) => toNodeId(String(i).padStart(32, "0")));
  const from = toNodeId("f".repeat(32));
  const packed = packEdges(columns.map((to) => ({ from, to, kind: "derives", uses: filter })));
  expect(packed.ids).toHaveLength(1_001);
  expect(packed.uses).toEqual([usesText(filter)]);
});
