/**
 * Nodes that a connector names without stating them: at the ends of its edges, and in the queries of its dashboards.
 */
import { describe, expect, it } from "vitest";

import { columnRef, nodeId, type NodeRef } from "../../../src/catalog/identity.ts";
import type { AssetStatement } from "../../../src/catalog/statement.ts";
import type { CrawlEvent } from "../../../src/connectors/connector.ts";
import { openColumnCrawl } from "../../support/column-crawl.ts";
import { edge, scope, table, tableRef } from "../../support/scripted-connector.ts";

const BOARD: NodeRef = { platform: "bi", instance: "", type: "dashboard", parts: ["boards", "sales"] };

function board(more: Partial<AssetStatement> = {}): CrawlEvent {
  return { kind: "asset", asset: { ref: BOARD, name: "Sales", facts: {}, columns: [], ...more } };
}

function asking(...sql: string[]): CrawlEvent {
  const on = { platform: "postgres", instance: "", parts: ["shop", "public"] };
  return board({ queries: sql.map((each) => ({ sql: each, on })) });
}

async function open() {
  const bench = await openColumnCrawl();
  const boardId = nodeId(bench.workspace.name, BOARD);
  const listed = async (): Promise<string[]> => {
    const { items } = await bench.graph.listNodes(bench.workspace.id, { types: ["table"] }, { after: null, limit: 50 });
    return items.map(({ name }) => name);
  };
  /** The tables that the dashboard reads. */
  const tablesRead = async (): Promise<string[]> => {
    const query = { id: boardId, direction: "upstream", first: 50, after: null } as const;
    const [found] = await bench.graph.loadNeighbours(bench.workspace.id, [query]);
    return (found?.items ?? []).map(({ node }) => node.fqn);
  };
  /** How the dashboard uses a column; empty if it does not. */
  const usesOf = async (...column: [relation: string, name: string]): Promise<string> => {
    const query = { id: bench.columnIdOf(...column), direction: "downstream", first: 50, after: null } as const;
    const [found] = await bench.graph.loadNeighbours(bench.workspace.id, [query]);
    const uses = (found?.items ?? []).flatMap(({ node, uses: own }) => (node.id === boardId ? own : []));
    return uses.map(({ kind, transformation }) => `${kind} ${transformation}`).join(", ");
  };
  return { ...bench, boardId, listed, tablesRead, usesOf };
}

describe("Ends of edges that no connector states", () => {
  it("An end of an edge that no connector states is in lineage and is found by id, but is in no list", async () => {
    const { crawl, find, idOf, parentsOf, listed } = await open();
    expect(await crawl(scope("all", [table("orders"), edge("raw", "orders")]))).toMatchObject({
      assetsDiscovered: 1,
      errors: [],
    });
    expect(await find(idOf("raw"))).toMatchObject({ existence: "referenced", name: "raw", fqn: "shop.public.raw" });
    expect(await parentsOf("orders")).toEqual(["raw"]);
    expect(await listed()).toEqual(["orders"]);
  });

  it("A referenced node is held while another connector states it, and then is referenced again", async () => {
    const { crawl, crawlAs, find, idOf } = await open();
    const read = scope("all", [table("orders"), edge("raw", "orders")]);
    await crawl(read);
    await crawlAs("warehouse", scope("all", [table("raw", { description: "As it came." })]));
    await crawl(read);
    expect(await find(idOf("raw"))).toMatchObject({ existence: "held", description: "As it came." });
    await crawlAs("warehouse", scope("all", []));
    expect(await find(idOf("raw"))).toMatchObject({ existence: "referenced", description: "" });
  });

  it("A column that only an edge names is inferred, until a connector lists it and after none does", async () => {
    const { crawl, crawlAs, find, columnIdOf } = await open();
    const [from, to] = [columnRef(tableRef("raw"), "rate"), columnRef(tableRef("shown"), "rate")];
    const copies: CrawlEvent = { kind: "edge", edge: { from, to, kind: "derives" }, object: "rate" };
    await crawl(scope("all", [table("shown", {}, ["rate"]), copies]));
    const id = columnIdOf("raw", "rate");
    expect(await find(id)).toMatchObject({ existence: "referenced", inferred: true });
    await crawlAs("warehouse", scope("all", [table("raw", {}, ["rate", "code"])]));
    expect(await find(id)).toMatchObject({ existence: "held", inferred: false });
    await crawlAs("warehouse", scope("all", [table("raw", {}, ["fx_rate", "code"])]));
    expect(await find(id)).toMatchObject({ existence: "referenced", inferred: true });
  });

  it("A referenced node is removed with the last edge that names it", async () => {
    const { crawl, find, idOf } = await open();
    await crawl(scope("all", [table("orders"), edge("raw", "orders")]));
    await crawl(scope("all", [table("orders")]));
    expect(await find(idOf("raw"))).toBeNull();
  });

  it("A referenced node stays held if an earlier or later scope of the same crawl states it", async () => {
    const { crawl, find, idOf } = await open();
    const early = scope("early", [table("a"), edge("a", "b"), edge("late", "a")]);
    await crawl([
      ...scope("first", [table("b", { description: "stated" })]),
      ...early,
      ...scope("last", [table("late")]),
    ]);
    expect(await find(idOf("b"))).toMatchObject({ existence: "held", description: "stated" });
    expect(await find(idOf("late"))).toMatchObject({ existence: "held" });
  });

  it("A column can be referenced, with its uses", async () => {
    const { crawl, find, columnIdOf, sourcesOf } = await open();
    const from = columnRef(tableRef("raw"), "amount");
    const to = columnRef(tableRef("orders"), "total");
    const uses = [{ kind: "DIRECT", transformation: "AGGREGATION", expression: "sum(amount)" }] as const;
    await crawl(
      scope("all", [
        table("orders", {}, ["total"]),
        { kind: "edge", edge: { from, to, kind: "derives", uses }, object: "x" },
      ]),
    );
    expect(await sourcesOf("orders", "total")).toEqual(["amount DIRECT AGGREGATION sum(amount)"]);
    expect(await find(columnIdOf("raw", "amount"))).toMatchObject({ existence: "referenced", type: "column" });
  });
});

