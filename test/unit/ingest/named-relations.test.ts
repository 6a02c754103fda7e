import { describe, expect, it } from "vitest";

import { columnRef, nodeId, type NodeRef } from "../../../src/catalog/identity.ts";
import { ONLY_REFERENCED } from "../../../src/catalog/coverage.ts";
import type { CrawlEvent } from "../../../src/connectors/connector.ts";
import { openColumnCrawl, seen } from "../../support/column-crawl.ts";
import { edge, scope, table } from "../../support/scripted-connector.ts";

const PAYMENTS = seen("payments", {}, ["id", "amount"]);
const KNOWN = { status: "known", reason: "" };

/** A crawl of SQL that names `raw.payments`, which no connector states. */
async function openRawCrawl() {
  const bench = await openColumnCrawl();
  const ref: NodeRef = { platform: "postgres", instance: "", type: "table", parts: ["shop", "raw", "payments"] };
  const findRaw = (column?: string) =>
    bench.find(nodeId(bench.workspace.name, column === undefined ? ref : columnRef(ref, column)));
  return { ...bench, findRaw };
}

/** A model that its tool writes into the SQL of its readers. */
function ephemeral(name: string, sql: string): CrawlEvent {
  const { asset } = table(name, { sql });
  return { kind: "asset", asset: { ...asset, inlinedAs: `__dbt__cte__${name}` } };
}

