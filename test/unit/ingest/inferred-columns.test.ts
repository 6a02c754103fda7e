import { describe, expect, it } from "vitest";

import type { CrawlEvent } from "../../../src/connectors/connector.ts";
import { openColumnCrawl, seen } from "../../support/column-crawl.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import { edge, scope, table } from "../../support/scripted-connector.ts";

const SOURCE = table("payments", { description: "Paid" }, ["id"]);
const KNOWN = { status: "known", reason: "" };

/** A project with the SQL of each model. All models are made from the payments. */
function project(models: Record<string, string>, source: CrawlEvent = SOURCE): CrawlEvent[] {
  const stated = Object.entries(models).map(([name, sql]) => table(name, { sql }));
  return scope("all", [source, ...stated, ...Object.keys(models).map((name) => edge("payments", name))]);
}

/** The result of a crawl in an empty graph. */
async function shownOf(events: CrawlEvent[]) {
  const { crawl, graph, workspace } = await openColumnCrawl(createReferenceGraph());
  await crawl(events);
  const page = { after: null, limit: 100 };
  const { items } = await graph.listNodes(workspace.id, { types: ["table", "column"] }, page);
  return items.map(({ fqn, ordinal, inferred, columnLineage }) => ({ fqn, ordinal, inferred, columnLineage }));
}

const written = (name: string) => ({ name, dataType: "int", description: `The ${name}.`, tags: [] });

/** A separate scope, with a model made from the payments. */
const secondScope = (sql: string): CrawlEvent[] => scope("models", [table("m", { sql }), edge("payments", "m")]);

