/** Impacts that suppose that some lineage is gone, or is known. */
import { expect, it } from "vitest";

import type { ColumnUse } from "../../../src/catalog/edge.ts";
import type { Supposition } from "../../../src/catalog/impact.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

const KNOWN = { columnLineage: { status: "known", reason: "" } } as const;
const COPY: ColumnUse = { kind: "DIRECT", transformation: "IDENTITY", expression: "amount" };

/** `totals.total` is a copy of `payments.amount`. `copies` reads `payments`, and its column lineage is unknown. */
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
  it("An empty supposition does not change an impact", async () => {
    const { affectedBy } = await writePayments(open);
    expect(await affectedBy({ gone: [], known: [] })).toEqual([
      "marts.totals",
      "marts.totals.total",
      "marts.copies",
      "shop.board",
    ]);
  });

  it("An impact does not spread along an edge of columns that is supposed gone", async () => {
    const { amount, total, affectedBy } = await writePayments(open);
    expect(await affectedBy({ gone: [{ from: amount.id, to: total.id }], known: [] })).toEqual([
      "marts.copies",
      "shop.board",
    ]);
  });

  it("An impact does not spread along an edge of assets that is supposed gone, at any distance", async () => {
    const { payments, copies, board, affectedBy } = await writePayments(open);
    const rest = ["marts.totals", "marts.totals.total"];
    expect(await affectedBy({ gone: [{ from: payments.id, to: copies.id }], known: [] })).toEqual(rest);
    expect(await affectedBy({ gone: [{ from: copies.id, to: board.id }], known: [] })).toEqual([
      ...rest,
      "marts.copies",
    ]);
  });

  it("A reference that is supposed gone breaks nothing, and a reference that is left does", async () => {
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

  it("An impact spares an asset that is supposed to be known to use no changed column", async () => {
    const { copies, affectedBy } = await writePayments(open);
    expect(await affectedBy({ gone: [], known: [copies.id] })).toEqual(["marts.totals", "marts.totals.total"]);
  });
}
