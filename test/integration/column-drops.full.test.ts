/**
 * The impact finds every break. A column is dropped, DuckDB binds the SQL of the models that read it without that
 * column, and every model that fails must be at high risk. `bench/lineage/drop.ts` does the same for whole projects.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { crawlProject } from "../../bench/lineage/product.ts";
import { dropColumns } from "../support/column-drops.ts";
import { present } from "../support/present.ts";
import { writeDbtProject } from "../support/small-dbt-project.ts";

const PROJECTS = join(import.meta.dirname, "../../../shared/data/dbt");
const ORDERS = {
  id: "integer",
  customer_id: "integer",
  status: "text",
  amount: "numeric",
  updated_at: "timestamp",
};
const CUSTOMERS = { id: "integer", name: "text", country: "text" };

const capitals = (columns: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(columns).map(([name, type]) => [name.toUpperCase(), type]));

describe("dropped columns that break a model", () => {
  it("A model that a dropped column breaks is at high risk in PostgreSQL, wherever the SQL names the column", async () => {
    const folder = await writeDbtProject({
      adapter: "postgres",
      quote: (name) => `"${name}"`,
      hardCoded: ["hard_coded"],
      sources: {
        orders: { ...ORDERS, "Order Note": "text", tags: "text[]" },
        archived: { ...ORDERS, "Order Note": "text", tags: "text[]" },
        customers: CUSTOMERS,
      },
      models: {
        staged: "select * from {orders}",
        quoted: `select id, "Order Note" as "Note Text" from {orders}`,
        reads_quoted: `select "Note Text" from {quoted}`,
        unused_cte: "with paid as (select id from {orders} where status = 'paid') select id from {orders}",
        not_carried_on: "with all_orders as (select id, status, amount from {orders}) select id from all_orders",
        grouped: "select customer_id, count(*) as orders from {orders} group by 1",
        sorted: "select id from {staged} order by updated_at",
        having: "select customer_id from {staged} group by customer_id having max(amount) > 10",
        numbered: "select id, row_number() over (partition by customer_id order by updated_at) as n from {staged}",
        exists: `select c.id from {customers} as c
          where exists (select 1 from {orders} as o where o.customer_id = c.id and o.status = 'paid')`,
        scalar:
          "select id, (select c.name from {customers} as c where c.id = o.customer_id) as name from {orders} as o",
        joined: `with c as (select id as customer_id, name from {customers})
          select * from {staged} join c using (customer_id)`,
        incremental: `select * from {staged} where updated_at > (select max(updated_at) from {this})`,
        first_of_each: "select distinct on (customer_id) id from {orders} order by customer_id, updated_at desc",
        filtered_count: "select count(*) filter (where status = 'paid') as paid from {orders}",
        unnested: "select o.id, t.tag from {orders} as o cross join lateral unnest(o.tags) as t(tag)",
        same_name: "with orders as (select * from {orders}) select orders.id, orders.amount from orders",
        own_alias: "select lower(status) as status, status as raw_status from {orders}",
        renamed: "select id, amount as total, upper(status) as status from {orders}",
        reads_renamed: "select total from {renamed} where status <> 'OPEN'",
        reads_twice: "select total from {reads_renamed}",
        hard_coded: "select status from {orders}",
        ephemeral_paid: "select id, amount as paid from {staged} where status = 'paid'",
        reads_ephemeral: `with __dbt__cte__ephemeral_paid as (select id, amount as paid from {staged} where status = 'paid')
          select sum(paid) as paid from __dbt__cte__ephemeral_paid`,
      },
    });
    const { missed, broken, undecided } = await dropColumns(folder);
    expect(undecided).toEqual([]);
    expect(broken.length).toBeGreaterThan(50);
    expect(missed).toEqual([]);
  });

  it("A model that a dropped column breaks is at high risk if the sides of a set operation of `*` then differ", async () => {
    const folder = await writeDbtProject({
      adapter: "postgres",
      sources: { orders: ORDERS, archived: ORDERS },
      models: {
        staged: "select * from {orders}",
        united: "select * from {orders} union all select * from {archived}",
        united_by_cte:
          "with a as (select * from {staged}), b as (select * from {archived}) select * from a union select * from b",
        one_relation: "select * from {orders} where amount > 0 union all select * from {orders} where amount < 0",
      },
    });
    const { missed, broken, undecided } = await dropColumns(folder);
    expect(undecided).toEqual([]);
    expect(broken.length).toBeGreaterThan(20);
    expect(missed).toEqual([]);
  });

  it("A model that a dropped column breaks is at high risk in Snowflake, with unquoted names in capitals in the catalog", async () => {
    const folder = await writeDbtProject({
      adapter: "snowflake",
      sources: {
        orders: { ...capitals(ORDERS), "Order Note": "text", PAYLOAD: "variant" },
        customers: capitals(CUSTOMERS),
      },
      models: {
        staged: "select * from {orders}",
        without: "select * exclude (status) from {staged}",
        without_two: "select * exclude (amount, updated_at) rename (id as order_id) from {staged}",
        reads_without: "select amount from {without}",
        quoted: `select "ID", "Order Note" from {staged}`,
        latest:
          "select id from {staged} qualify row_number() over (partition by customer_id order by updated_at desc) = 1",
        by_alias: "select amount * 2 as doubled, doubled + 1 as more from {staged}",
        path: "select id, payload:address.city::string as city from {staged}",
        flattened: "select o.id, f.value as item from {staged} as o, lateral flatten(input => o.payload:items) as f",
        joined: "select o.*, c.name from {staged} as o left join {customers} as c on o.customer_id = c.id",
      },
    });
    const { missed, broken, undecided } = await dropColumns(folder);
    expect(undecided).toEqual([]);
    expect(broken.length).toBeGreaterThan(25);
    expect(missed).toEqual([]);
  });

  it("A model that a dropped column breaks is at high risk in BigQuery, with `except`, `replace` and fields", async () => {
    const folder = await writeDbtProject({
      adapter: "bigquery",
      quote: (name) => `\`${name}\``,
      sources: {
        orders: {
          id: "int64",
          status: "string",
          amount: "numeric",
          address: "struct<city string>",
          items: "array<int64>",
        },
      },
      models: {
        staged: "select * from {orders}",
        without: "select * except (status) from {staged}",
        replaced: "select * replace (upper(status) as status) from {staged}",
        city: "select id, address.city as city from {staged}",
        city_of_alias: "select o.address.city from {staged} as o",
        each_item: "select o.id, item from {staged} as o, unnest(o.items) as item",
        reads_city: "select city from {city}",
      },
    });
    const { missed, broken, undecided } = await dropColumns(folder);
    expect(undecided).toEqual([]);
    expect(broken.length).toBeGreaterThan(10);
    expect(missed).toEqual([]);
  });

  it("A model that a dropped field breaks is at high risk, and a model that names another field is not", async () => {
    const folder = await writeDbtProject({
      adapter: "bigquery",
      quote: (name) => `\`${name}\``,
      sources: {
        orders: {
          id: "int64",
          address: "struct<city string, zip string>",
          "address.city": "string",
          "address.zip": "string",
        },
      },
      models: {
        city: "select id, o.address.city as city from {orders} as o",
        zip: "select id, address.zip as zip from {orders}",
      },
    });
    const product = await crawlProject(folder);
    onTestFinished(() => product.close());
    const orders = product.assets.find(({ fqn }) => fqn === "shop.raw.orders");
    const columns = product.columns.get(present(orders).id) ?? [];
    const city = present(columns.find(({ fqn }) => fqn.endsWith("orders.address.city")));
    const affected = await product.drop(city.id);
    const high = affected.filter(({ type, risk }) => type === "model" && risk === "high").map(({ fqn }) => fqn);
    expect(high).toEqual(["shop.marts.city"]);
    expect(affected.filter(({ fqn }) => fqn === "shop.marts.zip")).toEqual([]);
  });

  // Public projects, with the SQL of two platforms.
  it.skipIf(!existsSync(PROJECTS)).each(["jaffle_shop", "colibri_ephemeral_finance_core"])(
    "Each model of the project %s that a dropped column breaks is at high risk, skipped without ../shared/data",
    async (name) => {
      const { missed, undecided } = await dropColumns(join(PROJECTS, name));
      expect(undecided).toEqual([]);
      expect(missed).toEqual([]);
    },
  );
});
