import { describe, expect, it } from "vitest";

import type { OutputColumn, Relation } from "../../../src/sql-lineage/request.ts";
import { resolveColumns } from "../../../src/sql-lineage/resolve-columns.ts";
import { relationOf } from "../../support/sql-relation.ts";

const RELATIONS: Relation[] = [
  relationOf("orders", ["id", "user_id", "status", "placed_at"]),
  relationOf("payments", ["id", "order_id", "amount"]),
];

function columnsOf(sql: string): OutputColumn[] {
  const answer = resolveColumns({ sql, dialect: "postgres", relations: RELATIONS });
  if ("unresolved" in answer) throw new Error(answer.unresolved);
  return answer.columns;
}

/** The expressions of the first column, by transformation and parent. */
function expressionsOf(sql: string): Record<string, string> {
  const parents = columnsOf(sql)[0]?.parents ?? [];
  return Object.fromEntries(parents.map((p) => [`${p.transformation} ${p.column}`, p.expression]));
}

function joined(join: string): Record<string, string> {
  return expressionsOf(`select o.status from orders o ${join}`);
}

describe("Expression of a parent", () => {
  it("The expression of a parent is the step that computes, not those that pass its result on", () => {
    const sql = `with paid as (select order_id as o, sum(amount) as total from payments group by 1),
      final as (select p.total as grand_total from paid p) select * from final`;
    expect(expressionsOf(sql)).toEqual({ "AGGREGATION amount": "SUM(amount)", "GROUP_BY order_id": "order_id" });
  });

  it("The expression of a parent is the step closest to the output that has the strongest transformation", () => {
    const sql =
      "with paid as (select sum(amount) as total from payments) select round(total / 100, 2) as euros from paid";
    expect(expressionsOf(sql)).toEqual({ "AGGREGATION amount": "ROUND(total / 100, 2)" });
  });

  it("The expression of an unchanged parent is its name", () => {
    expect(expressionsOf("select p.amount as total from payments p")).toEqual({ "IDENTITY amount": "amount" });
  });

  it("The expression of a parent in a condition is that single condition", () => {
    const sql = `select case when status = 'paid' then user_id end from orders join payments
      on payments.order_id = orders.id and amount > 0 where placed_at > '2024-01-01' and (status <> 'lost')`;
    expect(expressionsOf(sql)).toEqual({
      "TRANSFORMATION user_id": "CASE WHEN status = 'paid' THEN user_id END",
      "CONDITIONAL status": "status = 'paid'",
      "FILTER placed_at": "placed_at > '2024-01-01'",
      "FILTER status": "status <> 'lost'",
      "JOIN order_id": "payments.order_id = orders.id",
      "JOIN id": "payments.order_id = orders.id",
      "JOIN amount": "amount > 0",
    });
  });

  it("The expression of a parent in the condition of an outer join names the join", () => {
    const condition = "p.order_id = o.id";
    expect(joined("left join payments p on p.order_id = o.id")).toMatchObject({
      "JOIN order_id": `${condition} (left join)`,
      "JOIN id": `${condition} (left join)`,
    });
    expect(joined("full outer join payments p using (id)")).toMatchObject({ "JOIN id": "USING (id) (full join)" });
    expect(joined("left semi join payments p on p.order_id = o.id")).toMatchObject({
      "JOIN order_id": `${condition} (left semi join)`,
    });
    expect(joined("inner join payments p on p.order_id = o.id")).toMatchObject({ "JOIN order_id": condition });
  });

  it("The expression of a parent in a window is the whole window, and an ordinal shows what it stands for", () => {
    const sql =
      "select rank() over (partition by user_id order by placed_at desc) as nth, upper(status) from orders order by 2";
    expect(expressionsOf(sql)).toEqual({
      "WINDOW user_id": "RANK() OVER (PARTITION BY user_id ORDER BY placed_at DESC)",
      "WINDOW placed_at": "RANK() OVER (PARTITION BY user_id ORDER BY placed_at DESC)",
      "SORT status": "UPPER(status)",
    });
  });

  it("The expression of a parent has no comments and line breaks", () => {
    const sql = "select sum( /* gross */ amount -- in cents\n)\n as total from payments";
    expect(expressionsOf(sql)).toEqual({ "AGGREGATION amount": "SUM(amount)" });
  });
});

describe("Name of an output column", () => {
  it("An output column has its written name, or the name that PostgreSQL gives it", () => {
    const sql = 'select ID, user_id as "User", placed_at::date, count(*), 1 + 1 from orders group by 1, 2, 3';
    expect(columnsOf(sql).map(({ name }) => name)).toEqual(["ID", "User", "placed_at", "count", "?column?"]);
  });
});
