/** What is kept of the graph's past, and how it is asked about. */
import { expect, it } from "vitest";

import { PEOPLE } from "../../../src/catalog/layers.ts";
import { AppError } from "../../../src/errors.ts";
import type { GraphReader } from "../../../src/graph/catalog-graph.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { columnOf, edgeOf, editOf, newWorkspace, nodeOf, stampOf, timeOf } from "../../support/graph-writes.ts";
import type { OpenGraph } from "../catalog-graph.ts";

async function sqlAt(
  graph: GraphReader,
  step: number,
  workspace: WorkspaceId,
  node: { id: ReturnType<typeof nodeOf>["id"] },
) {
  const [found] = await graph.readPast(timeOf(step), "loadNodes", workspace, [node.id]);
  return found?.sql;
}

export function describeHistory(graph: OpenGraph): void {
  it("A model has the SQL of the day that is asked for, through changes, removal and return", async () => {
    const workspace = newWorkspace();
    const state = async (step: number, sql: string | null): Promise<void> => {
      const stamp = stampOf(workspace, "dbt", step);
      const nodes = sql === null ? [] : [nodeOf(workspace, "model", "wh.orders", { sql })];
      await graph().writeNodes(stamp, "all", nodes);
      await graph().sweep(stamp, "all");
    };
    const model = nodeOf(workspace, "model", "wh.orders");
    await state(1, "select a, b from t");
    await state(2, "select a, c, b from t");
    await state(3, "select a, c, b from t");
    await state(4, "");
    await state(5, null);
    await state(6, "select a");
    const seen = [];
    for (const step of [1, 2, 3, 4, 5, 6]) seen.push(await sqlAt(graph(), step, workspace, model));
    expect(seen).toEqual([
      "select a, b from t",
      "select a, c, b from t",
      "select a, c, b from t",
      "",
      undefined,
      "select a",
    ]);
  });

  it("An edge is walked until the day on which its connector took it back", async () => {
    const workspace = newWorkspace();
    const [orders, view] = [nodeOf(workspace, "table", "wh.orders"), nodeOf(workspace, "model", "wh.view")];
    for (const step of [1, 2, 3]) {
      const stamp = stampOf(workspace, "dbt", step);
      await graph().writeNodes(stamp, "all", [orders, view]);
      if (step < 3) await graph().writeEdges(stamp, "all", [edgeOf(orders, view, "derives")]);
      await graph().sweep(stamp, "all");
    }
    const walkAt = async (step: number) => {
      const query = { root: view.id, direction: "upstream", depth: 3, maxNodes: 10 } as const;
      return (await graph().readPast(timeOf(step), "walk", workspace, query))?.nodes.map(({ name }) => name);
    };
    expect(await walkAt(2)).toEqual(["orders"]);
    expect(await walkAt(3)).toEqual([]);
  });

  it("An edit by a person has a day too", async () => {
    const workspace = newWorkspace();
    const orders = nodeOf(workspace, "table", "wh.orders", { description: "from dbt" });
    await graph().writeNodes(stampOf(workspace, "dbt", 1), "all", [orders]);
    await graph().curate(workspace, orders.id, { description: "by hand" }, editOf(3));
    const at = async (step: number) =>
      (await graph().readPast(timeOf(step), "loadNodes", workspace, [orders.id]))[0]?.description;
    expect([await at(2), await at(3)]).toEqual(["from dbt", "by hand"]);
  });

  it("Before history begins, the answer is an error that says when it begins", async () => {
    const workspace = newWorkspace();
    const orders = nodeOf(workspace, "table", "wh.orders");
    await graph().writeNodes(stampOf(workspace, "dbt", 5), "all", [orders]);
    const asked = graph().readPast(timeOf(4), "loadNodes", workspace, [orders.id]);
    await expect(asked).rejects.toThrow(AppError);
    await expect(asked).rejects.toThrow(timeOf(5));
  });

  it("A sweep removes what is only needed for earlier days, and says that history begins later", async () => {
    const workspace = newWorkspace();
    const write = (step: number, sql: string) =>
      graph().writeNodes(stampOf(workspace, "dbt", step), "all", [nodeOf(workspace, "model", "wh.orders", { sql })]);
    const model = nodeOf(workspace, "model", "wh.orders");
    for (const step of [1, 3, 5, 7]) await write(step, `select ${step}`);
    while (!(await graph().sweepHistory(workspace, timeOf(4)))) {
      // Each step removes some.
    }
    await expect(sqlAt(graph(), 2, workspace, model)).rejects.toThrow(timeOf(3));
    const seen = [];
    for (const step of [3, 4, 5, 6, 7]) seen.push(await sqlAt(graph(), step, workspace, model));
    expect(seen).toEqual(["select 3", "select 3", "select 5", "select 5", "select 7"]);
  });

  it("A writer with an earlier time does not change what was shown before", async () => {
    const workspace = newWorkspace();
    const table = (description: string) => nodeOf(workspace, "table", "wh.orders", { description });
    await graph().writeNodes(stampOf(workspace, "dbt", 1), "all", [table("first")]);
    await graph().writeNodes(stampOf(workspace, "dbt", 4), "all", [table("second")]);
    await graph().writeNodes(stampOf(workspace, PEOPLE, 2), "all", [table("late")]);
    const at = async (step: number) =>
      (await graph().readPast(timeOf(step), "loadNodes", workspace, [table("").id]))[0]?.description;
    expect([await at(1), await at(3)]).toEqual(["first", "first"]);
  });

  it("A column belongs to its table on the days on which it was there", async () => {
    const workspace = newWorkspace();
    const orders = nodeOf(workspace, "table", "wh.orders");
    const [id, total] = ["id", "total"].map((name, i) => columnOf(workspace, orders, name, i));
    for (const [step, columns] of [[id, total], [id]].entries()) {
      const stamp = stampOf(workspace, "dbt", step + 1);
      await graph().writeNodes(stamp, "all", [orders, ...columns.filter((column) => column !== undefined)]);
      await graph().sweep(stamp, "all");
    }
    const at = async (step: number) =>
      (await graph().readPast(timeOf(step), "loadColumns", workspace, [orders.id]))[0]?.map(({ name }) => name);
    expect([await at(1), await at(2)]).toEqual([["id", "total"], ["id"]]);
  });
}