describe("Relations that SQL names", () => {
  it("A relation that SQL names has lineage and an edge, even if the asset is not stated to derive from it", async () => {
    const { crawl, lineageOf, sourcesOf, parentsOf } = await openColumnCrawl();
    const whole = table("whole", { sql: "select amount from shop.public.payments" });
    const part = table("part", { sql: "select amount from public.payments" });
    const bare = table("bare", { sql: "select amount from PAYMENTS" });
    expect(await crawl(scope("all", [whole, part, bare, PAYMENTS]))).toMatchObject({ errorsTotal: 0 });
    for (const name of ["whole", "part", "bare"]) {
      expect(await lineageOf(name)).toMatchObject(KNOWN);
      expect(await sourcesOf(name, "amount")).toEqual(["amount DIRECT IDENTITY amount"]);
      expect(await parentsOf(name)).toEqual(["payments"]);
    }
  });

  it("A model that SQL names is read first, in whatever order the models are stated", async () => {
    const last = table("last", { sql: "select * from shop.public.middle" });
    const middle = table("middle", { sql: "select amount * 2 as double from shop.public.payments" });
    for (const events of [
      [last, middle, PAYMENTS],
      [PAYMENTS, middle, last],
    ]) {
      const { crawl, columnsOf, lineageOf } = await openColumnCrawl();
      await crawl(scope("all", events));
      expect(await columnsOf("last")).toEqual(["double"]);
      expect(await lineageOf("last")).toMatchObject(KNOWN);
    }
  });

  it("A relation that only SQL names is referenced with the columns that the SQL names", async () => {
    const { crawl, findRaw, columnsOf, lineageOf, sourcesOf, parentsOf } = await openRawCrawl();
    const first = table("first", { sql: "select p.Amount, id from raw.payments p where paid" });
    const second = table("second", {
      sql: "select r.fee, q.id from public.payments q join raw.payments r on r.id = q.id",
    });
    expect(await crawl(scope("all", [PAYMENTS, first, second]))).toMatchObject({ errors: [], assetsDiscovered: 9 });
    expect(await lineageOf("first")).toMatchObject(KNOWN);
    expect(await lineageOf("second")).toMatchObject(KNOWN);
    expect(await parentsOf("first")).toEqual(["payments"]);
    expect(await sourcesOf("first", "Amount")).toEqual(["Amount DIRECT IDENTITY Amount", "paid INDIRECT FILTER paid"]);
    expect(await findRaw()).toMatchObject({
      existence: "referenced",
      fqn: "shop.raw.payments",
      connectors: [],
      gap: ONLY_REFERENCED,
    });
    expect(await columnsOf("payments")).toEqual(["id", "amount"]);
    expect(await findRaw("fee")).toMatchObject({ existence: "referenced", name: "fee", inferred: true });
  });

  it("An unstated relation is in the reason if several relations may have the column", async () => {
    const { crawl, lineageOf } = await openColumnCrawl();
    const sure = table("sure", { sql: "select amount, fee from public.payments, raw.fees" });
    const unsure = table("unsure", { sql: "select fee, f.id from raw.payments p, raw.fees f" });
    const all = table("everything", { sql: "select * from raw.fees" });
    await crawl(scope("all", [seen("payments", {}, ["id", "amount"]), sure, unsure, all]));
    expect(await lineageOf("sure")).toMatchObject(KNOWN);
    expect(await lineageOf("unsure", "fee")).toMatchObject({ status: "unknown", reason: "fee is ambiguous" });
    expect(await lineageOf("unsure", "id")).toMatchObject(KNOWN);
    expect(await lineageOf("everything")).toMatchObject({ reason: "the columns of fees are not known" });
  });

  it("An unstated relation is in the reason if the SQL does not say in which schema it is", async () => {
    const { crawl, find, idOf, lineageOf, parentsOf } = await openColumnCrawl();
    const bare = table("bare", { sql: "select x from payments" });
    const file = table("file", { sql: 'select x from delta."/mnt/payments"' });
    await crawl(scope("all", [bare, file]));
    for (const name of ["bare", "file"]) {
      expect(await lineageOf(name)).toMatchObject({ status: "unknown", reason: expect.stringContaining("payments") });
      expect(await parentsOf(name)).toEqual([]);
    }
    expect(await find(idOf("payments"))).toBeNull();
  });

  it("A relation is no longer referenced once no SQL names it", async () => {
    const { crawl, findRaw } = await openRawCrawl();
    await crawl(scope("all", [table("model", { sql: "select x from raw.payments" })]));
    expect(await crawl(scope("all", [table("model", { sql: "select 1 as x" })]))).toMatchObject({ errors: [] });
    expect(await findRaw()).toBeNull();
    expect(await findRaw("x")).toBeNull();
  });

  it("A referenced relation is held with its own columns if a later scope or another connector states it", async () => {
    const { crawl, crawlAs, find, columnsOf, idOf, sourcesOf } = await openColumnCrawl();
    const reading = scope("models", [table("model", { sql: "select amount from shop.public.payments" })]);
    await crawlAs("other", scope("all", [table("reader", { sql: "select amount, fee from shop.public.payments" })]));
    await crawl([...reading, ...scope("sources", [PAYMENTS])]);
    await crawlAs("other", scope("all", [table("reader", { sql: "select amount, fee from shop.public.payments" })]));
    expect(await find(idOf("payments"))).toMatchObject({ existence: "held", gap: "" });
    expect(await columnsOf("payments")).toEqual(["id", "amount", "fee?"]);
    expect(await sourcesOf("model", "amount")).toEqual(["amount DIRECT IDENTITY amount"]);
    await crawl(reading);
    expect(await find(idOf("payments"))).toMatchObject({ existence: "referenced" });
    expect(await sourcesOf("model", "amount")).toEqual(["amount DIRECT IDENTITY amount"]);
  });

  it("Two models that name each other are read as stated", async () => {
    const { crawl, sourcesOf, lineageOf } = await openColumnCrawl();
    const a = table("a", { sql: "select x from shop.public.b" });
    const b = table("b", { sql: "select x, y from shop.public.a" }, ["x", "y"]);
    expect(await crawl(scope("all", [a, b]))).toMatchObject({ errorsTotal: 0 });
    expect(await sourcesOf("a", "x")).toEqual(["x DIRECT IDENTITY x"]);
    expect(await sourcesOf("b", "x")).toEqual(["x DIRECT IDENTITY x"]);
    expect(await lineageOf("a")).toMatchObject(KNOWN);
  });

  it("A relation of another connector is found, and its statement does not change", async () => {
    const bench = await openColumnCrawl();
    const { crawl, crawlAs, find, idOf, columnIdOf, lineageOf, sourcesOf, columnsOf } = bench;
    const { asset } = seen("payments", { description: "Of the warehouse" }, ["id", "Amount"]);
    await crawlAs("warehouse", scope("all", [{ kind: "asset", asset: { ...asset, name: "Payments" } }]));
    const model = scope("all", [table("model", { sql: "select amount, p.fee from shop.public.payments p" })]);
    expect(await crawl(model)).toMatchObject({ errorsTotal: 0 });
    expect(await lineageOf("model")).toMatchObject(KNOWN);
    expect(await sourcesOf("model", "amount")).toEqual(["Amount DIRECT IDENTITY Amount"]);
    expect(await columnsOf("payments")).toEqual(["id", "Amount", "fee?"]);
    expect(await find(idOf("payments"))).toMatchObject({
      name: "Payments",
      description: "Of the warehouse",
      sourceConnector: "warehouse",
    });
    expect(await find(columnIdOf("payments", "id"))).toMatchObject({ connectors: ["warehouse"] });
    expect(await crawl(model)).toMatchObject({ assetsUpdated: 0, assetsRemoved: 0 });
    // No connector holds it any more, so only the columns that the SQL names are left.
    await crawlAs("warehouse", scope("all", []));
    await crawl(model);
    expect(await find(idOf("payments"))).toMatchObject({ existence: "referenced", description: "" });
    expect(await columnsOf("payments")).toEqual(["amount?", "fee?"]);
    expect(await lineageOf("model")).toMatchObject(KNOWN);
  });
});

