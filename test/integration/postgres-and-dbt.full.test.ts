/** A dbt project and its warehouse: one relation is one asset, with the facts that each knows best. */
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openCrawls } from "../support/crawls.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { addWarehouse, CREATE_READER, findLocalType, optionsFor } from "../support/postgres-crawl.ts";
import { writeDbtProject } from "../support/small-dbt-project.ts";

describe.skipIf(!hasPostgres)("a dbt project and its PostgreSQL warehouse", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
    await server.run("postgres", CREATE_READER, "create database shop");
    await server.run(
      "shop",
      "create schema raw",
      "create schema marts",
      "create table raw.payments (id int primary key, cents int not null, added_later text)",
      "create table marts.revenue (euros numeric(12, 2))",
      "create view marts.by_hand as select euros * 2 as doubled from marts.revenue",
    );
  });
  afterAll(() => server?.close());

  async function crawlBoth(order: readonly ("dbt" | "warehouse")[]) {
    const folder = await writeDbtProject({
      adapter: "postgres",
      sources: { payments: { id: "int4", cents: "int4" } },
      models: { revenue: "select sum(cents) / 100.0 as euros from {payments}" },
    });
    const crawls = await openCrawls(findLocalType);
    const artifacts = { manifest: join(folder, "manifest.json"), catalog: join(folder, "catalog.json") };
    const both = {
      dbt: () => crawls.add({ type: "dbt", name: "project", options: artifacts }),
      warehouse: () => addWarehouse(crawls, optionsFor(server.port, "shop")),
    };
    for (const which of order) {
      const crawl = await both[which]();
      expect(await crawl()).toMatchObject({ status: "completed", errors: [] });
    }
    return crawls;
  }

  for (const order of [
    ["dbt", "warehouse"],
    ["warehouse", "dbt"],
  ] as const) {
    it(`A dbt project and its warehouse share one asset for each relation, with the first sync of the ${order[0]}`, async () => {
      const { findNode, list, sourcesOf } = await crawlBoth(order);
      const relations = [...(await list("model")), ...(await list("table"))].map(({ fqn }) => fqn);
      expect(relations).toEqual(["shop.marts.revenue", "shop.marts.by_hand", "shop.raw.payments"]);

      const revenue = await findNode("shop.marts.revenue", "model");
      expect(revenue).toMatchObject({
        connectors: ["warehouse", "project"],
        lineageConnector: "project",
        materialization: "table",
        columnLineage: { status: "known" },
      });
      expect(revenue.sql).toContain("sum(cents)");
      const euros = await findNode("shop.marts.revenue.euros", "column");
      expect(euros).toMatchObject({ dataType: "numeric(12,2)", inferred: false });
      expect(await sourcesOf(euros)).toEqual(["shop.raw.payments.cents AGGREGATION SUM(cents) / 100.0"]);

      // The source has the columns and types of the warehouse.
      expect((await findNode("shop.raw.payments.cents", "column")).dataType).toBe("integer");
      expect((await findNode("shop.raw.payments.added_later", "column")).dataType).toBe("text");
      expect((await findNode("shop.raw.payments", "table")).lineageConnector).toBe("");

      // A relation without a dbt model has the SQL of the warehouse.
      const view = await findNode("shop.marts.by_hand", "table");
      expect(view.lineageConnector).toBe("warehouse");
      expect(await sourcesOf(await findNode("shop.marts.by_hand.doubled", "column"))).toEqual([
        expect.stringMatching(/^shop\.marts\.revenue\.euros TRANSFORMATION /),
      ]);
    });
  }
});
