/** What the list of changes says: one entry for each cause, the newest first. */
import { expect, it } from "vitest";

import type { MetricDefinition } from "../../../src/catalog/metric.ts";
import { AppError } from "../../../src/errors.ts";
import type { CatalogGraph } from "../../../src/graph/catalog-graph.ts";
import type { EdgeWrite, NodeWrite } from "../../../src/graph/catalog-writes.ts";
import type { ChangeQuery } from "../../../src/graph/history/list-changes.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { columnOf, edgeOf, editOf, newWorkspace, nodeOf, stampOf, timeOf } from "../../support/graph-writes.ts";
import type { OpenGraph } from "../catalog-graph.ts";

interface Crawled {
  nodes: NodeWrite[];
  edges?: EdgeWrite[];
}

/** Crawls these states one after the other. */
async function crawl(graph: CatalogGraph, workspace: WorkspaceId, ...states: Crawled[]): Promise<void> {
  for (const [i, { nodes, edges = [] }] of states.entries()) {
    const stamp = stampOf(workspace, "dbt", i + 1);
    await graph.writeNodes(stamp, "all", nodes);
    await graph.writeEdges(stamp, "all", edges);
    await graph.sweep(stamp, "all");
  }
}

async function listed(graph: CatalogGraph, workspace: WorkspaceId, query: Partial<ChangeQuery> = {}) {
  const whole = { since: null, until: timeOf(50), ...query };
  const { items } = await graph.listChanges(workspace, whole, { after: null, limit: 50 });
  return items.map(({ kind, node, field, before, after, details, risk }) =>
    Object.assign(
      { kind, fqn: node.fqn, risk },
      field === null ? {} : { field, before, after },
      details.length === 0 ? {} : { details: details.map((part) => `${part.kind} ${part.name}`) },
    ),
  );
}

function setUp() {
  const workspace = newWorkspace();
  const table = nodeOf(workspace, "table", "wh.raw");
  const model = (sql: string, fqn = "wh.orders") => nodeOf(workspace, "model", fqn, { sql });
  return { workspace, table, model };
}

function lineage(basis: string) {
  return { columnLineage: { status: "known", reason: "", basis } } as const;
}

