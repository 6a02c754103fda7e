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

/** Each name as it is written, with the column that it means. */
function referencesOf(sql: string, dialect = "postgres") {
  const answer = resolveColumns({ sql, dialect, relations: RELATIONS, references: true });
  if ("unresolved" in answer) throw new Error(answer.unresolved);
  return (
    answer.references?.map(({ relation: index, column, start, end }) => {
      return `${sql.slice(start, end)} = ${RELATIONS[index]?.name}.${column}`;
    }) ?? null
  );
}

describe("References to columns", () => {
  it("Each column has a reference where it is written, in the order of the text", () => {
    expect(
      referencesOf(
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

  it("The name of an unchanged copy refers to its column, and that of a computed value to none", () => {
    const sql = `with c as (select amount as a, amount + 1 as b from shop.orders) select c.a, c.b from c order by a`;
    expect(referencesOf(sql)).toEqual([
      "amount = orders.amount",
      "amount = orders.amount",
      "a = orders.amount",
      "a = orders.amount",
    ]);
  });

  it("A name that means two columns refers to both", () => {
    expect(referencesOf("select price from shop.orders join shop.payments using (id)")).toEqual([
      "price = payments.price",
      "id = orders.id",
      "id = payments.id",
    ]);
  });

  it("References are counted in UTF-16 code units, even after wide characters", () => {
    expect(referencesOf("select '😀é' as x, /* 😀 */ amount from shop.orders")).toEqual(["amount = orders.amount"]);
  });

  it("A star refers to no column, and references are only in the answer if asked for", () => {
    expect(referencesOf("select * from shop.orders")).toEqual([]);
    const answer = resolveColumns({ sql: "select id from shop.orders", dialect: "postgres", relations: RELATIONS });
    expect(answer).not.toHaveProperty("references");
  });

  it("References are null for a text that was rewritten before it could be parsed", () => {
    expect(referencesOf("select id, from shop.orders where amount > 1,", "duckdb")).toBeNull();
  });
});
