/** The sentences that say why an asset is affected. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { draw } from "../../../support/drawn-lineage.ts";

const SHOP = `
  table payments(amount, method, id)
  model stg_payments(amount known, method known, id known) known
  model fct_orders(amount known, latest known, methods known, is_paid known, rank known) known
  metric revenue known certified
  metric margin known
  dashboard board
  payments > stg_payments
  payments.amount > stg_payments.amount IDENTITY amount
  payments.method > stg_payments.method TRANSFORMATION upper(method)
  payments.id > stg_payments.id IDENTITY id | JOIN p.id = o.id
  stg_payments > fct_orders
  stg_payments.amount > fct_orders.amount AGGREGATION sum(amount)
  stg_payments.amount > fct_orders.latest AGGREGATION max(amount) / 100
  stg_payments.method > fct_orders.methods AGGREGATION count(distinct method)
  stg_payments.method > fct_orders.is_paid FILTER method <> 'gift'
  stg_payments.id > fct_orders.rank WINDOW row_number() over (order by id)
  fct_orders > revenue
  fct_orders.amount > revenue AGGREGATION sum(amount)
  revenue > margin
  revenue > board
`;

async function inShop(name: string, root: string): Promise<string> {
  return (await draw(SHOP)).why(name, root, "column_drop");
}

describe("Reasons", () => {
  it("The reason for one hop says what is done with the column", async () => {
    expect(await inShop("stg_payments.amount", "payments.amount")).toBe(
      "`stg_payments.amount` copies `payments.amount` (IDENTITY).",
    );
    expect(await inShop("stg_payments.method", "payments.method")).toBe(
      "`stg_payments.method` is computed from `payments.method` (TRANSFORMATION).",
    );
  });

  it("The reason for a table names the column by which it is affected", async () => {
    expect(await inShop("stg_payments", "payments.amount")).toBe(
      "Model `stg_payments` has `stg_payments.amount`, which copies `payments.amount` (IDENTITY).",
    );
  });

  it("The reason for two hops says how far the asset is", async () => {
    expect(await inShop("fct_orders.amount", "payments.amount")).toBe(
      "`fct_orders.amount` sums `stg_payments.amount` (AGGREGATION), 2 hops from `payments.amount`.",
    );
  });

  it("The reason names an aggregate only if the expression is that aggregate alone", async () => {
    expect(await inShop("fct_orders.latest", "stg_payments.amount")).toContain("aggregates `stg_payments.amount`");
    expect(await inShop("fct_orders.methods", "stg_payments.method")).toContain("aggregates `stg_payments.method`");
    for (const [call, verb] of Object.entries({
      "sum(a)": "sums",
      "COUNT(a)": "counts",
      "avg (a)": "averages",
      "min(f(a), (b))": "takes the smallest of",
      "max(a)": "takes the largest of",
      "sum(a) + sum(b)": "aggregates",
      "string_agg(a)": "aggregates",
      "count(distinct a)": "aggregates",
    })) {
      const { why } = await draw(`table t(a)\nmodel m(b known) known\nt.a > m.b AGGREGATION ${call}`);
      expect(await why("m.b", "t.a", "column_drop")).toBe(`\`m.b\` ${verb} \`t.a\` (AGGREGATION).`);
    }
  });

  it("The reason for a longer path lists the path", async () => {
    expect(await inShop("revenue", "payments.amount")).toBe(
      "Certified metric `revenue` sums `fct_orders.amount` (AGGREGATION), 3 hops: " +
        "`payments.amount` → `stg_payments.amount` → `fct_orders.amount` → `revenue`.",
    );
  });

  it("The reason for an asset that only shows a metric says what the metric does", async () => {
    expect(await inShop("board", "fct_orders.amount")).toBe(
      "Dashboard `board` shows certified metric `revenue`, which sums `fct_orders.amount` (AGGREGATION), " +
        "2 hops from `fct_orders.amount`.",
    );
    expect(await inShop("margin", "fct_orders.amount")).toContain(
      "Metric `margin` is computed from certified metric `revenue`, which sums",
    );
  });

  it("The reason says by what use a column's rows are decided", async () => {
    expect(await inShop("fct_orders.is_paid", "stg_payments.method")).toBe(
      "`fct_orders.is_paid` is filtered by `stg_payments.method` (FILTER).",
    );
    expect(await inShop("fct_orders.rank", "payments.id")).toBe(
      "`fct_orders.rank` is windowed over `stg_payments.id` (WINDOW), 2 hops from `payments.id`.",
    );
  });

  it("The reason says where the path was weaker on the way", async () => {
    const { why } = await draw(`
      table a(id)
      model b(id known) known
      model c(id known) known
      a.id > b.id FILTER id > 0
      b.id > c.id IDENTITY id
    `);
    expect(await why("c.id", "a.id", "column_drop")).toBe(
      "`c.id` copies `b.id` (IDENTITY), 2 hops from `a.id`; on the way `b.id` is only filtered by `a.id` (FILTER).",
    );
  });

  it("The reason says that a use is not known, and why it is not", async () => {
    const { why } = await draw(`
      table a(id)
      model b(id) unknown: could not parse near 'qualify'.
      model part(x unknown, y known) partial: the SQL calls a macro
      model c(id known) known
      dashboard board
      a > b
      b > c
      b > part
      part > board
      b.id > c.id IDENTITY id
    `);
    expect(await why("b", "a.id", "column_drop")).toBe(
      "Model `b` reads `a`, and whether it uses `a.id` is not known " +
        "(column lineage unknown: could not parse near 'qualify').",
    );
    expect(await why("b", "a", "column_drop")).toBe(
      "Model `b` reads `a`, and which of its columns is not known " +
        "(column lineage unknown: could not parse near 'qualify').",
    );
    expect(await why("c.id", "a.id", "column_drop")).toBe(
      "`c.id` copies `b.id` (IDENTITY), 2 hops from `a.id`; on the way it is not known whether `b` uses `a.id` " +
        "(column lineage unknown: could not parse near 'qualify').",
    );
    expect(await why("part", "a.id", "column_drop")).toContain(
      "Model `part` reads `b`, all of which may change, 2 hops",
    );
    expect(await why("board", "a.id", "column_drop")).toBe(
      "Dashboard `board` reads `part`, and which of its columns is not known (column lineage unknown), " +
        "3 hops: `a.id` → `b` → `part` → `board`.",
    );
    expect(await why("part", "b.id", "column_drop")).toContain("(column lineage known in part: the SQL calls a macro)");
  });

  it("The reason says when an asset uses no changed column, on a path from a pipeline", async () => {
    const { why } = await draw(`
      pipeline job
      table a(id)
      model b(id known, label known) known
      model c(label known) known
      job => a
      a > b
      b > c
      a.id > b.id IDENTITY id
      b.label > c.label IDENTITY label
    `);
    expect(await why("c", "job", "deprecate")).toBe(
      "Model `c` reads `b`, but uses no changed column of it, 3 hops: `job` → `a` → `b` → `c`.",
    );
  });

  it("The reason says where on the path no changed column is used, if that is known", async () => {
    const { why } = await draw(`
      table a(id)
      model b(id unknown, other known) partial
      model c(x known) known
      model d(y)
      a > b
      b > c
      c > d
      b.other > c.x IDENTITY other
    `);
    expect(await why("c", "a.id", "column_drop")).toBe(
      "Model `c` reads `b`, but uses no changed column of it, 2 hops from `a.id`.",
    );
    expect(await why("d", "a.id", "column_drop")).toBe(
      "Model `d` reads `c`, 3 hops: `a.id` → `b` → `c` → `d`; on the way `c` uses no changed column of `b`.",
    );
  });

  it("The reason for an asset that a pipeline loads names the pipeline", async () => {
    const { why } = await draw(`
      pipeline loader
      table a(id)
      model b(id) unknown
      model known_one(x known) known
      table c
      pipeline copy
      loader => a
      loader => known_one
      a > b
      a > copy
      copy => c
      copy => known_one
    `);
    expect(await why("a", "loader", "deprecate")).toBe("Table `a` is loaded by pipeline `loader`.");
    expect(await why("b", "loader", "deprecate")).toBe(
      "Model `b` reads `a`, all of which may change, 2 hops from `loader`.",
    );
    expect(await why("c", "a.id", "column_drop")).toBe(
      "Table `c` is loaded by pipeline `copy`, which reads `a`, and whether it uses `a.id` is not known " +
        "(column lineage unknown), 2 hops from `a.id`.",
    );
    expect(await why("known_one", "a.id", "column_drop")).toBe(
      "Model `known_one` is loaded by pipeline `copy`, but its columns are known to come from elsewhere, " +
        "2 hops from `a.id`.",
    );
  });

  it("The reason for a reader of a deprecated table says that it reads the table", async () => {
    const { why } = await draw(`table a(id)\nmodel b(x known, y unknown) partial\na > b\na.id > b.y FILTER id > 0`);
    expect(await why("b", "a", "deprecate")).toBe("Model `b` reads `a`.");
    expect(await why("b.y", "a", "deprecate")).toBe("`b.y` is a column of `b`, which reads `a`.");
  });

  it("The reason for a widened column says that every value still fits", async () => {
    const { why } = await draw(`table a(id int)\nmodel b(id known) known\na.id > b.id IDENTITY id`);
    expect(await why("b.id", "a.id", "type_change", { newType: "bigint" })).toBe(
      "`b.id` copies `a.id` (IDENTITY); every value still fits.",
    );
  });

  it("The reason for a very long path lists only its ends", async () => {
    const names = Array.from({ length: 9 }, (_, i) => `m${i}`);
    const { why } = await draw(
      [
        ...names.map((name) => `model ${name}(id known) known`),
        ...names.slice(1).map((name, i) => `m${i}.id > ${name}.id IDENTITY id`),
      ].join("\n"),
    );
    expect(await why("m8.id", "m0.id", "column_drop")).toBe(
      "`m8.id` copies `m7.id` (IDENTITY), 8 hops: `m0.id` → `m1.id` → … 5 more … → `m7.id` → `m8.id`.",
    );
  });

  const sign = fc.constantFrom("`", "\n", "\r\n", "\u2028", "\u0000", "\ud800", "\u202e", " ", ".", "é", "🦆", "x");
  const text = fc.string({ unit: sign, maxLength: 150 });

  it("A reason is one well-formed line, whatever the names and recorded reasons contain", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (name, reason) => {
        const odd = { name: `x${name}` };
        const lines = "table a(id)\nmodel b(id)\nmodel c(id)\na > b\nb > c\na.id > c.id FILTER x";
        const { assess } = await draw(lines, {
          a: odd,
          "a.id": odd,
          b: { ...odd, columnLineage: { status: "unknown", reason } },
        });
        const { affected } = await assess("a.id", "column_drop");
        expect(affected).toHaveLength(3);
        for (const { reason: told } of affected) {
          expect(told).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}\u202e]+\.$/u);
          expect(told.isWellFormed()).toBe(true);
          // Each name is between two backticks, and contains none.
          expect(told.match(/`[^`]+`/g)?.length).toBe((told.split("`").length - 1) / 2);
        }
      }),
    );
  });
});
