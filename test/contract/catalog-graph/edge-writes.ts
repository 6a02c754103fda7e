/** The edges that a crawl may state, their evidence, and the edges that its sweep removes. */
import { expect, it } from "vitest";

import type { ColumnUse } from "../../../src/catalog/edge.ts";
import type { CatalogGraph } from "../../../src/graph/catalog-graph.ts";
import type { EdgeWrite } from "../../../src/graph/catalog-writes.ts";
import type { NodeId, WorkspaceId } from "../../../src/ids.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import type { OpenGraph } from "../catalog-graph.ts";

const FILTER = { kind: "INDIRECT", transformation: "FILTER", expression: "id > 0" } as const;
const SUM = { kind: "DIRECT", transformation: "AGGREGATION", expression: "sum(id)" } as const;
const COPY = { kind: "DIRECT", transformation: "IDENTITY", expression: "id" } as const;

export function describeEdgeWrites(open: OpenGraph): void {
  it("Edges are refused and returned if the connector does not state their ends", async () => {
    const w = newWorkspace();
    const mine = nodeOf(w, "table", "mine");
    const theirs = nodeOf(w, "table", "theirs");
    const nobodys = nodeOf(w, "table", "nobodys");
    const gone = nodeOf(w, "table", "gone");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [gone]);
    await open().sweep(stampOf(w, "dbt", 2), "all");
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [mine]);
    await open().writeNodes(stampOf(w, "warehouse", 2), "all", [theirs]);
    const good = edgeOf(mine, mine, "derives");
    const bad = [theirs, nobodys, gone].flatMap((other) => [
      edgeOf(mine, other, "derives"),
      edgeOf(other, mine, "derives"),
    ]);
    expect(await open().writeEdges(stampOf(w, "dbt", 2), "all", [...bad, good])).toEqual(bad);
    expect(await edgesFrom(open(), w, mine)).toEqual([good]);
  });

  it("Edges between a column and a table or model are refused and returned", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.orders");
    const model = nodeOf(w, "model", "shop.orders_model");
    const id = columnOf(w, orders, "id", 0);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders, model, id]);
    const bad = [edgeOf(id, orders, "derives"), edgeOf(model, id, "derives")];
    expect(await open().writeEdges(stampOf(w, "dbt", 1), "all", bad)).toEqual(bad);
  });

  it("An edge may have its ends in different scopes of the connector", async () => {
    const w = newWorkspace();
    const source = nodeOf(w, "table", "source");
    const model = nodeOf(w, "model", "model");
    await open().writeNodes(stampOf(w, "dbt", 1), "sources", [source]);
    await open().writeNodes(stampOf(w, "dbt", 1), "models", [model]);
    const edge = edgeOf(source, model, "derives");
    expect(await open().writeEdges(stampOf(w, "dbt", 1), "models", [edge])).toEqual([]);
    expect(await edgesFrom(open(), w, source)).toEqual([edge]);
  });

  it("A sweep removes the edges that a crawl no longer states, and keeps those that it states", async () => {
    const w = newWorkspace();
    const a = nodeOf(w, "table", "a");
    const b = nodeOf(w, "table", "b");
    const kept = edgeOf(a, b, "derives");
    const dropped = edgeOf(a, b, "reads");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [a, b]);
    await open().writeEdges(stampOf(w, "dbt", 1), "all", [kept, dropped]);
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [a, b]);
    await open().writeEdges(stampOf(w, "dbt", 2), "all", [kept]);
    expect(await open().sweep(stampOf(w, "dbt", 2), "all")).toEqual({ removed: 0 });
    expect(await edgesFrom(open(), w, a)).toEqual([kept]);
  });

  it("An edge stays while one scope of one connector states it", async () => {
    const w = newWorkspace();
    const a = nodeOf(w, "table", "a");
    const b = nodeOf(w, "table", "b");
    const edge = edgeOf(a, b, "derives");
    for (const connector of ["dbt", "warehouse"]) {
      await open().writeNodes(stampOf(w, connector, 1), "nodes", [a, b]);
      await open().writeEdges(stampOf(w, connector, 1), "edges", [edge]);
    }
    await open().writeEdges(stampOf(w, "dbt", 1), "more edges", [edge]);
    await open().sweep(stampOf(w, "dbt", 2), "edges");
    await open().sweep(stampOf(w, "warehouse", 2), "edges");
    expect(await edgesFrom(open(), w, a)).toEqual([edge]);
    await open().sweep(stampOf(w, "dbt", 2), "more edges");
    expect(await edgesFrom(open(), w, a)).toEqual([]);
  });

  it("An edge is removed with either end, whatever its scope", async () => {
    const w = newWorkspace();
    const a = nodeOf(w, "table", "a");
    const b = nodeOf(w, "table", "b");
    await open().writeNodes(stampOf(w, "dbt", 1), "sources", [a]);
    await open().writeNodes(stampOf(w, "dbt", 1), "models", [b]);
    await open().writeEdges(stampOf(w, "dbt", 1), "models", [edgeOf(a, b, "derives")]);
    await open().sweep(stampOf(w, "dbt", 2), "sources");
    await open().writeNodes(stampOf(w, "dbt", 3), "sources", [a]);
    expect(await edgesFrom(open(), w, a)).toEqual([]);
  });

  it("If another connector still states the end, a connector removes only its own statement of the edge", async () => {
    const w = newWorkspace();
    const a = nodeOf(w, "table", "a");
    const b = nodeOf(w, "table", "b");
    const shared = edgeOf(a, b, "derives");
    const dbtOnly = edgeOf(a, b, "reads");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [a, b]);
    await open().writeNodes(stampOf(w, "warehouse", 1), "all", [a, b]);
    await open().writeEdges(stampOf(w, "dbt", 1), "edges", [shared, dbtOnly]);
    await open().writeEdges(stampOf(w, "warehouse", 1), "edges", [shared]);
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [a]);
    await open().sweep(stampOf(w, "dbt", 2), "all");
    expect(await edgesFrom(open(), w, a)).toEqual([shared]);
  });

  async function twoColumns() {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders");
    const a = columnOf(w, orders, "a", 0);
    const b = columnOf(w, orders, "b", 1);
    for (const connector of ["dbt", "warehouse"]) {
      await open().writeNodes(stampOf(w, connector, 1), "nodes", [orders, a, b]);
    }
    const state = async (connector: string, sync: number, scope: string, ...uses: ColumnUse[]) =>
      expect(await open().writeEdges(stampOf(w, connector, sync), scope, [edgeOf(a, b, "derives", uses)])).toEqual([]);
    const uses = async () => (await edgesFrom(open(), w, a)).map((edge) => edge.uses);
    return { w, a, b, state, uses };
  }

  it("An edge shows the uses of all claims, each once, in a fixed order", async () => {
    const { w, a, b, state, uses } = await twoColumns();
    await state("dbt", 1, "one", FILTER, COPY, FILTER);
    await state("dbt", 1, "two", COPY);
    await state("warehouse", 1, "one", SUM, FILTER);
    expect(await uses()).toEqual([[COPY, SUM, FILTER]]);
    const query = { id: b.id, direction: "upstream", first: 1, after: null } as const;
    expect(await open().loadNeighbours(w, [query])).toMatchObject([
      { items: [{ node: { id: a.id }, uses: [COPY, SUM, FILTER] }] },
    ]);
  });

  it("New uses of a claim replace those that it had before", async () => {
    const { state, uses } = await twoColumns();
    await state("dbt", 1, "edges", COPY);
    await state("warehouse", 1, "edges", FILTER);
    await state("dbt", 2, "edges", SUM);
    expect(await uses()).toEqual([[SUM, FILTER]]);
    await state("dbt", 2, "edges");
    expect(await uses()).toEqual([[FILTER]]);
  });

  it("A claim is removed with its uses, and those of other claims stay", async () => {
    const { w, state, uses } = await twoColumns();
    await state("dbt", 1, "edges", COPY, SUM);
    await state("warehouse", 1, "edges", SUM, FILTER);
    await open().sweep(stampOf(w, "dbt", 2), "edges");
    expect(await uses()).toEqual([[SUM, FILTER]]);
    await open().sweep(stampOf(w, "warehouse", 2), "edges");
    expect(await uses()).toEqual([]);
  });
}

/** The edges that leave a node, as its neighbours show them. If several lead to one node, each has the uses of all. */
export async function edgesFrom(
  graph: CatalogGraph,
  workspace: WorkspaceId,
  node: { id: NodeId },
): Promise<EdgeWrite[]> {
  const query = { id: node.id, direction: "downstream", first: 100, after: null } as const;
  const [found] = await graph.loadNeighbours(workspace, [query]);
  const items = found?.items ?? [];
  return items.flatMap(({ kinds, uses, node: { id } }) => kinds.map((kind) => ({ from: node.id, to: id, kind, uses })));
}
