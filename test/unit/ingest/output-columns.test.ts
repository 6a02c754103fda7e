import { describe, expect, it } from "vitest";

import type { CrawlEvent } from "../../../src/connectors/connector.ts";
import { openColumnCrawl, seen } from "../../support/column-crawl.ts";
import { edge, scope, table } from "../../support/scripted-connector.ts";

const SOURCE = seen("payments", {}, ["id", "amount", "status"]);

/** A model made from the payments. */
const modelOf = (model: CrawlEvent): CrawlEvent[] => scope("all", [SOURCE, model, edge("payments", "model")]);

const KNOWN = { status: "known", reason: "" };
const NOT_YIELDED = { status: "unknown", reason: "the SQL yields no column of this name" };

const written = (name: string) => ({ name, dataType: "", description: `Of ${name}.`, tags: [] });

describe("Columns of a model with SQL", () => {
  it("A model's columns are all that its SQL yields, in its order, even if only some are documented", async () => {
    const { crawl, find, columnIdOf, columnsOf, lineageOf } = await openColumnCrawl();
    const sql = "select status, amount as Total, id from payments";
    const { asset } = table("model", { sql }, ["total"]);
    const columns = [{ name: "TOTAL", dataType: "numeric", description: "What was paid.", tags: ["money"] }];
    expect(await crawl(modelOf({ kind: "asset", asset: { ...asset, columns } }))).toMatchObject({ errorsTotal: 0 });
    expect(await columnsOf("model")).toEqual(["status", "TOTAL", "id"]);
    expect(await find(columnIdOf("model", "total"))).toMatchObject(columns[0] ?? {});
    expect(await lineageOf("model")).toMatchObject(KNOWN);
  });

  it("A column that is only documented is left out of a model, with a warning", async () => {
    const { crawl, columnsOf } = await openColumnCrawl();
    const outcome = await crawl(modelOf(table("model", { sql: "select id from payments" }, ["id", "gone"])));
    expect(await columnsOf("model")).toEqual(["id"]);
    expect(outcome.errors).toMatchObject([
      {
        code: "unknown_column",
        severity: "warning",
        object: "shop.public.model",
        message: "shop.public.model documents gone, which its SQL does not have; left out.",
      },
    ]);
  });

  it("A model has the columns of the warehouse first, and then those that only its SQL yields", async () => {
    const { crawl, columnsOf, lineageOf, find, columnIdOf } = await openColumnCrawl();
    const { asset } = seen("model", { sql: "select status, id, amount as fresh from payments" }, [
      "id",
      "old",
      "status",
    ]);
    const columnsUnseen = [written("fresh"), written("gone")];
    const outcome = await crawl(modelOf({ kind: "asset", asset: { ...asset, columnsUnseen } }));
    expect(await columnsOf("model")).toEqual(["id", "old", "status", "fresh"]);
    expect(await find(columnIdOf("model", "fresh"))).toMatchObject({ description: "Of fresh.", inferred: false });
    expect(await lineageOf("model", "old")).toMatchObject(NOT_YIELDED);
    expect(await lineageOf("model")).toMatchObject({ status: "partial", reason: `old: ${NOT_YIELDED.reason}` });
    expect(outcome.errors.map(({ message, severity }) => [severity, message])).toEqual([
      ["warning", "shop.public.model documents gone, which the warehouse and its SQL do not have; left out."],
      [
        "warning",
        expect.stringMatching(/^shop\.public\.model had old when the warehouse was read, and its SQL does not/),
      ],
    ]);
  });

  it("A model's columns include documented ones if its SQL does not show all columns", async () => {
    const { crawl, columnsOf, lineageOf } = await openColumnCrawl();
    const sql = "select p.id, n.* from payments p join nowhere n on n.id = p.id";
    expect(await crawl(modelOf(table("model", { sql }, ["note", "id"])))).toMatchObject({ errorsTotal: 0 });
    expect(await columnsOf("model")).toEqual(["id", "note"]);
    expect(await lineageOf("model")).toMatchObject({ status: "partial", reason: expect.stringContaining("nowhere") });
    expect(await lineageOf("model", "note")).toMatchObject({ status: "unknown" });
  });

  it("A model's columns include those that its tool adds, which come from no column", async () => {
    const { crawl, columnsOf, lineageOf, sourcesOf } = await openColumnCrawl();
    const { asset } = table("model", { sql: "select id, amount from payments" });
    const snapshot: CrawlEvent = { kind: "asset", asset: { ...asset, columnsAdded: ["valid_from", "valid_to"] } };
    const reader = table("reader", { sql: "select amount from model where valid_to is null" });
    await crawl(scope("all", [SOURCE, snapshot, reader, edge("payments", "model"), edge("model", "reader")]));
    expect(await columnsOf("model")).toEqual(["id", "amount", "valid_from", "valid_to"]);
    expect(await lineageOf("model")).toMatchObject(KNOWN);
    expect(await lineageOf("model", "valid_to")).toEqual({
      status: "known",
      reason: "the SQL does not yield it: the tool that runs the SQL adds it",
    });
    expect(await lineageOf("reader")).toMatchObject(KNOWN);
    expect(await sourcesOf("reader", "amount")).toContain("valid_to INDIRECT FILTER valid_to IS NULL");
  });

  it("A nested column comes from the same field of a column that is copied whole", async () => {
    const { crawl, sourcesOf, lineageOf } = await openColumnCrawl();
    const source = seen("people", {}, ["id", "address", "address.city"]);
    const model = seen("model", { sql: "select id, address, upper(address) as loud from people" }, [
      "id",
      "address",
      "address.city",
      "address.street",
      "loud",
      "loud.city",
    ]);
    await crawl(scope("all", [source, model, edge("people", "model")]));
    expect(await sourcesOf("model", "address.city")).toEqual(["address.city DIRECT IDENTITY address"]);
    expect(await sourcesOf("model", "address.street")).toEqual(["address DIRECT IDENTITY address"]);
    expect(await sourcesOf("model", "loud.city")).toEqual(["address DIRECT TRANSFORMATION UPPER(address)"]);
    expect(await lineageOf("model")).toMatchObject(KNOWN);
  });

  it("A model's columns include the fields of a column that is copied whole, so that `*` finds them", async () => {
    const { crawl, columnsOf, sourcesOf } = await openColumnCrawl();
    const source = seen("people", {}, ["id", "address", "address.city", "address.geo.lat"]);
    const staged = table("staged", { sql: "select * from people" });
    const renamed = table("renamed", { sql: "select address as home from staged" });
    const reader = table("reader", { sql: "select r.home.city, r.home.geo.lat from renamed as r" });
    const edges = [edge("people", "staged"), edge("staged", "renamed"), edge("renamed", "reader")];
    await crawl(scope("all", [source, staged, renamed, reader, ...edges]));
    expect(await columnsOf("staged")).toEqual(["id", "address", "address.city", "address.geo.lat"]);
    expect(await columnsOf("renamed")).toEqual(["home", "home.city", "home.geo.lat"]);
    expect(await sourcesOf("renamed", "home.city")).toEqual(["address.city DIRECT IDENTITY address"]);
    expect(await sourcesOf("reader", "city")).toEqual(["home.city DIRECT IDENTITY home"]);
    expect(await sourcesOf("reader", "lat")).toEqual(["home.geo.lat DIRECT IDENTITY home"]);
  });
});
