import { describe, expect, it } from "vitest";

import type { Relation } from "../../../src/sql-lineage/request.ts";
import { resolveColumns } from "../../../src/sql-lineage/resolve-columns.ts";

const relation = (name: string, ...columns: string[]): Relation => ({
  database: "",
  schema: "shop",
  name,
  columns,
  completeness: "all",
  inlinedAs: "",
});
const RELATIONS = [relation("orders", "id", "amount", "at"), relation("payments", "id", "price", "MixedCase")];

/** Each name as the text has it at its place, with the column that it means. */
function placesOf(sql: string, dialect = "postgres") {
  const answer = resolveColumns({ sql, dialect, relations: RELATIONS, places: true });
  if ("unresolved" in answer) throw new Error(answer.unresolved);
  return (
    answer.places?.map(({ relation: place, column, start, end }) => {
      return `${sql.slice(start, end)} = ${RELATIONS[place]?.name}.${column}`;
    }) ?? null
  );
}

describe("the places of names", () => {
  it("are where each column is written, in the order of the text", () => {
    expect(
      placesOf(
        'select o.amount, sum(p.price) from shop.orders o\njoin shop.payments p on p.id = o.id where O."at" > 1',
      ),
    ).toEqual([
      "amount = orders.amount",
      "price = payments.price",
      "id = payments.id",
      "id = orders.id",
      '"at" = orders.at',
    ]);
  });

  it("count the name of an unchanged copy, and no name of what is computed", () => {
    const sql = `with c as (select amount as a, amount + 1 as b from shop.orders) select c.a, c.b from c order by a`;
    expect(placesOf(sql)).toEqual([
      "amount = orders.amount",
      "amount = orders.amount",
      "a = orders.amount",
      "a = orders.amount",
    ]);
  });

  it("of a name that means two columns are told of both", () => {
    expect(placesOf("select price from shop.orders join shop.payments using (id)")).toEqual([
      "price = payments.price",
      "id = orders.id",
      "id = payments.id",
    ]);
  });

  it("are counted as JavaScript counts, behind letters of any width", () => {
    expect(placesOf("select '😀é' as x, /* 😀 */ amount from shop.orders")).toEqual(["amount = orders.amount"]);
  });

  it("are not told of what the star lists, nor unless they are asked for", () => {
    expect(placesOf("select * from shop.orders")).toEqual([]);
    const answer = resolveColumns({ sql: "select id from shop.orders", dialect: "postgres", relations: RELATIONS });
    expect(answer).not.toHaveProperty("places");
  });

  it("are not known of a text that could only be parsed in another form", () => {
    expect(placesOf("select id, from shop.orders where amount > 1,", "duckdb")).toBeNull();
  });
});
