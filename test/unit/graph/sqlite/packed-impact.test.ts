import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { CERTIFICATIONS } from "../../../../src/catalog/asset.ts";
import { NODE_TYPES } from "../../../../src/catalog/node-types.ts";
import { TRANSFORMATIONS } from "../../../../src/catalog/edge.ts";
import {
  type AffectedNode,
  CHANGE_TYPES,
  EFFECTS,
  type Evidence,
  EVIDENCE_KINDS,
  type Impact,
  RISKS,
} from "../../../../src/catalog/impact.ts";
import { packImpact, unpackImpact } from "../../../../src/graph/sqlite/packed-impact.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";
import { toConnectorId, toNodeId } from "../../../../src/ids.ts";

const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("", "one", "another", "__proto__"));
const id = text.map(toNodeId);

const hop: fc.Arbitrary<Evidence> = fc.record({
  kind: fc.constantFrom(...EVIDENCE_KINDS),
  level: fc.constantFrom("asset", "column"),
  transformation: fc.constantFrom(...TRANSFORMATIONS, ""),
  expression: text,
  from: id,
  to: id,
});

const count = fc.option(fc.nat());
const usage = fc.record({ users: count, queries: count, views: count, until: text.filter((until) => until !== "") });

/** Paths with hops that other paths share, and hops of their own. */
const affected = (shared: Evidence[]): fc.Arbitrary<AffectedNode> =>
  fc.array(shared.length === 0 ? hop : fc.oneof(hop, fc.constantFrom(...shared)), { maxLength: 6 }).chain((evidence) =>
    fc.record({
      id,
      // An id is never empty.
      parentId: fc.option(id.filter((parent) => parent !== "")),
      name: text,
      fqn: text,
      type: fc.constantFrom(...NODE_TYPES),
      certification: fc.constantFrom(...CERTIFICATIONS),
      risk: fc.constantFrom(...RISKS),
      reason: text,
      hops: fc.constant(evidence.length),
      path: fc.array(id, { minLength: evidence.length + 1, maxLength: evidence.length + 1 }),
      evidence: fc.constant(evidence),
      owner: text,
      ownerName: text,
      usage: fc.option(usage),
    }),
  );

const counts = { total: fc.nat(), high: fc.nat(), medium: fc.nat(), low: fc.nat() };

const impact: fc.Arbitrary<Impact> = fc.array(hop, { maxLength: 6 }).chain((shared) =>
  fc.record({
    root: id,
    change: fc.constantFrom(...CHANGE_TYPES),
    newType: fc.option(text),
    effect: fc.constantFrom(...EFFECTS),
    summary: fc.record(counts),
    groups: fc.constant([]),
    affected: fc.array(affected(shared), { maxLength: 8 }),
    owners: fc.array(fc.record({ ...counts, owner: text, ownerName: text })),
    truncated: fc.boolean(),
    coverage: fc.constant({
      connectors: [toConnectorId("a")],
      gaps: [{ id: toNodeId("b"), reason: "no SQL" }],
      gapsTotal: 2,
    }),
  }),
);

describe("Packed impacts", () => {
  it("A packed impact is equal after it is unpacked", () => {
    fc.assert(
      fc.property(impact, (one) => {
        expect(runAtOnce(unpackImpact(structuredClone(packImpact(one))))).toEqual(one);
      }),
    );
  });

  it("A packed impact contains a hop once that many paths share", () => {
    const [a, b, c] = [toNodeId("a"), toNodeId("b"), toNodeId("c")];
    const shared: Evidence = {
      kind: "DIRECT",
      level: "column",
      transformation: "IDENTITY",
      expression: "amount",
      from: a,
      to: b,
    };
    const evidence = [shared, { ...shared, from: b, to: c }];
    const path = [a, b, c];
    const nodes = [1, 2].map((hops): AffectedNode => ({
      id: path[hops] ?? a,
      parentId: b,
      name: `column ${hops}`,
      fqn: `shop.column ${hops}`,
      type: "column",
      certification: "none",
      risk: "high",
      reason: `It is ${hops} away.`,
      hops,
      path: path.slice(0, hops + 1),
      evidence: evidence.slice(0, hops),
      owner: "",
      ownerName: "",
      usage: null,
    }));
    const { affected: found } = runAtOnce(
      unpackImpact(
        structuredClone(
          packImpact({
            root: a,
            change: "column_drop",
            newType: null,
            effect: "breaks",
            summary: { total: 2, high: 2, medium: 0, low: 0 },
            groups: [],
            affected: nodes,
            owners: [],
            truncated: false,
            coverage: { connectors: [], gaps: [], gapsTotal: 0 },
          }),
        ),
      ),
    );
    expect(found).toStrictEqual(nodes);
    expect(found[1]?.evidence[0]).toBe(found[0]?.evidence[0]);
  });
});
