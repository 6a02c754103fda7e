import { existsSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { crawl } from "./project.ts";

/** A real project beside the checkout, if it exists. Its README says where it is from. */
const FOLDER = new URL("../../../../../shared/data/dbt/jaffle_shop/", import.meta.url).pathname;

describe.skipIf(!existsSync(FOLDER))("jaffle_shop, skipped if ../shared/data is absent", () => {
  test("The jaffle_shop project states its models and seeds with the warehouse's columns, and their edges", async () => {
    const { assets, edges, errors, complete } = await crawl({
      manifest: `${FOLDER}manifest.json`,
      catalog: `${FOLDER}catalog.json`,
    });
    expect([...assets.keys()].toSorted()).toEqual([
      "model analytics__build.util.customers",
      "model analytics__build.util.orders",
      "model analytics__build.util.stg_customers",
      "model analytics__build.util.stg_orders",
      "model analytics__build.util.stg_payments",
      "table analytics__build.util.raw_customers",
      "table analytics__build.util.raw_orders",
      "table analytics__build.util.raw_payments",
    ]);
    expect(edges).toHaveLength(8);
    expect(edges).toContain("analytics__build.util.stg_payments derives analytics__build.util.customers");
    const customers = assets.get("model analytics__build.util.customers");
    expect(customers?.columns.map(({ name, dataType }) => `${name} ${dataType}`)).toEqual([
      "customer_id NUMBER",
      "first_name TEXT",
      "last_name TEXT",
      "first_order DATE",
      "most_recent_order DATE",
      "number_of_orders NUMBER",
      "customer_lifetime_value NUMBER",
    ]);
    expect(customers?.facts.sql).toContain("customer_lifetime_value");
    // schema.yml documents a column that the model does not select.
    const unseen = [...assets.values()].flatMap(({ columnsUnseen = [] }) => columnsUnseen.map(({ name }) => name));
    expect(unseen).toHaveLength(1);
    expect(errors).toEqual([]);
    expect(complete).toBe(true);
  });
});
