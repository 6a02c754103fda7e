/** What a change would affect if some of the lineage were otherwise than the graph has it. */
import { expect, it } from "vitest";

import type { ColumnUse } from "../../../src/catalog/edge.ts";
import type { Supposition } from "../../../src/catalog/impact.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

const KNOWN = { columnLineage: { status: "known", reason: "" } } as const;
const COPY: ColumnUse = { kind: "DIRECT", transformation: "IDENTITY", expression: "amount" };

/** `payments.amount` goes into `totals.total`, and `copies`, of which nothing is known, reads `payments`. */
async function writePayments(open: OpenGraph) {
  const w = newWorkspace();
  const payments = nodeOf(w, "table", "raw.payments");
  const amount = columnOf(w, payments, "amount", 0);
  const totals = nodeOf(w, "model", "marts.totals", KNOWN);
  const total = columnOf(w, totals, "total", 0, KNOWN);
  const copies = nodeOf(w, "model", "marts.copies");
  const board = nodeOf(w, "dashboard", "shop.board");
  const stamp = stampOf(w, "dbt", 1);
  await open().writeNodes(stamp, "all", [payments, amount, totals, total, copies, board]);
  await open().writeEdges(stamp, "all", [
    edgeOf(payments, totals, "derives"),
    edgeOf(amount, total, "derives", [COPY]),
    edgeOf(payments, copies, "derives"),
    edgeOf(copies, board, "powers"),
  ]);
  const drop = { root: amount.id, change: "column_drop", newType: null, maxAffected: 100 } as const;
  const affectedBy = async (supposing: Supposition): Promise<string[]> =>
    present(await open().assessImpact(w, { ...drop, supposing })).affected.map(({ fqn }) => fqn);
  return { w, payments, amount, totals, total, copies, board, affectedBy };
}

export function describeImpactSupposing(open: OpenGraph): void {
  it("affects what it affects where nothing is supposed", async () => {
    const { affectedBy } = await writePayments(open);
    expect(await affectedBy({ gone: [], known: [] })).toEqual([
      "marts.totals",
      "marts.totals.total",
      "marts.copies",
      "shop.board",
    ]);
  });

  it("does not spread along an edge of columns that is gone", async () => {
    const { amount, total, affectedBy } = await writePayments(open);
    expect(await affectedBy({ gone: [{ from: amount.id, to: total.id }], known: [] })).toEqual([
      "marts.copies",
      "shop.board",
    ]);
  });

  it("does not spread along an edge of assets that is gone, wherever on the way it lies", async () => {
    const { payments, copies, board, affectedBy } = await writePayments(open);
    const rest = ["marts.totals", "marts.totals.total"];
    expect(await affectedBy({ gone: [{ from: payments.id, to: copies.id }], known: [] })).toEqual(rest);
    expect(await affectedBy({ gone: [{ from: copies.id, to: board.id }], known: [] })).toEqual([
      ...rest,
      "marts.copies",
    ]);
  });

  it("fails nobody by a reference that is gone, and whoever is left", async () => {
    const { w, amount, copies, totals, affectedBy } = await writePayments(open);
    const named = [copies, totals].map((asset) => ({ from: amount.id, to: asset.id }));
    expect(await open().writeReferences(stampOf(w, "dbt", 1), "all", named)).toEqual([]);
    expect(await affectedBy({ gone: named.slice(1), known: [copies.id] })).toEqual([
      "marts.copies",
      "marts.totals",
      "marts.totals.total",
    ]);
    expect(await affectedBy({ gone: named, known: [copies.id] })).toEqual(["marts.totals", "marts.totals.total"]);
  });

  it("spares an asset of which it would be known that it uses no changed column", async () => {
    const { copies, affectedBy } = await writePayments(open);
    expect(await affectedBy({ gone: [], known: [copies.id] })).toEqual(["marts.totals", "marts.totals.total"]);
  });
}