describe("Inferred columns", () => {
  it("A column that only SQL names is added to the source after the listed columns, and the lineage is known", async () => {
    const { crawl, columnsOf, lineageOf, sourcesOf, graph, workspace } = await openColumnCrawl();
    const models = { totals: "select id, sum(p.Fee) as fees, max(amount) as most from payments p group by id" };
    expect(await crawl(project(models))).toMatchObject({ errorsTotal: 0 });
    expect(await columnsOf("payments")).toEqual(["id", "amount?", "Fee?"]);
    expect(await lineageOf("totals")).toMatchObject(KNOWN);
    expect(await sourcesOf("totals", "fees")).toContain("Fee DIRECT AGGREGATION SUM(p.Fee)");
    const named = { folded: "fee", path: "fee", prefix: "fee", terms: ["fee"] };
    const found = await graph.searchNodes(workspace.id, { types: ["table"] }, named, { after: null, limit: 5 });
    expect(found.items.map(({ node }) => node.name)).toContain("payments");
  });

  it("An inferred column exists after every crawl that names it, and is removed when nothing names it any more", async () => {
    const { crawl, columnsOf } = await openColumnCrawl();
    const both = { a: "select fee from payments", b: "select amount from payments" };
    expect(await crawl(project(both))).toMatchObject({ assetsUpdated: 8 });
    expect(await crawl(project(both))).toMatchObject({ assetsDiscovered: 8, assetsUpdated: 0, assetsRemoved: 0 });
    // The column is removed, and the source changes, because its list of columns changes.
    const one = { a: "select amount as fee from payments", b: both.b };
    expect(await crawl(project(one))).toMatchObject({ assetsRemoved: 1 });
    expect(await columnsOf("payments")).toEqual(["id", "amount?"]);
  });

  it("Inferred columns are the same in whatever order the models are stated", async () => {
    const models = {
      a: "select FEE, id from payments",
      b: "select fee, Amount from payments",
      c: "select * from payments",
      d: "select amount from c",
    };
    const more = [table("d", { sql: models.d }), edge("c", "d")];
    const { d: _, ...first } = models;
    const forwards = scope("all", [...project(first).slice(1, -1), ...more]);
    const backwards = scope("all", forwards.filter(({ kind }) => kind === "asset").toReversed());
    backwards.splice(-1, 0, ...forwards.filter(({ kind }) => kind === "edge").toReversed());
    expect(await shownOf(backwards)).toEqual(await shownOf(forwards));
  });

  it("A column is not inferred for a model whose SQL is known not to yield it", async () => {
    const { crawl, columnsOf, lineageOf } = await openColumnCrawl();
    const models = [table("m", { sql: "select id from payments" }), table("reader", { sql: "select fee from m" })];
    await crawl(scope("all", [SOURCE, ...models, edge("payments", "m"), edge("m", "reader")]));
    expect(await columnsOf("m")).toEqual(["id"]);
    expect(await lineageOf("reader")).toMatchObject({ status: "unknown", reason: expect.stringContaining("fee") });
  });

  it("A column is inferred beside the columns of the warehouse, because their list may be older than the SQL", async () => {
    const { crawl, columnsOf, lineageOf } = await openColumnCrawl();
    await crawl(project({ m: "select fee from payments" }, seen("payments", {}, ["id"])));
    expect(await columnsOf("payments")).toEqual(["id", "fee?"]);
    expect(await lineageOf("m")).toMatchObject(KNOWN);
  });

  it("An inferred column keeps its documentation, and no warning says that it was left out", async () => {
    const { crawl, find, columnIdOf } = await openColumnCrawl();
    const { asset } = seen("payments", {}, ["id"]);
    const source: CrawlEvent = { kind: "asset", asset: { ...asset, columnsUnseen: [written("fee"), written("gone")] } };
    const outcome = await crawl(project({ m: "select fee from payments" }, source));
    expect(await find(columnIdOf("payments", "fee"))).toMatchObject({ inferred: true, description: "The fee." });
    expect(outcome.errors.map(({ message }) => message)).toEqual([
      "shop.public.payments documents gone, which the warehouse does not have; left out.",
    ]);
  });

  it("A column that a model takes by `*` is also inferred for the source", async () => {
    const { crawl, columnsOf, sourcesOf, lineageOf } = await openColumnCrawl();
    const models = [
      table("staged", { sql: "select * from payments" }),
      table("clean", { sql: "with s as (select * from staged) select s.*, 1 as one from s" }),
      table("last", { sql: "select fee, one from clean" }),
    ];
    const edges = [edge("payments", "staged"), edge("staged", "clean"), edge("clean", "last")];
    const events = scope("all", [SOURCE, ...models, ...edges]);
    expect(await crawl(events)).toMatchObject({ errorsTotal: 0 });
    expect(await columnsOf("payments")).toEqual(["id", "fee?"]);
    expect(await columnsOf("staged")).toEqual(["id", "fee?"]);
    expect(await columnsOf("clean")).toEqual(["id", "one", "fee?"]);
    expect(await sourcesOf("clean", "fee")).toEqual(["fee DIRECT IDENTITY fee"]);
    expect(await sourcesOf("staged", "fee")).toEqual(["fee DIRECT IDENTITY fee"]);
    expect(await lineageOf("staged", "fee")).toMatchObject(KNOWN);
    expect(await lineageOf("last")).toMatchObject(KNOWN);
    expect(await lineageOf("clean")).toMatchObject({ status: "partial" });
    expect(await crawl(events)).toMatchObject({ assetsUpdated: 0, assetsRemoved: 0 });
  });

  it("A model that takes everything from the source lists an inferred column, whichever model names it", async () => {
    const { crawl, columnsOf, sourcesOf } = await openColumnCrawl();
    await crawl(project({ a: "select * from payments", b: "select fee from payments" }));
    expect(await columnsOf("a")).toEqual(["id", "fee?"]);
    expect(await sourcesOf("a", "fee")).toEqual(["fee DIRECT IDENTITY fee"]);
  });

  it("An inferred column is stated in the scope that names it, if the source is in another scope", async () => {
    const { crawl, columnsOf } = await openColumnCrawl();
    await crawl([...scope("sources", [SOURCE]), ...secondScope("select fee from payments")]);
    expect(await columnsOf("payments")).toEqual(["id", "fee?"]);
    expect(await crawl([...scope("sources", [SOURCE]), ...secondScope("select id from payments")])).toMatchObject({
      errorsTotal: 0,
    });
    expect(await columnsOf("payments")).toEqual(["id"]);
  });
});
