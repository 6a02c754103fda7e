import { describe, expect, it } from "vitest";

import { nodeId } from "../../../src/catalog/identity.ts";
import type { CrawlEvent } from "../../../src/connectors/connector.ts";
import type { CrawlProgress } from "../../../src/metadata/records.ts";
import { unresolved } from "../../../src/sql-lineage/request.ts";
import { openColumnCrawl } from "../../support/column-crawl.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import { edge, scope, table, tableRef } from "../../support/scripted-connector.ts";

const SOURCE = table("payments", {}, ["id", "amount", "status"]);
const SUM = "select id, sum(amount) as total from shop.public.payments where status = 'paid' group by id";

/** A scope with tables that are made from `payments` by this SQL. */
const made = (...tables: CrawlEvent[]): CrawlEvent[] =>
  scope("all", [
    SOURCE,
    ...tables,
    ...tables.flatMap((event) => (event.kind === "asset" ? [edge("payments", event.asset.name)] : [])),
  ]);

const KNOWN = { status: "known", reason: "" };
const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);
const KNOWN_COLUMN = { ...KNOWN, basis: HASH };
const KNOWN_SQL = { ...KNOWN_COLUMN, reads: [expect.any(String)], rows: { basis: HASH, from: expect.any(Array) } };

describe("Column lineage of a crawl", () => {
  it("Columns derive from the columns that the SQL names, with how it uses them", async () => {
    const { crawl, sourcesOf, lineageOf } = await openColumnCrawl();
    const outcome = await crawl(made(table("totals", { sql: SUM }, ["id", "total"])));
    expect(outcome).toMatchObject({ status: "completed", errors: [], assetsDiscovered: 7, assetsUpdated: 7 });
    expect(await sourcesOf("totals", "total")).toEqual([
      "amount DIRECT AGGREGATION SUM(amount)",
      "id INDIRECT GROUP_BY id",
      "status INDIRECT FILTER status = 'paid'",
    ]);
    expect(await lineageOf("totals")).toEqual(KNOWN_SQL);
    expect(await lineageOf("totals", "total")).toEqual(KNOWN_COLUMN);
    expect(await lineageOf("payments")).toBeNull();
    expect(await lineageOf("payments", "id")).toBeNull();
  });

  it("A second crawl of the same SQL changes no column and does not read the SQL again", async () => {
    let read = 0;
    const inner = await openColumnCrawl();
    const { crawl } = await openColumnCrawl(createReferenceGraph(), (request, caller) => {
      read += 1;
      return inner.sqlLineage.resolve(request, caller);
    });
    const events = made(table("totals", { sql: SUM }, ["id", "total"]), table("bad", { sql: "select from (" }, ["x"]));
    expect(await crawl(events)).toMatchObject({ assetsUpdated: 9 });
    expect(await crawl(events)).toMatchObject({ assetsDiscovered: 9, assetsUpdated: 0, assetsRemoved: 0 });
    expect(read).toBe(2);
  });

  it("Columns follow the SQL when it changes", async () => {
    const { crawl, sourcesOf } = await openColumnCrawl();
    await crawl(made(table("totals", { sql: SUM }, ["id", "total"])));
    const copied = "select id, amount as total from payments";
    // The table and both columns change, because the result is no longer grouped.
    expect(await crawl(made(table("totals", { sql: copied }, ["id", "total"])))).toMatchObject({ assetsUpdated: 3 });
    expect(await sourcesOf("totals", "total")).toEqual(["amount DIRECT IDENTITY amount"]);
  });

  it("Column lineage is unknown, with the reason, if the SQL cannot be read", async () => {
    const { crawl, lineageOf, sourcesOf } = await openColumnCrawl();
    expect(await crawl(made(table("bad", { sql: "select {{ x }} from" }, ["x"])))).toMatchObject({ errorsTotal: 0 });
    expect(await lineageOf("bad")).toMatchObject({ status: "unknown", reason: expect.stringContaining("Jinja") });
    expect(await lineageOf("bad", "x")).toMatchObject({ status: "unknown", reason: expect.stringContaining("Jinja") });
    expect(await sourcesOf("bad", "x")).toEqual([]);
  });

  it("Column lineage is partly known if the SQL reads something that the asset is not stated to derive from", async () => {
    const { crawl, lineageOf, sourcesOf } = await openColumnCrawl();
    const sql = "select p.id, o.note, p.amount as total from payments p join others o on o.id = p.id";
    await crawl(made(table("mixed", { sql }, ["id", "note", "total"])));
    expect(await lineageOf("mixed")).toMatchObject({
      status: "partial",
      reason: expect.stringMatching(/others is not known \(and \d more of 3 columns\)$/),
    });
    expect(await sourcesOf("mixed", "total")).toContain("amount DIRECT IDENTITY amount");
  });

  it("Columns come from the SQL if the connector lists none, and so do those of downstream assets", async () => {
    const { crawl, sourcesOf, lineageOf } = await openColumnCrawl();
    const events = scope("all", [
      table("last", { sql: "select * from middle" }),
      table("middle", { sql: "select amount * 2 as double from payments" }),
      SOURCE,
      edge("middle", "last"),
      edge("payments", "middle"),
    ]);
    expect(await crawl(events)).toMatchObject({ assetsDiscovered: 8, errorsTotal: 0 });
    expect(await sourcesOf("last", "double")).toEqual(["double DIRECT IDENTITY double"]);
    expect(await sourcesOf("middle", "double")).toEqual(["amount DIRECT TRANSFORMATION amount * 2"]);
    expect(await lineageOf("last")).toEqual(KNOWN_SQL);
  });

  it("Columns are written if assets derive from each other in a cycle, or from themselves", async () => {
    const { crawl, sourcesOf } = await openColumnCrawl();
    const events = scope("all", [
      table("a", { sql: "select x from b" }, ["x"]),
      table("b", { sql: "select x from a union all select x from b" }, ["x"]),
      edge("a", "b"),
      edge("b", "a"),
      edge("b", "b"),
    ]);
    expect(await crawl(events)).toMatchObject({ errorsTotal: 0 });
    expect(await sourcesOf("a", "x")).toEqual(["x DIRECT IDENTITY x"]);
    // A column that keeps its own values has no edge to itself.
    expect(await sourcesOf("b", "x")).toEqual(["x DIRECT IDENTITY x"]);
  });

  it("Columns have edges across scopes", async () => {
    const { crawl, sourcesOf } = await openColumnCrawl();
    const second = scope("models", [table("totals", { sql: SUM }, ["id", "total"]), edge("payments", "totals")]);
    expect(await crawl([...scope("sources", [SOURCE]), ...second])).toMatchObject({ errorsTotal: 0 });
    expect(await sourcesOf("totals", "total")).toHaveLength(3);
  });

  it("SQL is read before the sync ends, and the progress says so", async () => {
    const { crawl } = await openColumnCrawl();
    const told: CrawlProgress[] = [];
    await crawl([{ kind: "progress", fraction: 0.5, label: "half" }, ...made(table("t", { sql: SUM }, ["id"]))], {
      told,
    });
    expect(told.slice(1)).toEqual([
      { fraction: 0.5, label: "Reading SQL: 0 of 1" },
      { fraction: 0.5, label: "Reading SQL: 1 of 1" },
    ]);
  });

  it("Columns have edges to the metrics that measure them", async () => {
    const { crawl, find, workspace, graph, columnIdOf } = await openColumnCrawl();
    const ref = { platform: "snowflake", instance: "", type: "metric", parts: ["shop", "revenue"] } as const;
    const metric = (...queries: string[]): CrawlEvent => {
      const reads = queries.map((sql) => ({ relation: tableRef("payments"), sql }));
      return { kind: "asset", asset: { ref, name: "revenue", facts: {}, columns: [], reads } };
    };
    const paid = metric("select sum(amount) from measured where (status = 'paid')");
    expect(await crawl(scope("all", [paid, SOURCE]))).toMatchObject({ errorsTotal: 0 });
    expect(await find(nodeId(workspace.name, ref))).toMatchObject({ columnLineage: KNOWN });
    const usesFrom = async (column: string) => {
      const query = { id: columnIdOf("payments", column), direction: "downstream", first: 9, after: null } as const;
      const [found] = await graph.loadNeighbours(workspace.id, [query]);
      return (found?.items ?? []).map(({ kinds, uses, node }) => ({ kinds, uses, name: node.name }));
    };
    const filter = { kind: "INDIRECT", transformation: "FILTER", expression: "status = 'paid'" };
    const sum = { kind: "DIRECT", transformation: "AGGREGATION", expression: "SUM(amount)" };
    expect(await usesFrom("amount")).toEqual([{ kinds: ["defines"], uses: [sum], name: "revenue" }]);
    expect(await usesFrom("status")).toMatchObject([{ kinds: ["defines"], uses: [filter] }]);

    await crawl(scope("all", [metric("select sum(fee) from measured", "select max(amount) from measured"), SOURCE]));
    // No connector lists the fee, but the query names it.
    expect(await find(nodeId(workspace.name, ref))).toMatchObject({ columnLineage: KNOWN });
    expect(await find(columnIdOf("payments", "fee"))).toMatchObject({ inferred: true, ordinal: 3 });
    expect(await usesFrom("fee")).toMatchObject([{ name: "revenue" }]);
    expect(await usesFrom("status")).toEqual([]);
  });

  it("SQL is read again by the next crawl if the reader gave up on it", async () => {
    const answers = [
      { ...unresolved("reading the text took longer than 20 seconds"), gaveUp: true } as const,
      {
        columns: [{ name: "id", parents: [], unresolved: null, basis: null }],
        incomplete: null,
        notes: [],
        named: [],
        unresolvedUse: null,
        unfound: [],
      },
    ];
    const { crawl, lineageOf } = await openColumnCrawl(createReferenceGraph(), () =>
      Promise.resolve(answers.shift() ?? unresolved("asked too often")),
    );
    const events = made(table("slow", { sql: SUM }, ["id"]));
    await crawl(events);
    expect(await lineageOf("slow")).toEqual({
      status: "unknown",
      reason: "reading the text took longer than 20 seconds",
    });
    await crawl(events);
    expect(await lineageOf("slow")).toEqual(KNOWN);
  });

  it("A crawl that is aborted stops reading SQL at once, and a later crawl continues", async () => {
    const stop = new AbortController();
    let stuck = true;
    const inner = await openColumnCrawl();
    const { crawl, sourcesOf } = await openColumnCrawl(createReferenceGraph(), (request, caller) => {
      if (!stuck) return inner.sqlLineage.resolve(request, caller);
      stop.abort();
      return new Promise(() => {});
    });
    const events = made(table("totals", { sql: SUM }, ["id", "total"]));
    await expect(crawl(events, { signal: stop.signal })).rejects.toThrow(/abort/);
    stuck = false;
    expect(await crawl(events)).toMatchObject({ status: "completed", assetsDiscovered: 7 });
    expect(await sourcesOf("totals", "total")).toHaveLength(3);
  });
});
