/** Checks: the nodes that they need, their last result, and the connector that is shown. */
import { expect, it } from "vitest";

import type { CheckResult, CheckStatus } from "../../../src/catalog/check.ts";
import type { CheckPage, CheckQuery } from "../../../src/graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../../../src/ids.ts";
import { checkOf, columnOf, look, newWorkspace, nodeOf, stampOf, timeOf, UNKNOWN } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

/** Lists all checks of a node. */
const allOf = ({ id }: { id: NodeId }): CheckQuery => ({ node: id, first: 100, after: null });

function resultOf(status: CheckResult["status"], at: number, failures: number | null = null): CheckResult {
  return { status, message: `it was a ${status}`, failures, ranAt: timeOf(at) };
}

function shopOf(workspace: WorkspaceId) {
  const orders = nodeOf(workspace, "model", "wh.mart.orders");
  const customers = nodeOf(workspace, "model", "wh.mart.customers");
  const orderId = columnOf(workspace, orders, "id", 0);
  const buyer = columnOf(workspace, orders, "customer_id", 1);
  const customerId = columnOf(workspace, customers, "id", 0);
  return { orders, customers, orderId, buyer, customerId, nodes: [orders, customers, orderId, buyer, customerId] };
}

const namesOf = (page: CheckPage | undefined): string[] => present(page).items.map(({ name }) => name);

