/** How much assets are used: who is believed, and that a day's new counts are no change of the catalog. */
import { expect, it } from "vitest";

import type { AssetUsage } from "../../../src/catalog/usage.ts";
import { edgeOf, look, newWorkspace, nodeOf, removeWhole, stampOf, timeOf } from "../../support/graph-writes.ts";
import type { OpenGraph } from "../catalog-graph.ts";

const usageOf = (users: number): AssetUsage => ({ users, queries: null, views: 12, until: timeOf(users) });

export function describeUsage(graph: OpenGraph): void {
  it("The usage of an asset comes from the first connector by precedence that tells it", async () => {
    const workspace = newWorkspace();
    const board = (usage?: AssetUsage) => nodeOf(workspace, "dashboard", "sales", usage === undefined ? {} : { usage });
    const seen = async () => (await look(graph(), workspace, board()))?.usage;
    await graph().writeNodes(stampOf(workspace, "dbt", 1, 20), "all", [board()]);
    expect(await seen()).toBeNull();
    await graph().writeNodes(stampOf(workspace, "datahub", 1, 10), "all", [board(usageOf(3))]);
    expect(await seen()).toEqual(usageOf(3));
    await graph().writeNodes(stampOf(workspace, "metabase", 1, 30), "all", [board(usageOf(1))]);
    expect(await seen()).toEqual(usageOf(1));
    await removeWhole(graph(), stampOf(workspace, "metabase", 2, 30));
    expect(await seen()).toEqual(usageOf(3));
    await graph().writeNodes(stampOf(workspace, "datahub", 2, 10), "all", [board()]);
    expect(await seen()).toBeNull();
  });

  it("New counts alone are no change: neither the time of the last change nor the tally tells of them", async () => {
    const workspace = newWorkspace();
    const state = async (sync: number, usage: AssetUsage) => {
      const stamp = stampOf(workspace, "datahub", sync);
      const board = nodeOf(workspace, "dashboard", "sales", { usage });
      await graph().writeNodes(stamp, "all", [board]);
      return { node: await look(graph(), workspace, board), tally: await graph().tally(stamp) };
    };
    await state(1, usageOf(3));
    const { node, tally } = await state(2, usageOf(4));
    expect(node).toMatchObject({ usage: usageOf(4), updatedAt: timeOf(1) });
    expect(tally).toEqual({ discovered: 1, updated: 0 });
  });

  it("What a source tells of the last run or write is no change of the asset, and none of its history", async () => {
    const workspace = newWorkspace();
    const state = async (sync: number, written: string) => {
      const table = nodeOf(workspace, "table", "orders", { latest: { last_written: written } });
      await graph().writeNodes(stampOf(workspace, "datahub", sync, 10), "all", [table]);
      return look(graph(), workspace, table);
    };
    const first = await state(1, timeOf(1));
    const second = await state(2, timeOf(2));
    expect([first, second].map((node) => node?.usage?.latest)).toEqual(
      [1, 2].map((n) => ({ last_written: timeOf(n) })),
    );
    expect(second).toEqual({ ...first, usage: second?.usage });
    const page = { after: null, limit: 9 };
    const past = await graph().readPast(timeOf(1), "listNodes", workspace, { types: ["table"] }, page);
    expect(past.items.map(({ usage, meta }) => [usage, meta])).toEqual([[null, {}]]);
  });

  it("An impact lists the most used first of what has the same risk and distance", async () => {
    const workspace = newWorkspace();
    const orders = nodeOf(workspace, "table", "orders");
    const boards = ["a", "b", "c"].map((name, i) =>
      nodeOf(workspace, "dashboard", name, { usage: usageOf([2, 9, 0][i] ?? 0) }),
    );
    const stamp = stampOf(workspace, "datahub", 1);
    await graph().writeNodes(stamp, "all", [orders, ...boards]);
    await graph().writeEdges(
      stamp,
      "all",
      boards.map((board) => edgeOf(orders, board, "powers")),
    );
    const query = { root: orders.id, change: "asset_drop", newType: null, maxAffected: 10 } as const;
    const impact = await graph().assessImpact(workspace, query);
    expect(impact?.affected.map(({ name }) => name)).toEqual(["b", "a", "c"]);
  });

  it("As of an earlier time, no usage is known, and no list has its order", async () => {
    const workspace = newWorkspace();
    const state = async (sync: number, usage: AssetUsage, description = ""): Promise<void> => {
      const boards = ["sales", "stock"].map((name) => nodeOf(workspace, "dashboard", name, { usage, description }));
      await graph().writeNodes(stampOf(workspace, "datahub", sync), "all", boards);
    };
    await state(1, usageOf(3));
    await state(2, usageOf(4), "changed");
    const page = { after: null, limit: 10 };
    const listed = async (sync: number) =>
      (await graph().readPast(timeOf(sync), "listNodes", workspace, { types: "asset" }, page)).items;
    expect((await listed(1)).map(({ usage, description }) => [usage, description])).toEqual([
      [null, ""],
      [null, ""],
    ]);
    expect((await listed(2)).map(({ usage, description }) => [usage, description])).toEqual([
      [null, "changed"],
      [null, "changed"],
    ]);
    const sorted = graph().readPast(timeOf(2), "sortNodes", workspace, { types: "asset" }, "usage", page);
    await expect(sorted).rejects.toMatchObject({ code: "bad_request" });
  });
}