export function describeChanges(graph: OpenGraph): void {
  it("A first crawl and a repeated crawl write no changes", async () => {
    const { workspace, table, model } = setUp();
    const state = { nodes: [table, model("select 1")], edges: [edgeOf(table, model(""), "derives")] };
    await crawl(graph(), workspace, state, state, state);
    expect(await listed(graph(), workspace)).toEqual([]);
  });

  it("The first crawl of a second connector writes no changes", async () => {
    const { workspace, table, model } = setUp();
    await crawl(graph(), workspace, { nodes: [table] });
    await graph().writeNodes(stampOf(workspace, "warehouse", 5), "all", [model("select 1")]);
    expect(await listed(graph(), workspace)).toEqual([]);
  });

  it("What a second connector adds when it states an asset for the first time is no change, but its later changes are", async () => {
    const { workspace, table, model } = setUp();
    const old = model("select 1", "wh.old");
    const [orders, column] = [model("select 2"), columnOf(workspace, model(""), "id", 0)];
    const seenAs = (ownerName: string, dataType: string): NodeWrite[] => [
      nodeOf(workspace, "table", "wh.orders", { ownerName, description: "Orders", tags: ["pii"] }),
      columnOf(workspace, model(""), "id", 0, { dataType }),
    ];
    await graph().writeNodes(stampOf(workspace, "warehouse", 1), "all", [table]);
    await crawl(graph(), workspace, { nodes: [old] }, { nodes: [old, orders, column] });
    await graph().writeNodes(stampOf(workspace, "warehouse", 5), "all", [table, ...seenAs("etl", "integer")]);
    expect(await listed(graph(), workspace)).toMatchObject([{ kind: "asset_added", fqn: "wh.orders" }]);
    await graph().writeNodes(stampOf(workspace, "warehouse", 6), "all", [table, ...seenAs("admin", "text")]);
    expect((await listed(graph(), workspace)).map(({ kind, fqn }) => `${kind} ${fqn}`)).toEqual([
      "owner_changed wh.orders",
      "column_retyped wh.orders.id",
      "asset_added wh.orders",
    ]);
  });

  it("What events tell is listed from the first one on, because no crawl came before them", async () => {
    const { workspace, table, model } = setUp();
    await crawl(graph(), workspace, { nodes: [table] });
    // The ids of syncs are those of other scopes, because each scope counts its own runs.
    for (const [i, fqn] of ["wh.orders", "wh.items"].entries()) {
      const stamp = { ...stampOf(workspace, "events", 5), at: timeOf(5 + i), run: i + 1, runsByScope: true };
      await graph().writeNodes(stamp, fqn, [model("select 1", fqn)]);
    }
    expect(await listed(graph(), workspace)).toMatchObject([
      { kind: "asset_added", fqn: "wh.items" },
      { kind: "asset_added", fqn: "wh.orders" },
    ]);
  });

  it("Another filter, grain, kind or dimension of a metric is a change as another expression is, and its edges are told once", async () => {
    const { workspace, table } = setUp();
    const definition = { displayName: "Orders", kind: "simple", expression: "count(*)", grain: "day" } as const;
    const metric = (said: Partial<MetricDefinition>): NodeWrite =>
      nodeOf(workspace, "metric", "shop.orders", {
        metric: { ...definition, dimensions: [], filters: [], ...said },
      });
    const redefined = metric({ kind: "cumulative", filters: ["paid", "not test"], dimensions: ["country"], grain: "" });
    await crawl(
      graph(),
      workspace,
      { nodes: [table, metric({})] },
      { nodes: [table, redefined], edges: [edgeOf(table, redefined, "defines")] },
      { nodes: [table, metric({ ...redefined.facts.metric, displayName: "All orders" })] },
    );
    const all = await listed(graph(), workspace, { until: timeOf(2) });
    expect(all.toSorted((a, b) => String(a["field"]).localeCompare(String(b["field"])))).toMatchObject([
      { kind: "sql_changed", field: "dimensions", before: null, after: "country" },
      { kind: "sql_changed", field: "filters", before: null, after: "paid and not test" },
      { kind: "sql_changed", field: "grain", before: "day", after: null },
      { kind: "sql_changed", field: "kind", before: "simple", after: "cumulative" },
    ]);
    expect(all.flatMap(({ details }) => details ?? [])).toEqual(["edge_added wh.raw"]);
  });

  it("An added model is one entry, without its columns and edges", async () => {
    const { workspace, table, model } = setUp();
    const added = model("select id from wh.raw");
    const nodes = [table, added, columnOf(workspace, added, "id", 0)];
    await crawl(graph(), workspace, { nodes: [table] }, { nodes, edges: [edgeOf(table, added, "derives")] });
    expect(await listed(graph(), workspace)).toEqual([{ kind: "asset_added", fqn: "wh.orders", risk: null }]);
  });

  it("A removed model is one entry, at the risk that its removal had", async () => {
    const { workspace, table, model } = setUp();
    const [orders, report] = [model("select id"), model("select id from wh.orders", "wh.report")];
    const nodes = [table, orders, columnOf(workspace, orders, "id", 0), report];
    const edges = [edgeOf(table, orders, "derives"), edgeOf(orders, report, "derives")];
    await crawl(graph(), workspace, { nodes, edges }, { nodes: [table, report] });
    expect(await listed(graph(), workspace)).toEqual([{ kind: "asset_removed", fqn: "wh.orders", risk: "high" }]);
  });

  it("A model that its connector no longer states, but the warehouse does, became a table, by a change of both", async () => {
    const { workspace, table, model } = setUp();
    const orders = model("select 1");
    await graph().writeNodes(stampOf(workspace, "warehouse", 0), "all", [{ ...orders, type: "table" }]);
    await crawl(graph(), workspace, { nodes: [table, orders] }, { nodes: [table] });
    const became = { kind: "type_changed", fqn: "wh.orders", field: "type", before: "model", after: "table" };
    for (const connector of ["dbt", "warehouse"]) {
      const changes = await listed(graph(), workspace, { connector, kinds: ["type_changed"] });
      expect(changes).toEqual([{ ...became, risk: null }]);
    }
    expect(await listed(graph(), workspace, { connector: "another" })).toEqual([]);
  });

  it("A model under another name is one entry", async () => {
    const { workspace, model } = setUp();
    const [old, next] = [model("select a, b from t"), model("select a, b from t", "wh.orders_v2")];
    const states = [old, next].map((each) => ({ nodes: [each, columnOf(workspace, each, "a", 0)] }));
    await crawl(graph(), workspace, ...states);
    expect(await listed(graph(), workspace)).toEqual([
      {
        kind: "asset_renamed",
        fqn: "wh.orders_v2",
        field: "name",
        before: "wh.orders",
        after: "wh.orders_v2",
        risk: null,
      },
    ]);
  });

  it("A model's new SQL is one entry with the columns and edges that it changed", async () => {
    const { workspace, table, model } = setUp();
    const other = nodeOf(workspace, "table", "wh.other");
    const [before, after] = [model("select a from wh.raw"), model("select b from wh.other")];
    const column = (name: string) => columnOf(workspace, before, name, 0);
    await crawl(
      graph(),
      workspace,
      { nodes: [table, other, before, column("a")], edges: [edgeOf(table, before, "derives")] },
      { nodes: [table, other, after, column("b")], edges: [edgeOf(other, after, "derives")] },
    );
    expect(await listed(graph(), workspace)).toEqual([
      {
        kind: "sql_changed",
        fqn: "wh.orders",
        field: "sql",
        before: "select a from wh.raw",
        after: "select b from wh.other",
        details: ["column_added b", "column_removed a", "edge_added wh.other", "edge_removed wh.raw"],
        risk: null,
      },
    ]);
  });

  it("New SQL is a risk if it computes otherwise what dashboards or metrics use, and none if it is spelled otherwise", async () => {
    const { workspace, model } = setUp();
    const [board, other] = [nodeOf(workspace, "dashboard", "board"), model("", "wh.other")];
    const state = (sql: string, basis: string, [a = "", b = ""] = ["a", "b"]): Crawled => {
      const orders = nodeOf(workspace, "model", "wh.orders", { sql, ...lineage(basis) });
      const columns = [
        columnOf(workspace, orders, "a", 0, lineage(a)),
        columnOf(workspace, orders, "b", 1, lineage(b)),
      ];
      const [used, unused] = columns;
      const edges = [edgeOf(orders, board, "powers"), edgeOf(orders, other, "derives")];
      if (used !== undefined) edges.push(edgeOf(used, board, "powers"));
      if (unused !== undefined) edges.push(edgeOf(unused, columnOf(workspace, other, "b", 0), "derives"));
      return { nodes: [orders, board, other, columnOf(workspace, other, "b", 0), ...columns], edges };
    };
    await crawl(
      graph(),
      workspace,
      state("select 1 a, 1 b", "1"),
      state("SELECT 1 a, 1 b", "1"),
      state("select 1 a, 2 b", "2", ["a", "b2"]),
      state("select 2 a, 2 b", "3", ["a2", "b2"]),
    );
    const changes = await listed(graph(), workspace);
    expect(changes.map(({ kind, after, risk }) => [kind, after, risk])).toEqual([
      ["sql_changed", "select 2 a, 2 b", "medium"],
      ["sql_changed", "select 1 a, 2 b", null],
      ["sql_changed", "SELECT 1 a, 1 b", null],
    ]);
  });

  it("A column of a table that is dropped or gets another type has the risk that an impact of that has", async () => {
    const { workspace, table } = setUp();
    const report = nodeOf(workspace, "dashboard", "report");
    const column = (name: string, dataType: string) => columnOf(workspace, table, name, 0, { dataType });
    const [a, b] = [column("a", "bigint"), column("b", "bigint")];
    const edges = [edgeOf(table, report, "powers"), edgeOf(a, report, "powers"), edgeOf(b, report, "powers")];
    const kept = [edgeOf(table, report, "powers"), edgeOf(b, report, "powers")];
    await crawl(
      graph(),
      workspace,
      { nodes: [table, report, a, b], edges },
      { nodes: [table, report, column("b", "integer")], edges: kept },
    );
    expect(await listed(graph(), workspace)).toEqual([
      { kind: "column_removed", fqn: "wh.raw.a", risk: "high" },
      { kind: "column_retyped", fqn: "wh.raw.b", field: "type", before: "bigint", after: "integer", risk: "medium" },
    ]);
  });

  it("Another name for the same type is no change of a column", async () => {
    const { workspace, table } = setUp();
    const states = ["TEXT", "text", "character varying", "varchar(10)"].map((dataType) => ({
      nodes: [table, columnOf(workspace, table, "name", 0, { dataType })],
    }));
    await crawl(graph(), workspace, ...states);
    expect(await listed(graph(), workspace)).toMatchObject([
      { kind: "column_retyped", before: "character varying", after: "varchar(10)" },
    ]);
  });

  it("What a person edits says who, and an edge between assets says its ends", async () => {
    const { workspace, table } = setUp();
    const report = nodeOf(workspace, "dashboard", "report");
    await crawl(
      graph(),
      workspace,
      { nodes: [table, report] },
      { nodes: [table, report], edges: [edgeOf(table, report, "powers")] },
    );
    await graph().curate(workspace, table.id, { description: "raw orders", tags: ["pii"] }, editOf(9));
    expect(await listed(graph(), workspace)).toEqual([
      {
        kind: "description_changed",
        fqn: "wh.raw",
        field: "description",
        before: null,
        after: "raw orders",
        risk: null,
      },
      { kind: "tags_changed", fqn: "wh.raw", field: "tags", before: null, after: "pii", risk: null },
      { kind: "edge_added", fqn: "report", field: "upstream", before: null, after: "wh.raw", risk: null },
    ]);
    const query = { since: timeOf(9), until: timeOf(9) };
    const { items } = await graph().listChanges(workspace, query, { after: null, limit: 1 });
    expect(items[0]?.moment).toMatchObject({ actor: "ada@example.com", at: timeOf(9) });
    expect((await listed(graph(), workspace, { about: table.id })).length).toBe(3);
    expect((await listed(graph(), workspace, { tag: "pii", kinds: ["tags_changed"] })).length).toBe(1);
  });

  it("A span that begins before the history is refused with the time when it begins", async () => {
    const { workspace, table } = setUp();
    await graph().writeNodes(stampOf(workspace, "dbt", 5), "all", [table]);
    const asked = graph().listChanges(workspace, { since: timeOf(4), until: timeOf(9) }, { after: null, limit: 1 });
    await expect(asked).rejects.toThrow(AppError);
    await expect(asked).rejects.toThrow(timeOf(5));
  });

  it("After a sweep of the history, changes begin after the first moment that is left", async () => {
    const { workspace, model } = setUp();
    const states = [1, 2, 3, 4].map((i) => ({ nodes: [model(`select ${i}`)] }));
    await crawl(graph(), workspace, ...states);
    while (!(await graph().sweepHistory(workspace, timeOf(2)))) {
      // Each step removes some.
    }
    expect(await listed(graph(), workspace)).toMatchObject([{ after: "select 4" }, { after: "select 3" }]);
  });
}
