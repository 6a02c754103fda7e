/** Why a value may have changed: one test for each kind of change, and for what is no cause. */
import { describe, expect, it, test } from "vitest";

import { openCertified } from "../../support/certified.ts";
import type { Payments } from "../../support/payments.ts";
import { present } from "../../support/present.ts";
import { edge, table } from "../../support/scripted-connector.ts";
import { getSharedGraph } from "../../support/shared-graph.ts";

const STAGED_NET = "select gross, net, status from raw_payments where net > 0";

/** Everything that can have changed the revenue, after a crawl of the changed payments. */
async function askAfter(change: Partial<Payments>, before: Partial<Payments> = {}) {
  const { crawlPayments, causesOf, idOf, clock } = await openCertified(await getSharedGraph());
  await crawlPayments(before);
  const since = clock.now().toISOString();
  await crawlPayments({ ...before, ...change });
  return causesOf(idOf("revenue"), since);
}

function landedFrom(source: string): Partial<Payments> {
  return { others: [table("first"), table("second"), table("landed"), edge(source, "landed")] };
}

function ordersWhere(filter: string): Partial<Payments> {
  return { orders: `select status, sum(gross) as amount from stg_payments where ${filter} group by status` };
}

describe("Why did it change?", () => {
  test.each<[what: string, change: Partial<Payments>, cause: object]>([
    [
      "other rows are selected",
      { staging: STAGED_NET },
      {
        kind: "rows",
        evidence: "INDIRECT",
        node: { name: "stg_payments" },
        path: [{ name: "revenue" }, { name: "fct_orders" }, { name: "stg_payments" }],
        distance: 2,
        after: "FILTER net > 0",
        sqlAfter: STAGED_NET,
      },
    ],
    [
      "a column is computed otherwise",
      { orders: "select status, sum(net) as amount from stg_payments where status <> 'test' group by status" },
      {
        kind: "expression",
        evidence: "DIRECT",
        node: { name: "fct_orders" },
        path: [{ name: "revenue" }, { name: "amount" }, { name: "fct_orders" }],
        distance: 1,
        before: "SUM(gross)",
        after: "SUM(net)",
        details: ["column `amount` of `fct_orders` is now `SUM(net)` instead of `SUM(gross)`"],
      },
    ],
    [
      "a column has another type",
      { rawTypes: { gross: "text", net: "numeric" } },
      { kind: "type", evidence: "DIRECT", node: { name: "gross" }, distance: 3, before: "numeric", after: "text" },
    ],
    [
      "a column is gone",
      { rawColumns: ["net", "status"] },
      { kind: "removed", evidence: "DIRECT", node: { name: "gross" }, distance: 3 },
    ],
    [
      "it is defined otherwise",
      { revenue: { filters: ["status = 'paid'"] } },
      {
        kind: "definition",
        node: { name: "revenue" },
        distance: 0,
        before: "filters: ",
        after: "filters: status = 'paid'",
      },
    ],
    [
      "SQL changes that cannot be read",
      { orders: "select ((( from it" },
      { kind: "sql", evidence: "UNKNOWN", node: { name: "fct_orders" }, distance: 1 },
    ],
  ])("The answer names the change if %s", async (_what, change, cause) => {
    const before = "sql" in cause || change.orders?.includes("(((") === true ? { orders: "select ((( from" } : {};
    const { items, total } = await askAfter(change, before);
    expect(items).toMatchObject([cause]);
    expect(total).toBe(1);
  });

  it("A change of a comment, a description or another column is only counted", async () => {
    const { items, others, otherChanges } = await askAfter({
      staging: "select gross, net * 2 as net, status from raw_payments -- doubled",
      rawFacts: { description: "Payments as they come in." },
    });
    expect({ items, others }).toEqual({ items: [], others: 2 });
    expect(otherChanges.map(({ node }) => node.name).toSorted()).toEqual(["raw_payments", "stg_payments"]);
  });

  it("Each change in the span is named with the sync that made it, also if a later one takes it back", async () => {
    const { crawlPayments, causesOf, idOf, clock } = await openCertified(await getSharedGraph());
    await crawlPayments();
    const since = clock.now().toISOString();
    await crawlPayments({ staging: STAGED_NET });
    await crawlPayments();
    const { items } = await causesOf(idOf("revenue"), since);
    const seen = items.map(({ node, before, after }) => [node.name, before, after]);
    expect(seen).toEqual([
      ["stg_payments", "FILTER net > 0", ""],
      ["stg_payments", "", "FILTER net > 0"],
    ]);
    expect(new Set(items.map(({ author }) => author.syncId)).size).toBe(2);
  });

  it("A change at the begin of the span is before it, and one at its end is in it", async () => {
    const { crawlPayments, idOf, clock, graph, workspace } = await openCertified(await getSharedGraph());
    await crawlPayments();
    const first = clock.now().toISOString();
    await crawlPayments({ staging: STAGED_NET });
    const second = clock.now().toISOString();
    const ask = async (since: string, until: string) => {
      const query = { target: idOf("revenue"), since, until, offset: 0, limit: 10 };
      return (await graph.findCauses(workspace.id, query))?.total;
    };
    expect([await ask(first, second), await ask(second, second), await ask(first, first)]).toEqual([1, 0, 0]);
  });

  it("What a person changes is named with the person", async () => {
    const { crawlPayments, define, update, causesOf, tableIdOf, clock } = await openCertified(await getSharedGraph());
    await crawlPayments();
    const { id } = await define({ sources: [tableIdOf("fct_orders")] });
    const since = clock.now().toISOString();
    clock.advance(1_000);
    await update(id, { expression: "max(amount)" });
    const { items } = await causesOf(id, since);
    expect(items).toMatchObject([
      { kind: "definition", author: { actor: "ada@example.com", syncId: "" }, after: "expression: max(amount)" },
    ]);
  });

  it("An asset that appears or goes in the span says so", async () => {
    const { crawlPayments, causesOf, idOf, clock } = await openCertified(await getSharedGraph());
    await crawlPayments({ share: null });
    const since = clock.now().toISOString();
    await crawlPayments();
    expect((await causesOf(idOf("share"), since)).items).toMatchObject([{ kind: "added", distance: 0 }]);
    const later = clock.now().toISOString();
    await crawlPayments({ share: null });
    expect((await causesOf(idOf("share"), later)).items).toMatchObject([{ kind: "removed", distance: 0 }]);
  });

  it("An asset without SQL that comes from another asset than before says so", async () => {
    const { crawlPayments, causesOf, tableIdOf, clock } = await openCertified(await getSharedGraph());
    await crawlPayments(landedFrom("first"));
    const since = clock.now().toISOString();
    await crawlPayments(landedFrom("second"));
    const { items } = await causesOf(tableIdOf("landed"), since);
    expect(items).toMatchObject([{ kind: "sources", node: { name: "landed" }, before: "first", after: "second" }]);
  });

  it("A table depends on all of its columns and on its rows, a column on what decides it", async () => {
    const { crawlPayments, causesOf, tableIdOf, clock, graph, workspace } = await openCertified(await getSharedGraph());
    await crawlPayments();
    const since = clock.now().toISOString();
    await crawlPayments({ staging: "select gross, net * 2 as net, status from raw_payments" });
    const id = tableIdOf("stg_payments");
    expect((await causesOf(id, since)).items).toMatchObject([{ kind: "expression", distance: 0 }]);
    const [columns = []] = await graph.loadColumns(workspace.id, [id]);
    const totals = [];
    for (const column of columns) totals.push(`${column.name} ${(await causesOf(column.id, since)).total}`);
    expect(totals.toSorted()).toEqual(["gross 0", "net 1", "status 0"]);
  });

  it("A column depends on the rows of its own model, and on the columns that decide these rows", async () => {
    const { crawlPayments, causesOf, tableIdOf, clock, graph, workspace } = await openCertified(await getSharedGraph());
    await crawlPayments(ordersWhere("net > 0"));
    const [[, amount] = []] = await graph.loadColumns(workspace.id, [tableIdOf("fct_orders")]);
    const id = present(amount).id;
    const since = clock.now().toISOString();
    await crawlPayments(ordersWhere("net > 1"));
    const [own] = (await causesOf(id, since)).items;
    expect(own).toMatchObject({ kind: "rows", evidence: "INDIRECT", node: { name: "fct_orders" }, distance: 0 });
    const later = clock.now().toISOString();
    await crawlPayments({
      ...ordersWhere("net > 1"),
      staging: "select gross, net * 2 as net, status from raw_payments",
    });
    const [upstream] = (await causesOf(id, later)).items;
    expect(upstream).toMatchObject({ kind: "expression", node: { name: "stg_payments" }, after: "net * 2" });
  });
});
