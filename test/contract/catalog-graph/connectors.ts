/** What happens to a connector's statements if the connector is renamed or removed. */
import { expect, it } from "vitest";

import { isFull } from "../../support/depth.ts";
import {
  checkOf,
  columnOf,
  edgeOf,
  editOf,
  look,
  newWorkspace,
  nodeOf,
  removeWhole,
  renameWhole,
  stampOf,
  timeOf,
} from "../../support/graph-writes.ts";
import type { OpenGraph } from "../catalog-graph.ts";

export function describeConnectors(open: OpenGraph): void {
  it("Removing a connector removes everything that it stated in every scope, and keeps what others state", async () => {
    const w = newWorkspace();
    const [orders, revenue, shared] = [nodeOf(w, "table", "a"), nodeOf(w, "table", "b"), nodeOf(w, "table", "c")];
    const amount = columnOf(w, orders, "amount", 0);
    const dbt = stampOf(w, "dbt", 1);
    await open().writeNodes(dbt, "one", [orders, amount, shared]);
    await open().writeNodes(dbt, "two", [revenue]);
    await open().writeEdges(dbt, "two", [edgeOf(orders, revenue, "derives"), edgeOf(shared, revenue, "derives")]);
    await open().writeReferences(dbt, "two", [{ from: amount.id, to: revenue.id }]);
    await open().writeChecks(dbt, "two", [checkOf(w, "not_null_c", [shared], [])]);
    const warehouse = stampOf(w, "warehouse", 1, 5);
    await open().writeNodes(warehouse, "all", [
      { ...shared, facts: { ...shared.facts, description: "the warehouse's" } },
    ]);
    expect(await removeWhole(open(), { ...dbt, syncId: `${w}:removal`, at: timeOf(9) })).toBe(3);
    expect(await open().loadNodes(w, [orders.id, amount.id, revenue.id])).toEqual([null, null, null]);
    expect(await look(open(), w, shared)).toMatchObject({
      connectors: ["warehouse"],
      description: "the warehouse's",
      updatedAt: timeOf(9),
    });
    const downstream = { id: shared.id, direction: "downstream", first: 5, after: null } as const;
    expect(await open().loadNeighbours(w, [downstream])).toMatchObject([{ total: 0 }]);
    expect(await open().loadChecks(w, [{ node: shared.id, first: 5, after: null }])).toMatchObject([{ total: 0 }]);
    expect(await removeWhole(open(), dbt)).toBe(0);
  });

  it("A connector is removed in bounded steps", async () => {
    const w = newWorkspace();
    const nodes = Array.from({ length: 1_500 }, (_, i) => nodeOf(w, "table", `t${i}`));
    const dbt = stampOf(w, "dbt", 1);
    await open().writeNodes(dbt, "all", nodes.slice(0, 750));
    await open().writeNodes(dbt, "more", nodes.slice(750));
    expect(await open().removeConnector(dbt)).toMatchObject({ done: false });
    const left = (await open().countNodes(w)).table;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(1_500);
    expect(await removeWhole(open(), dbt)).toBe(left);
    expect((await open().countNodes(w)).table).toBe(0);
  });

  it("A removed connector can write nothing more, even from a running crawl", async () => {
    const w = newWorkspace();
    const [a, b] = [nodeOf(w, "table", "a"), nodeOf(w, "table", "b")];
    const dbt = stampOf(w, "dbt", 1);
    await open().writeNodes(dbt, "all", [a, b]);
    await open().removeConnector(dbt);
    const refused = { code: "conflict", message: expect.stringContaining("removed") };
    await expect(open().writeNodes(dbt, "all", [a])).rejects.toMatchObject(refused);
    await expect(open().writeNodes(dbt, "new", [a])).rejects.toMatchObject(refused);
    await expect(open().writeEdges(dbt, "all", [edgeOf(a, b, "derives")])).rejects.toMatchObject(refused);
    await expect(open().writeReferences(dbt, "all", [{ from: a.id, to: b.id }])).rejects.toMatchObject(refused);
    await expect(open().writeChecks(dbt, "all", [checkOf(w, "c", [a], [])])).rejects.toMatchObject(refused);
    await expect(open().sweep(dbt, "all")).rejects.toMatchObject(refused);
    await expect(open().markIncomplete(dbt, "all")).rejects.toMatchObject(refused);
    await expect(open().renameConnector({ ...dbt, connectorName: "shop" }, null)).rejects.toMatchObject(refused);
    expect(await look(open(), w, a)).toBeNull();
    await open().writeNodes(stampOf(w, "warehouse", 2), "all", [a]);
    expect(await look(open(), w, a)).toMatchObject({ connectors: ["warehouse"] });
  });

  it("A run can write nothing more once a later run of its connector has written", async () => {
    const w = newWorkspace();
    const [a, b] = [nodeOf(w, "table", "a"), nodeOf(w, "table", "b")];
    const early = { ...stampOf(w, "dbt", 1), run: 1 };
    const late = { ...stampOf(w, "dbt", 1), run: 2 };
    await open().writeNodes(early, "all", [a]);
    await open().writeNodes(late, "all", [a, b]);
    const refused = { code: "conflict", message: expect.stringContaining("Another worker") };
    await expect(open().writeNodes(early, "all", [a])).rejects.toMatchObject(refused);
    await expect(open().writeNodes(early, "new", [a])).rejects.toMatchObject(refused);
    await expect(open().writeEdges(early, "all", [edgeOf(a, b, "derives")])).rejects.toMatchObject(refused);
    await expect(open().writeReferences(early, "all", [{ from: a.id, to: b.id }])).rejects.toMatchObject(refused);
    await expect(open().writeChecks(early, "all", [checkOf(w, "c", [a], [])])).rejects.toMatchObject(refused);
    await expect(open().sweep({ ...early, syncId: "another" }, "all")).rejects.toMatchObject(refused);
    await expect(open().markIncomplete(early, "all")).rejects.toMatchObject(refused);
    expect(await look(open(), w, b)).not.toBeNull();
    await open().writeNodes(late, "all", [a]);
    await open().writeNodes({ ...stampOf(w, "warehouse", 1), run: 1 }, "all", [a]);
    await renameWhole(open(), { ...stampOf(w, "dbt", 3), connectorName: "shop" });
    expect(await look(open(), w, a)).toMatchObject({ connectors: ["shop", "warehouse"] });
  });

  it("If each scope has runs of its own, a run can write nothing more in a scope in which a later run has written", async () => {
    const w = newWorkspace();
    const [a, b] = [nodeOf(w, "table", "a"), nodeOf(w, "table", "b")];
    const stamp = { ...stampOf(w, "events", 1), runsByScope: true };
    const [early, late] = [
      { ...stamp, run: 1 },
      { ...stamp, run: 2 },
    ];
    await open().writeNodes(early, "job", [a]);
    await open().writeNodes(late, "job", [a, b]);
    const refused = { code: "conflict", message: expect.stringContaining("Another worker") };
    await expect(open().writeNodes(early, "job", [a])).rejects.toMatchObject(refused);
    await expect(open().writeEdges(early, "job", [edgeOf(a, b, "derives")])).rejects.toMatchObject(refused);
    await expect(open().writeReferences(early, "job", [{ from: a.id, to: b.id }])).rejects.toMatchObject(refused);
    await expect(open().writeChecks(early, "job", [checkOf(w, "c", [a], [])])).rejects.toMatchObject(refused);
    await expect(open().sweep({ ...early, syncId: "another" }, "job")).rejects.toMatchObject(refused);
    await expect(open().markIncomplete(early, "job")).rejects.toMatchObject(refused);
    expect(await look(open(), w, b)).not.toBeNull();
    await open().writeNodes(early, "another job", [a]);
    await open().writeNodes(late, "job", [b]);
    await renameWhole(open(), { ...stampOf(w, "events", 3), connectorName: "airflow" });
    expect(await look(open(), w, a)).toMatchObject({ connectors: ["airflow"] });
  });

  it("What people said about a removed connector's nodes is kept, in case the nodes return", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders");
    const dbt = stampOf(w, "dbt", 1);
    await open().writeNodes(dbt, "all", [orders]);
    await open().curate(w, orders.id, { description: "mine" }, editOf(2));
    await removeWhole(open(), dbt);
    await open().writeNodes(stampOf(w, "warehouse", 3), "all", [orders]);
    expect(await look(open(), w, orders)).toMatchObject({ description: "mine", createdAt: timeOf(1) });
    expect(await open().loadEdits(w, [orders.id])).toMatchObject([[{ field: "description", at: timeOf(2) }]]);
  });

  it("Renaming a connector changes the name on everything that it stated, and nothing else", async () => {
    const w = newWorkspace();
    const [a, b] = [nodeOf(w, "table", "a"), nodeOf(w, "table", "b", { description: "theirs" })];
    await open().writeNodes(stampOf(w, "dbt", 1), "one", [a]);
    await open().writeNodes(stampOf(w, "dbt", 1), "two", [b]);
    await open().writeNodes(stampOf(w, "warehouse", 1, 20), "all", [b]);
    const renamed = { ...stampOf(w, "dbt", 2), connectorName: "shop", at: timeOf(5) };
    await renameWhole(open(), renamed);
    expect(await look(open(), w, a)).toMatchObject({ sourceConnector: "shop", updatedAt: timeOf(5) });
    expect(await look(open(), w, b)).toMatchObject({ connectors: ["warehouse", "shop"], description: "theirs" });
    const held = async (connector: string) =>
      (await open().listNodes(w, { types: "asset", connector }, { after: null, limit: 5 })).items.length;
    expect([await held("dbt"), await held("shop")]).toEqual([0, 2]);
    await renameWhole(open(), { ...renamed, at: timeOf(8) });
    expect(await look(open(), w, a)).toMatchObject({ updatedAt: timeOf(5) });
    expect(await open().tally(stampOf(w, "dbt", 1))).toEqual({ discovered: 2, updated: 2 });
  });

  it.runIf(isFull)("A connector is renamed in steps, however much it stated", async () => {
    const w = newWorkspace();
    const nodes = Array.from({ length: 2_100 }, (_, i) => nodeOf(w, "table", `t${i}`));
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    await renameWhole(open(), { ...stampOf(w, "dbt", 2), connectorName: "shop" });
    const page = { after: null, limit: 1 };
    expect((await open().listNodes(w, { types: "asset", connector: "dbt" }, page)).items).toEqual([]);
    expect((await open().countNodes(w, { types: "asset", connector: "shop" })).table).toBe(2_100);
  });
}
