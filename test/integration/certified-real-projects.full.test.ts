/**
 * Pull requests of whole dbt projects with certified metrics: the prediction of the check, and the result of the sync.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { lapsesByRenames, modelIds, openCertifiedProject, rewriteModel } from "../support/certified-project.ts";
import { present } from "../support/present.ts";

const SHARED = join(import.meta.dirname, "../../../shared/data/dbt");
const TRINO = join(SHARED, "colibri_trino");
const EPHEMERAL = join(SHARED, "colibri_ephemeral_finance_core");
const LIMIT = { timeout: 300_000 };

function idsIn(folder: string): string[] {
  return modelIds(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));
}

/** Builds everything in another schema, except that one model still names a table of the old schema without quotes. */
function elsewhere(manifest: string): string {
  return manifest.replaceAll(/(\\?")public\1/g, "$1pr_7$1");
}

/** The names of the metrics that are defined on a model itself. */
function namesOn(id: string): string[] {
  return ["most", "rows"].map((what) => `${what}_of_${id.split(".").at(-1)}`);
}

describe.skipIf(!existsSync(TRINO))("projects of ../shared/data, skipped without it", LIMIT, () => {
  it("A renamed model of a real project lapses no certification", async () => {
    const project = await openCertifiedProject(TRINO);
    await project.certifyAll();
    expect(await project.check(project.edit(() => {}))).toEqual({});
    expect(await lapsesByRenames(project, idsIn(TRINO))).toEqual({});
  });

  it("A renamed column of a real project lapses what depends on it, with a reason that has the column's name", async () => {
    const project = await openCertifiedProject(TRINO);
    await project.certifyAll();
    const manifest = project.edit((edited) => {
      rewriteModel(edited, "model.jaffle_shop.stg_supplies", "as supply_cost", "as cost_of_supply");
      rewriteModel(edited, "model.jaffle_shop.order_items", "sum(supply_cost)", "sum(cost_of_supply)");
    });
    const foretold = await project.check(manifest);
    expect(Object.keys(foretold)).toEqual(["order_cost", "order_gross_profit"]);
    expect(foretold["order_cost"]).toMatch(/column `supply_cost` of `stg_supplies` is gone/);
    // The reasons differ: the sync reads a catalog.json that still lists the old column.
    expect(Object.keys(await project.merge(manifest))).toEqual(Object.keys(foretold));
  });

  it("A pull request lapses the same certifications if it is built for another target", async () => {
    const project = await openCertifiedProject(TRINO);
    await project.certifyAll();
    const formula = project.edit((manifest) =>
      rewriteModel(manifest, "model.jaffle_shop.stg_orders", "cast(order_total / 100 as", "cast(order_total / 10 as"),
    );
    expect(await project.check(elsewhere(project.edit(() => {})))).toEqual({});
    const foretold = await project.check(elsewhere(formula));
    expect(Object.keys(foretold)).toEqual(["large_orders", "order_total"]);
    expect(foretold).toEqual(await project.check(formula));
  });

  it("A renamed model lapses only metrics that people define on the model itself, also if models are ephemeral", async () => {
    const project = await openCertifiedProject(EPHEMERAL);
    const columns = await project.list("column");
    for (const { id, name } of await project.list("model")) {
      const column = present(columns.find(({ parentId }) => parentId === id));
      await project.define({ name: `rows_of_${name}`, expression: "count(*)", sources: [id] });
      await project.define({ name: `most_of_${name}`, expression: `max(${column.name})`, sources: [column.id] });
    }
    await project.certifyAll();
    const ids = ["stg_payments", "int_payment_method_stats", "int_customer_spine"].map(
      (name) => `model.finance_core.${name}`,
    );
    const found = await lapsesByRenames(project, ids);
    const named = Object.entries(found).map(([id, lapsed]) => [id, Object.keys(lapsed)]);
    expect(named).toEqual(ids.map((id) => [id, namesOn(id)]));
  });

  it("A changed formula of a column lapses exactly the metrics that depend on the column", async () => {
    const project = await openCertifiedProject(TRINO);
    await project.certifyAll();
    const revenue = ["cumulative_revenue", "food_revenue", "food_revenue_pct", "drink_revenue", "drink_revenue_pct"];
    const ofPrice = [...revenue, "median_revenue", "order_gross_profit", "revenue", "revenue_growth_mom"];
    const perCustomer = ["average_order_value", "lifetime_spend_pretax"];
    const expected: readonly [model: string, from: string, to: string, lapsed: readonly string[]][] = [
      // Counts of orders do not depend on prices.
      ["stg_products", "cast(price / 100 as", "cast(price / 10 as", ofPrice],
      ["stg_products", "name as product_name", "lower(name) as product_name", []],
      ["stg_products", "type = 'jaffle'", "type = 'Jaffle'", ["food_orders", "food_revenue", "food_revenue_pct"]],
      ["stg_supplies", "cast(cost / 100 as", "cast(cost / 10 as", ["order_cost", "order_gross_profit"]],
      ["stg_supplies", "_dbt_utils_surrogate_key_null_", "none", []],
      ["stg_orders", "cast(subtotal / 100 as", "cast(subtotal / 10 as", perCustomer],
      ["stg_orders", "cast(order_total / 100 as", "cast(order_total / 10 as", ["large_orders", "order_total"]],
      ["stg_orders", "cast(tax_paid / 100 as", "cast(tax_paid / 10 as", []],
      ["stg_orders", "store_id as location_id", "store_id + 1 as location_id", []],
      ["customers", "max(orders.ordered_at)", "min(orders.ordered_at)", []],
      [
        "orders",
        "sum(supply_cost) as order_cost",
        "max(supply_cost) as order_cost",
        ["order_cost", "order_gross_profit"],
      ],
      ["orders", "count(order_item_id)", "count(distinct order_item_id)", []],
      ["orders", "count_drink_items > 0", "count_drink_items > 1", ["drink_orders"]],
    ];
    const found: (typeof expected)[number][] = [];
    for (const [model, from, to] of expected) {
      const edited = project.edit((manifest) => rewriteModel(manifest, `model.jaffle_shop.${model}`, from, to));
      found.push([model, from, to, Object.keys(await project.check(edited))]);
    }
    const sorted = (all: typeof expected) => all.map(([model, from, to, names]) => [model, from, to, names.toSorted()]);
    expect(sorted(found)).toEqual(sorted(expected));
    const keys = project.edit((manifest) =>
      rewriteModel(manifest, "model.jaffle_shop.order_items", "left join products", "join products"),
    );
    const rows = await project.check(keys);
    expect(Object.keys(rows)).toContain("orders");
    expect(await project.merge(keys)).toEqual(rows);
  });
});
