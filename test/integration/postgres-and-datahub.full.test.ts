/** A warehouse that is crawled, and files of a DataHub recipe that read the same warehouse, or a dbt project in it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { openCrawls } from "../support/crawls.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { addWarehouse, CREATE_READER, findLocalType, optionsFor } from "../support/postgres-crawl.ts";

const urnOf = (name: string, platform = "postgres") => `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;
const fieldOf = (name: string, column: string) => `urn:li:schemaField:(${urnOf(name)},${column})`;

/** What a recipe says of a view: it reads one column of `app.customers`, and nothing of the function. */
function viewOf(name: string, sql: string, platform = "postgres") {
  const said = {
    viewProperties: { materialized: false, viewLogic: sql, formattedViewLogic: sql, viewLanguage: "SQL" },
    subTypes: { typeNames: [platform === "dbt" ? "Model" : "View"] },
    ownership: { owners: [{ owner: "urn:li:corpuser:ada@example.com", type: "DATAOWNER" }] },
    upstreamLineage: {
      upstreams: [{ dataset: urnOf("shop.app.customers"), type: "VIEW" }],
      fineGrainedLineages: [
        {
          upstreamType: "FIELD_SET",
          upstreams: [fieldOf("shop.app.customers", "id")],
          downstreamType: "FIELD",
          downstreams: [`urn:li:schemaField:(${urnOf(name, platform)},id)`],
        },
      ],
    },
  };
  return Object.entries(said).map(([aspectName, json]) => {
    return {
      entityType: "dataset",
      entityUrn: urnOf(name, platform),
      changeType: "UPSERT",
      aspectName,
      aspect: { json },
    };
  });
}

describe.skipIf(!hasPostgres)("a PostgreSQL warehouse that DataHub reads too", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
    await server.run("postgres", CREATE_READER, "create database shop");
    await server.run(
      "shop",
      "create schema app",
      "create table app.customers (id int, country text)",
      "create table app.orders (customer int, at timestamptz)",
      `create function app.last(c int) returns timestamptz stable language sql
         begin atomic select max(at) from app.orders where customer = c; end`,
      "create view app.latest as select id, app.last(id) as at from app.customers",
      "create materialized view app.counted as select country, count(id) as id from app.customers group by 1",
    );
  });
  afterAll(() => server?.close());

  async function crawlBoth(order: readonly ("datahub" | "warehouse")[], proposals: readonly object[]) {
    const folder = mkdtempSync(join(tmpdir(), "tributary-datahub-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const location = join(folder, "recipe.json");
    writeFileSync(location, JSON.stringify(proposals));
    const crawls = await openCrawls(findLocalType);
    const both = {
      datahub: () => crawls.add({ type: "datahub-file", name: "recipe", options: { location } }),
      warehouse: () => addWarehouse(crawls, optionsFor(server.port, "shop")),
    };
    for (const which of order) expect(await (await both[which]())()).toMatchObject({ status: "completed" });
    return crawls;
  }

  for (const order of [
    ["warehouse", "datahub"],
    ["datahub", "warehouse"],
  ] as const) {
    it(`What PostgreSQL says of its views is believed before a recipe that read them, with the first sync of the ${order[0]}`, async () => {
      const { findNode, sourcesOf } = await crawlBoth(order, [
        ...viewOf("shop.app.latest", "select id, app.last(id) as at from customers"),
        ...viewOf("shop.app.counted", "select country, count(id) as id from app.customers group by 1"),
      ]);
      const latest = await findNode("shop.app.latest", "table");
      expect(latest).toMatchObject({
        lineageConnector: "warehouse",
        columnLineage: { status: "partial" },
        owner: "ada@example.com",
      });
      expect(latest.gap).toContain("its SQL calls app.last");
      expect(await sourcesOf(latest)).toEqual(["shop.app.customers", "shop.app.orders"]);
      expect(await findNode("shop.app.counted", "table")).toMatchObject({ materialization: "materialized_view" });
      expect((await sourcesOf(await findNode("shop.app.counted.id", "column"))).join()).toContain("AGGREGATION");
    });
  }

  it("What a recipe says of a dbt model is believed before the view that the model becomes", async () => {
    const { findNode } = await crawlBoth(
      ["warehouse", "datahub"],
      [
        ...viewOf("shop.app.latest", "select id, null as at from app.customers", "dbt"),
        {
          entityType: "dataset",
          entityUrn: urnOf("shop.app.latest", "dbt"),
          changeType: "UPSERT",
          aspectName: "datasetProperties",
          aspect: { json: { customProperties: { materialization: "view", target_platform: "postgres" } } },
        },
      ],
    );
    expect(await findNode("shop.app.latest", "model")).toMatchObject({ lineageConnector: "recipe" });
  });
});
