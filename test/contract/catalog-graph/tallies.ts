/** The result of a crawl: the assets that it stated, and those among them that it changed. */
import { expect, it } from "vitest";

import { columnOf, look, newWorkspace, nodeOf, stampOf, timeOf } from "../../support/graph-writes.ts";
import type { OpenGraph } from "../catalog-graph.ts";

export function describeTallies(open: OpenGraph): void {
  it("A tally counts the assets that a sync stated, and those among them that it changed", async () => {
    const w = newWorkspace();
    const nodes = ["a", "b", "c"].map((name) => nodeOf(w, "table", name));
    const metric = nodeOf(w, "metric", "revenue");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [...nodes, metric]);
    expect(await open().tally(stampOf(w, "dbt", 1))).toEqual({ discovered: 3, updated: 3 });

    const second = stampOf(w, "dbt", 2);
    await open().writeNodes(second, "all", [nodeOf(w, "table", "a"), nodeOf(w, "table", "b", { sql: "select 2" })]);
    await open().writeNodes(second, "all", [nodeOf(w, "table", "d"), metric]);
    expect(await open().tally(second)).toEqual({ discovered: 3, updated: 2 });
  });

  it("A tally stays the same if a step is repeated", async () => {
    const w = newWorkspace();
    const old = nodeOf(w, "table", "a");
    const changed = nodeOf(w, "table", "a", { sql: "select 2" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [old]);
    const second = stampOf(w, "dbt", 2);
    await open().writeNodes(second, "all", [changed]);
    await open().writeNodes(second, "all", [changed]);
    await open().writeNodes(second, "other", [changed]);
    expect(await open().tally(second)).toEqual({ discovered: 1, updated: 1 });
  });

  it("A past sync's tally counts what no later sync of its connector has stated or removed", async () => {
    const w = newWorkspace();
    const [a, b, c] = [nodeOf(w, "table", "a"), nodeOf(w, "table", "b"), nodeOf(w, "table", "c")];
    const first = stampOf(w, "dbt", 1);
    const second = stampOf(w, "dbt", 2);
    const stillThere = async () => (await open().tally(first)).discovered;
    await open().writeNodes(first, "all", [a, b, c]);
    await open().writeNodes(stampOf(w, "warehouse", 1), "all", [a, b]);
    expect(await stillThere()).toBe(3);
    await open().writeNodes(second, "all", [a]);
    expect(await stillThere()).toBe(2);
    await open().sweep(second, "all");
    expect(await stillThere()).toBe(0);
  });

  it("The losses of a connector are what its sweeps would remove, without columns", async () => {
    const w = newWorkspace();
    const [a, b] = [nodeOf(w, "table", "a"), nodeOf(w, "table", "b")];
    const [c, d] = [nodeOf(w, "table", "c"), nodeOf(w, "table", "d")];
    const metric = nodeOf(w, "metric", "revenue");
    const first = stampOf(w, "dbt", 1);
    await open().writeNodes(first, "one", [a, b, columnOf(w, b, "id", 0), metric]);
    await open().writeNodes(first, "two", [c]);
    await open().writeNodes(stampOf(w, "warehouse", 1), "all", [a, b, c, metric]);
    const second = stampOf(w, "dbt", 2);
    await open().writeNodes(second, "one", [a, d, nodeOf(w, "table", "e")]);
    expect(await open().countLosses(second, ["one"])).toEqual({ known: 4, lost: 2 });
    expect(await open().countLosses(second, ["one", "two"])).toEqual({ known: 4, lost: 3 });
    expect(await open().countLosses(second, [])).toEqual({ known: 0, lost: 0 });
    await open().sweep(second, "one");
    expect(await open().countLosses(second, ["one"])).toEqual({ known: 0, lost: 0 });
  });

  it("The scopes in which a connector has stated something are listed", async () => {
    const w = newWorkspace();
    const stamp = stampOf(w, "dbt", 1);
    expect(await open().listScopes(stamp)).toEqual([]);
    await open().writeNodes(stamp, "two", [nodeOf(w, "table", "a")]);
    await open().writeNodes(stamp, "one", [nodeOf(w, "table", "b")]);
    await open().writeNodes(stampOf(w, "warehouse", 1), "all", [nodeOf(w, "table", "a")]);
    expect(await open().listScopes(stampOf(w, "dbt", 2))).toEqual(["one", "two"]);
  });

  it("A node that moved to another scope, or that was only named, is not lost", async () => {
    const w = newWorkspace();
    const [a, b] = [nodeOf(w, "table", "a"), nodeOf(w, "table", "b")];
    await open().writeNodes(stampOf(w, "dbt", 1), "one", [a, { ...b, existence: "referenced" }]);
    await open().writeNodes(stampOf(w, "dbt", 2), "two", [a]);
    expect(await open().countLosses(stampOf(w, "dbt", 2), ["one", "two"])).toEqual({ known: 0, lost: 0 });
  });

  it("A node that a sync brought back counts as updated", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.orders");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    await open().sweep(stampOf(w, "dbt", 2), "all");
    await open().writeNodes(stampOf(w, "dbt", 3), "all", [orders]);
    expect(await open().tally(stampOf(w, "dbt", 3))).toEqual({ discovered: 1, updated: 1 });
  });

  it("A stated node counts as updated if the sync removed the statement of another scope", async () => {
    const w = newWorkspace();
    const plain = nodeOf(w, "table", "shop.orders");
    await open().writeNodes(stampOf(w, "dbt", 1), "a", [plain]);
    await open().writeNodes(stampOf(w, "dbt", 1), "b", [nodeOf(w, "table", "shop.orders", { tags: ["pii"] })]);
    const second = stampOf(w, "dbt", 2);
    await open().writeNodes(second, "a", [plain]);
    await open().sweep(second, "b");
    expect(await look(open(), w, plain)).toMatchObject({ tags: [], updatedAt: timeOf(2) });
    expect(await open().tally(second)).toEqual({ discovered: 1, updated: 1 });
  });

  it("A statement does not count as updated if one of higher precedence hides it", async () => {
    const w = newWorkspace();
    await open().writeNodes(stampOf(w, "warehouse", 1, 20), "all", [nodeOf(w, "table", "t", { sql: "high" })]);
    await open().writeNodes(stampOf(w, "dbt", 1, 10), "all", [nodeOf(w, "table", "t", { sql: "low" })]);
    await open().writeNodes(stampOf(w, "dbt", 2, 10), "all", [nodeOf(w, "table", "t", { sql: "lower" })]);
    expect(await open().tally(stampOf(w, "dbt", 2, 10))).toEqual({ discovered: 1, updated: 0 });
  });

  it("A stated node counts as updated if the sync changed it in a scope that only names it", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders");
    await open().writeNodes(stampOf(w, "dbt", 1), "one", [orders]);
    const second = stampOf(w, "dbt", 2);
    await open().writeNodes(second, "two", [
      { ...orders, existence: "referenced", facts: { ...orders.facts, tags: ["pii"] } },
    ]);
    expect(await open().tally(second)).toEqual({ discovered: 0, updated: 0 });
    await open().writeNodes(second, "one", [orders]);
    expect(await look(open(), w, orders)).toMatchObject({ tags: ["pii"], updatedAt: timeOf(2) });
    expect(await open().tally(second)).toEqual({ discovered: 1, updated: 1 });
  });

  it("A column counts as updated if its table's statement changed its lineage before another scope stated it", async () => {
    const w = newWorkspace();
    const columnLineage = { status: "unknown", reason: "" } as const;
    const table = nodeOf(w, "table", "orders", { columnLineage });
    const amount = columnOf(w, table, "amount", 0, { columnLineage });
    await open().writeNodes(stampOf(w, "dbt", 1), "one", [amount]);
    await open().writeNodes(stampOf(w, "boards", 1), "all", [amount]);
    const second = stampOf(w, "dbt", 2);
    await open().writeNodes(second, "two", [table]);
    expect(await look(open(), w, amount)).toMatchObject({ lineageConnector: "dbt", updatedAt: timeOf(2) });
    await open().writeNodes(second, "two", [amount]);
    expect(await open().tally(second)).toEqual({ discovered: 2, updated: 2 });
  });
}