describe("Queries of a dashboard", () => {
  it("A dashboard's queries give edges from the columns that they read, and from the columns' tables", async () => {
    const { crawl, tablesRead, usesOf } = await open();
    const orders = table("orders", {}, ["id", "total", "status"]);
    await crawl(scope("all", [orders, asking("select sum(total) from orders where status = 'paid'")]));
    expect(await tablesRead()).toEqual(["shop.public.orders"]);
    expect(await usesOf("orders", "total")).toBe("DIRECT AGGREGATION");
    expect(await usesOf("orders", "status")).toBe("INDIRECT FILTER");
    expect(await usesOf("orders", "id")).toBe("");
  });

  it("A dashboard's query may read tables that no crawl has seen, with the columns that it names", async () => {
    const { crawl, tablesRead, usesOf, find, idOf, columnIdOf, boardId } = await open();
    await crawl(scope("all", [asking("select r.amount from raw r join lake.public.fx f on f.day = r.day")]));
    expect(await tablesRead()).toEqual(["lake.public.fx", "shop.public.raw"]);
    expect(await usesOf("raw", "amount")).toBe("DIRECT IDENTITY");
    expect(await usesOf("raw", "day")).toBe("INDIRECT JOIN");
    expect(await find(idOf("raw"))).toMatchObject({ existence: "referenced" });
    expect(await find(columnIdOf("raw", "amount"))).toMatchObject({ existence: "referenced" });
    expect(await find(boardId)).toMatchObject({ columnLineage: { status: "known" } });
  });

  it("A dashboard's query reads the columns that another connector lists", async () => {
    const { crawl, crawlAs, usesOf } = await open();
    await crawlAs("warehouse", scope("all", [table("orders", {}, ["id", "total"])]));
    await crawl(scope("all", [asking("select * from orders")]));
    expect(await usesOf("orders", "id")).toBe("DIRECT IDENTITY");
    expect(await usesOf("orders", "total")).toBe("DIRECT IDENTITY");
  });

  it("A query and a stated edge of a dashboard can name different columns of another connector's table", async () => {
    const { crawl, crawlAs, usesOf } = await open();
    await crawlAs("warehouse", scope("all", [table("orders", {}, ["id", "status"])]));
    const uses = [{ kind: "INDIRECT", transformation: "FILTER", expression: "status" }] as const;
    const from = columnRef(tableRef("orders"), "status");
    const filter: CrawlEvent = { kind: "edge", edge: { from, to: BOARD, kind: "powers", uses }, object: "sales" };
    expect(await crawl(scope("all", [asking("select id from orders"), filter]))).toMatchObject({ errors: [] });
    expect(await usesOf("orders", "id")).toBe("DIRECT IDENTITY");
    expect(await usesOf("orders", "status")).toBe("INDIRECT FILTER");
  });

  it("A dashboard with a query that cannot be read has partial lineage from its other queries", async () => {
    const { crawl, usesOf, find, boardId } = await open();
    await crawl(scope("all", [table("orders", {}, ["id"]), asking("select id from orders", "select from where (")]));
    expect(await usesOf("orders", "id")).toBe("DIRECT IDENTITY");
    expect(await find(boardId)).toMatchObject({ columnLineage: { status: "partial" } });
  });
});

describe("Dashboards without queries", () => {
  it("A dashboard without queries states itself whether its columns are all that it reads", async () => {
    const { crawl, find, boardId } = await open();
    await crawl(scope("all", [board()]));
    expect(await find(boardId)).toMatchObject({ columnLineage: null });
    const columnsRead = { status: "partial", reason: "a segment could not be read" } as const;
    await crawl(scope("all", [board({ columnsRead })]));
    expect(await find(boardId)).toMatchObject({ columnLineage: columnsRead });
  });
});
