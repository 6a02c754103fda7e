/** Column lineage end to end: artifacts of dbt, the crawl, the reader of SQL in its threads, and the graph. */
import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openDbtCrawl } from "../support/dbt-crawl.ts";
import { present } from "../support/present.ts";

const SHOP = join(import.meta.dirname, "../../samples/shop");
const JAFFLE_SHOP = join(import.meta.dirname, "../../../shared/data/dbt/jaffle_shop");

it("knows the sources of every column of the sample, and reads nothing twice", { timeout: 60_000 }, async () => {
  const { crawl, list, findNode, reach, sourcesOf } = await openDbtCrawl(SHOP);
  expect(await crawl()).toMatchObject({ status: "completed", errorsTotal: 0, assetsUpdated: 697, read: 71 });

  const read = (await list("column")).filter(({ columnLineage }) => columnLineage !== null);
  expect(read.filter(({ columnLineage }) => columnLineage?.status !== "known")).toEqual([]);
  expect(read).toHaveLength(446);
  // dbt adds these to what the snapshot's own SQL yields, and that is known.
  const added = read.filter(({ columnLineage }) => columnLineage?.reason !== "");
  expect(added.map(({ name }) => name)).toEqual(["dbt_scd_id", "dbt_updated_at", "dbt_valid_from", "dbt_valid_to"]);
  expect(new Set(added.map(({ columnLineage }) => columnLineage?.reason))).toEqual(
    new Set(["the SQL does not yield it: the tool that runs the SQL adds it"]),
  );

  expect(await crawl()).toMatchObject({ assetsDiscovered: 697, assetsUpdated: 0, assetsRemoved: 0, read: 0 });

  const refunded = await findNode("shop.finance.fct_refunds.refunded_eur", "column");
  expect(await sourcesOf(refunded)).toEqual([
    "shop.intermediate.int_orders_in_eur.order_id JOIN refunds.order_id = orders.order_id",
    "shop.intermediate.int_refunds_in_eur.order_id JOIN refunds.order_id = orders.order_id",
    "shop.intermediate.int_refunds_in_eur.refunded_eur IDENTITY refunded_eur",
  ]);
  expect(await reach(refunded, "upstream")).toContain("column shop.raw_stripe.refunds.amount");
  const raw = await findNode("shop.raw_stripe.refunds.amount", "column");
  expect(await reach(raw, "downstream")).toEqual(
    expect.arrayContaining([
      "column shop.finance.fct_refunds.refunded_eur",
      "metric shop.refunded_amount",
      "metric shop.refund_rate",
      "dashboard shop.board_revenue",
    ]),
  );
  const measured = (await list("metric")).filter(({ columnLineage }) => columnLineage !== null);
  expect(measured).toHaveLength(10);
  expect(measured.filter(({ columnLineage }) => columnLineage?.status !== "known")).toEqual([]);
});

it.skipIf(!existsSync(JAFFLE_SHOP))("knows the sources of every column of jaffle_shop", async () => {
  const { crawl, list, findNode, sourcesOf } = await openDbtCrawl(JAFFLE_SHOP);
  expect(await crawl()).toMatchObject({ status: "completed" });
  const columns = (await list("column")).filter(({ columnLineage }) => columnLineage !== null);
  expect(columns).toHaveLength(27);
  expect(columns.filter(({ columnLineage }) => columnLineage?.status !== "known")).toEqual([]);
  const value = await findNode("analytics__build.util.customers.customer_lifetime_value", "column");
  expect(await sourcesOf(value)).toContainEqual(expect.stringMatching(/^\S+\.stg_payments\.amount AGGREGATION sum\(/i));
});

const projectFolder = (name: string): string => join(import.meta.dirname, "../../../shared/data/dbt", name);

/** Crawls a real project, and tells what dropping a column of it would break. */
async function openProject(name: string) {
  const opened = await openDbtCrawl(projectFolder(name));
  const { crawl, findNode, list, graph, workspace } = opened;
  expect(await crawl()).toMatchObject({ status: "completed" });
  const breaksOf = async (fqn: string): Promise<string[]> => {
    const { id } = await findNode(fqn, "column");
    const query = { root: id, change: "column_drop", newType: null, asWhole: false, maxAffected: 10_000 } as const;
    const impact = present(await graph.assessImpact(workspace.id, query));
    const high = impact.affected.filter(({ risk }) => risk === "high").map((affected) => affected.id);
    const nodes = await graph.loadNodes(workspace.id, high);
    return nodes.flatMap((node) => (node === null || node.type === "column" ? [] : [node.name])).toSorted();
  };
  /** Models with SQL of which not everything is known, with the reason. */
  const unknown = async (): Promise<string[]> => {
    const relations = [...(await list("model")), ...(await list("table"))];
    return relations
      .filter(({ sql, columnLineage }) => sql !== null && columnLineage?.status !== "known")
      .map(({ columnLineage }) => columnLineage?.reason ?? "")
      .toSorted();
  };
  return { ...opened, breaksOf, unknown };
}

describe.skipIf(!existsSync(projectFolder("sagerx")))("the column lineage of real projects", () => {
  it("knows all of quickbooks, of which a column is named and not carried on", { timeout: 60_000 }, async () => {
    const quickbooks = await openProject("fivetran_quickbooks");
    expect(await quickbooks.unknown()).toEqual([]);
    const token = "postgres.public_quickbooks_dev.stg_quickbooks__payment_tmp.sync_token";
    expect(await quickbooks.breaksOf(token)).toContain("stg_quickbooks__payment");
    expect(await quickbooks.crawl()).toMatchObject({ assetsUpdated: 0, assetsRemoved: 0, read: 0 });
  });

  it(
    "knows all of hubspot, with its ephemeral models and those that read themselves",
    { timeout: 60_000 },
    async () => {
      const { unknown } = await openProject("fivetran_hubspot");
      expect(await unknown()).toEqual([]);
    },
  );

  it(
    "finds relations that the SQL of sagerx names and dbt does not say it depends on",
    { timeout: 60_000 },
    async () => {
      const { breaksOf, unknown } = await openProject("sagerx");
      expect(await breaksOf("sagerx.sagerx_lake.fda_enforcement.recall_number")).toHaveLength(5);
      // One relation is in no schema file. It has the columns that the SQL names.
      expect(await unknown()).toEqual([]);
    },
  );

  it(
    "adds the columns of a seed of pems that no catalog has, and knows what is made from them",
    { timeout: 60_000 },
    async () => {
      const { findNode, sourcesOf, breaksOf } = await openProject("pems");
      expect(await findNode("ANALYTICS_PRD.analytics.cities.city_id", "column")).toMatchObject({ inferred: true });
      const city = await findNode("ANALYTICS_PRD.geo.geo__current_stations.city", "column");
      expect(city.columnLineage).toMatchObject({ status: "known" });
      expect(await sourcesOf(city)).toContainEqual(expect.stringMatching(/cities\.city_id JOIN /));
      expect(await breaksOf("ANALYTICS_PRD.analytics.cities.city_id")).not.toEqual([]);
    },
  );
});
