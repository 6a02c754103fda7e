/** Column lineage end to end: artifacts of dbt, the crawl, the reader of SQL in its threads, and the graph. */
import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { openDbtCrawl } from "../support/dbt-crawl.ts";

const SHOP = join(import.meta.dirname, "../../samples/shop");
const JAFFLE_SHOP = join(import.meta.dirname, "../../../shared/data/dbt/jaffle_shop");

it("The sources of every column of the sample are known, and no SQL is read twice", async () => {
  const { crawl, list, findNode, reach, sourcesOf } = await openDbtCrawl(SHOP);
  expect(await crawl()).toMatchObject({ status: "completed", errorsTotal: 0, assetsUpdated: 697, read: 71 });

  const read = (await list("column")).filter(({ columnLineage }) => columnLineage !== null);
  expect(read.filter(({ columnLineage }) => columnLineage?.status !== "known")).toEqual([]);
  expect(read).toHaveLength(446);
  // dbt adds such columns to those of the snapshot's own SQL.
  const since = await findNode("shop.snapshots.variant_prices.dbt_valid_from", "column");
  expect(await sourcesOf(since)).toEqual(["shop.staging.stg_shopify__product_variants.updated_at IDENTITY updated_at"]);

  expect(await crawl()).toMatchObject({ assetsDiscovered: 697, assetsUpdated: 0, assetsRemoved: 0, read: 0 });

  const refunded = await findNode("shop.finance.fct_refunds.refunded_eur", "column");
  expect(await sourcesOf(refunded)).toEqual([
    "shop.intermediate.int_orders_in_eur.order_id JOIN refunds.order_id = orders.order_id (left join)",
    "shop.intermediate.int_refunds_in_eur.order_id JOIN refunds.order_id = orders.order_id (left join)",
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

it.skipIf(!existsSync(JAFFLE_SHOP))("The sources of every column of jaffle_shop are known", async () => {
  const { crawl, list, findNode, sourcesOf } = await openDbtCrawl(JAFFLE_SHOP);
  expect(await crawl()).toMatchObject({ status: "completed" });
  const columns = (await list("column")).filter(({ columnLineage }) => columnLineage !== null);
  expect(columns).toHaveLength(27);
  expect(columns.filter(({ columnLineage }) => columnLineage?.status !== "known")).toEqual([]);
  const value = await findNode("analytics__build.util.customers.customer_lifetime_value", "column");
  expect(await sourcesOf(value)).toContainEqual(expect.stringMatching(/^\S+\.stg_payments\.amount AGGREGATION sum\(/i));
});
