/** What a change would affect. */
import { expect, it } from "vitest";

import type { ColumnUse } from "../../../src/catalog/edge.ts";
import type { ImpactQuery } from "../../../src/catalog/impact.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

const KNOWN = { columnLineage: { status: "known", reason: "" } } as const;
const SUM: ColumnUse = { kind: "DIRECT", transformation: "AGGREGATION", expression: "sum(amount)" };
const DROP = { change: "column_drop", newType: null, maxAffected: 100 } as const satisfies Partial<ImpactQuery>;

export function describeImpact(open: OpenGraph): void {
  it("finds what a dropped column breaks, with the path and the evidence", async () => {
    const w = newWorkspace();
    const raw = nodeOf(w, "table", "raw.payments");
    const amount = columnOf(w, raw, "amount", 0);
    const fct = nodeOf(w, "model", "marts.fct_orders", KNOWN);
    const total = columnOf(w, fct, "total", 0, { ...KNOWN, owner: "ada@example.com" });
    const stamp = stampOf(w, "dbt", 1);
    await open().writeNodes(stamp, "all", [raw, amount, fct, total]);
    await open().writeEdges(stamp, "all", [edgeOf(raw, fct, "derives"), edgeOf(amount, total, "derives", [SUM])]);
    const impact = present(await open().assessImpact(w, { root: amount.id, ...DROP }));
    expect(impact).toMatchObject({ effect: "breaks", summary: { total: 2, high: 2, medium: 0, low: 0 } });
    expect(impact.affected.map(({ id, hops, path }) => ({ id, hops, path }))).toEqual([
      { id: fct.id, hops: 1, path: [amount.id, fct.id] },
      { id: total.id, hops: 1, path: [amount.id, total.id] },
    ]);
    expect(impact.affected[0]?.evidence).toEqual([{ ...SUM, level: "column", from: amount.id, to: total.id }]);
  });
}