export function describeChecks(open: OpenGraph): void {
  it("A check is listed for each asset and each column that it needs, and for nothing else", async () => {
    const w = newWorkspace();
    const { orders, customers, orderId, buyer, customerId, nodes } = shopOf(w);
    const stamp = stampOf(w, "dbt", 1);
    await open().writeNodes(stamp, "all", nodes);
    const unique = checkOf(w, "unique_orders_id", [orders], [orderId], { result: resultOf("fail", 1, 3) });
    const related = checkOf(w, "relationships_orders", [orders, customers], [buyer, customerId], {
      test: "relationships",
      severity: "warn",
    });
    await open().writeChecks(stamp, "all", [unique, related]);
    const asked = [orders, customers, orderId, buyer, customerId];
    const pages = await open().loadChecks(w, asked.map(allOf));
    expect(pages.map(namesOf)).toEqual([
      ["relationships_orders", "unique_orders_id"],
      ["relationships_orders"],
      ["unique_orders_id"],
      ["relationships_orders"],
      ["relationships_orders"],
    ]);
    expect(pages[0]?.items).toEqual([related, unique]);
    expect(await open().loadChecks(w, [allOf({ id: UNKNOWN })])).toEqual([{ items: [], total: 0, hasMore: false }]);
    expect(await open().loadChecks(newWorkspace(), [allOf(orders)])).toEqual([{ items: [], total: 0, hasMore: false }]);
  });

  it("Checks are listed page by page, and by the status of their last run", async () => {
    const w = newWorkspace();
    const { orders, orderId, nodes } = shopOf(w);
    const stamp = stampOf(w, "dbt", 1);
    await open().writeNodes(stamp, "all", nodes);
    const named = (["b", "A", "c", "\u{10000}", "\uffee", "d"] as const).map((name, i) =>
      checkOf(w, name, [orders], [orderId], { result: i % 2 === 0 ? resultOf("pass", i) : null }),
    );
    await open().writeChecks(stamp, "all", named);
    const load = async (query: { first: number; after: string | null; status?: CheckStatus }): Promise<CheckPage> => {
      const [page] = await open().loadChecks(w, [{ node: orders.id, ...query }]);
      return present(page);
    };
    const first = await load({ first: 4, after: null });
    expect([namesOf(first), first.total, first.hasMore]).toEqual([["A", "b", "c", "d"], 6, true]);
    const last = first.items.at(-1);
    const second = await load({ first: 4, after: `d\u0001${last?.id}` });
    expect([namesOf(second), second.total, second.hasMore]).toEqual([["\uffee", "\u{10000}"], 6, false]);
    expect(namesOf(await load({ first: 10, after: null, status: "pass" }))).toEqual(["b", "c", "\uffee"]);
    expect(await load({ first: 0, after: null, status: "unknown" })).toEqual({ items: [], total: 3, hasMore: true });
    expect(namesOf(await load({ first: 10, after: null, status: "fail" }))).toEqual([]);
  });

  it("A check that did not run again keeps its last result", async () => {
    const w = newWorkspace();
    const { orders, orderId, nodes } = shopOf(w);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    const write = (sync: number, result: CheckResult | null, severity: "warn" | "error" = "error") =>
      open().writeChecks(stampOf(w, "dbt", sync), "all", [checkOf(w, "t", [orders], [orderId], { result, severity })]);
    const last = async () => (await open().loadChecks(w, [allOf(orders)]))[0]?.items[0];
    await write(1, resultOf("fail", 1, 2));
    await write(2, null);
    expect(await last()).toMatchObject({ severity: "error", result: resultOf("fail", 1, 2) });
    await write(3, null, "warn");
    expect(await last()).toMatchObject({ severity: "warn", result: resultOf("fail", 1, 2) });
    await write(4, resultOf("pass", 4));
    expect(await last()).toMatchObject({ result: resultOf("pass", 4) });
  });

  it("A check moves to its new columns when they change", async () => {
    const w = newWorkspace();
    const { orders, orderId, buyer, nodes } = shopOf(w);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    await open().writeChecks(stampOf(w, "dbt", 1), "all", [checkOf(w, "t", [orders], [orderId])]);
    await open().writeChecks(stampOf(w, "dbt", 2), "all", [checkOf(w, "t", [orders], [buyer])]);
    const pages = await open().loadChecks(w, [orders, orderId, buyer].map(allOf));
    expect(pages.map(({ total }) => total)).toEqual([1, 0, 1]);
  });

  it("A sweep removes the checks of its scope that were not stated again, and no others", async () => {
    const w = newWorkspace();
    const { orders, orderId, nodes } = shopOf(w);
    const check = (name: string) => checkOf(w, name, [orders], [orderId]);
    const first = stampOf(w, "dbt", 1);
    await open().writeNodes(first, "all", nodes);
    await open().writeChecks(first, "all", [check("gone"), check("kept")]);
    await open().writeChecks(first, "other", [check("elsewhere")]);
    await open().writeChecks(stampOf(w, "soda", 1), "all", [check("another's")]);
    const second = stampOf(w, "dbt", 2);
    await open().writeNodes(second, "all", nodes);
    await open().writeChecks(second, "all", [check("kept")]);
    await open().sweep(second, "all");
    const [page] = await open().loadChecks(w, [allOf(orderId)]);
    expect(namesOf(page)).toEqual(["another's", "elsewhere", "kept"]);
  });

  it("If two connectors state one check, it is shown as the connector of the higher precedence states it", async () => {
    const w = newWorkspace();
    const { orders, orderId, nodes } = shopOf(w);
    const low = stampOf(w, "dbt", 1, 10);
    const high = stampOf(w, "warehouse", 1, 90);
    await open().writeNodes(low, "all", nodes);
    const state = (result: CheckResult) => [checkOf(w, "t", [orders], [orderId], { result })];
    await open().writeChecks(high, "all", state(resultOf("fail", 1)));
    await open().writeChecks(low, "all", state(resultOf("pass", 2)));
    const load = async () => (await open().loadChecks(w, [allOf(orders)]))[0];
    expect(await load()).toMatchObject({ total: 1, items: [{ result: { status: "fail" } }] });
    await open().sweep(stampOf(w, "warehouse", 2, 90), "all");
    expect(await load()).toMatchObject({ total: 1, items: [{ result: { status: "pass" } }] });
  });

  it("An asset looks the same after its checks have changed", async () => {
    const w = newWorkspace();
    const { orders, orderId, nodes } = shopOf(w);
    const stamp = stampOf(w, "dbt", 1);
    await open().writeNodes(stamp, "all", nodes);
    const before = await look(open(), w, orders);
    await open().writeChecks(stampOf(w, "dbt", 2), "all", [checkOf(w, "t", [orders], [orderId])]);
    expect(await look(open(), w, orders)).toEqual(before);
    expect(await open().tally(stamp)).toEqual({ discovered: 5, updated: 5 });
  });
}