describe("Incremental crawls", () => {
  it("An incremental crawl looks again for relations of other connectors, even if its own source has not changed", async () => {
    const { crawl, crawlAs, scripted, lineageOf } = await openColumnCrawl();
    const state: CrawlEvent = { kind: "state", state: { hash: "same" } };
    const model = table("model", { sql: "select * from shop.public.payments" });
    await crawl([...scope("all", [model]), state]);
    expect(await lineageOf("model")).toMatchObject({ status: "unknown" });
    await crawlAs("warehouse", scope("all", [PAYMENTS]));
    await crawl([...scope("all", [model]), state]);
    expect(scripted.contexts.at(-1)).toMatchObject({ mode: "incremental", previousState: null });
    expect(await lineageOf("model")).toMatchObject(KNOWN);

    await crawl([...scope("all", [PAYMENTS, model]), state]);
    await crawl([...scope("all", [PAYMENTS, model]), state]);
    expect(scripted.contexts.at(-1)).toMatchObject({ mode: "incremental", previousState: { hash: "same" } });
  });
});

describe("Ephemeral models", () => {
  const CTE = "__dbt__cte__fresh as (select id, amount from shop.public.payments)";
  const reader = table("reader", { sql: `with ${CTE} select amount from __dbt__cte__fresh` });

  it("An ephemeral model that is written into another model's SQL is read by its own columns", async () => {
    const { crawl, lineageOf, sourcesOf, parentsOf } = await openColumnCrawl();
    const fresh = ephemeral("fresh", "select id, amount from shop.public.payments");
    await crawl(scope("all", [reader, fresh, PAYMENTS, edge("payments", "fresh"), edge("fresh", "reader")]));
    expect(await lineageOf("reader")).toMatchObject(KNOWN);
    expect(await sourcesOf("reader", "amount")).toEqual(["amount DIRECT IDENTITY amount"]);
    expect(await parentsOf("reader")).toEqual(["fresh"]);
  });

  it("An ephemeral model is read through to the models that it is made from", async () => {
    const { crawl, lineageOf, parentsOf } = await openColumnCrawl();
    const fresh = ephemeral("fresh", "select id, amount from shop.public.payments");
    const twice = ephemeral("twice", `with ${CTE} select amount * 2 as double from __dbt__cte__fresh`);
    const both = `${CTE}, __dbt__cte__twice as (select amount * 2 as double from __dbt__cte__fresh)`;
    const last = table("last", { sql: `with ${both} select double from __dbt__cte__twice` });
    const edges = [edge("payments", "fresh"), edge("fresh", "twice"), edge("twice", "last")];
    await crawl(scope("all", [last, twice, fresh, PAYMENTS, ...edges]));
    expect(await lineageOf("last")).toMatchObject(KNOWN);
    // A model that is in its SQL only because another model reads it is not a source of its own.
    expect(await parentsOf("last")).toEqual(["twice"]);
  });

  it("An ephemeral model without its own SQL is read in its reader's SQL, through to its sources", async () => {
    const { crawl, lineageOf, sourcesOf, parentsOf } = await openColumnCrawl();
    await crawl(scope("all", [reader, table("fresh"), PAYMENTS, edge("payments", "fresh"), edge("fresh", "reader")]));
    expect(await lineageOf("reader")).toMatchObject(KNOWN);
    expect(await sourcesOf("reader", "amount")).toEqual(["amount DIRECT IDENTITY amount"]);
    expect(await parentsOf("reader")).toEqual(["fresh", "payments"]);
  });
});

describe("Models that read themselves", () => {
  it("A model that reads itself is read with its own columns, and a column that keeps its values has no edge to itself", async () => {
    const { crawl, lineageOf, sourcesOf, parentsOf } = await openColumnCrawl();
    const sql = `select p.id, p.amount, coalesce(t.first_amount, p.amount) as first_amount
      from payments p left join shop.public.model t on t.id = p.id
      where p.id > (select max(id) from shop.public.model)`;
    await crawl(scope("all", [PAYMENTS, table("model", { sql }), edge("payments", "model")]));
    expect(await lineageOf("model")).toMatchObject(KNOWN);
    expect(await parentsOf("model")).toEqual(["payments"]);
    expect(await sourcesOf("model", "first_amount")).toEqual(
      expect.arrayContaining(["amount DIRECT TRANSFORMATION COALESCE(t.first_amount, p.amount)"]),
    );
    const own = await sourcesOf("model", "id");
    expect(own.filter((source) => source.startsWith("id DIRECT"))).toEqual(["id DIRECT IDENTITY id"]);
  });
});
