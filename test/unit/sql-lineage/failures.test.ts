import { describe, expect, it } from "vitest";

import type { LineageAnswer, Relation } from "../../../src/sql-lineage/request.ts";
import { resolveColumns } from "../../../src/sql-lineage/resolve-columns.ts";
import { relationOf } from "../../support/sql-relation.ts";
import { atDepth, isFull } from "../../support/depth.ts";

const TABLE: Relation = relationOf("t", ["a", "b"]);
const DIALECTS = ["snowflake", "postgres", "bigquery", "databricks", "duckdb", "clickhouse", "sqlserver", "nonesuch"];

function resolve(sql: string, dialect = "postgres"): LineageAnswer {
  return resolveColumns({ sql, dialect, relations: [TABLE] });
}

function reasonOf(answer: LineageAnswer): string {
  return "unresolved" in answer ? answer.unresolved : "";
}

function repeat(count: number, part: (i: number) => string, separator: string): string {
  return Array.from({ length: count }, (_, i) => part(i)).join(separator);
}

describe("Texts that cannot be read", () => {
  it.each([
    ["nothing", "", /no statement/],
    ["white space", " \n\t", /no statement/],
    ["a comment", "-- nothing\n/* at all */", /no statement/],
    ["garbage", "\u0000\u0001 )(*&^ select ;;", /error/i],
    ["prose", "This model sums all orders.", /error|no query/i],
    ["an open string", "select 'a from t", /Unterminated string/],
    ["half a statement", "select a, from (select", /error/i],
    ["an update", "update t set a = 1", /no query/],
    ["a call", "call refresh_all()", /error|no query/i],
    ["an insert of literals", "insert into t values (1, 2)", /no query/],
  ])("A text that is not a query is left unresolved, with the reason: %s", (_what, sql, reason) => {
    expect(reasonOf(resolve(sql))).toMatch(reason);
  });

  it.each(DIALECTS)("The reason for a text with Jinja in %s says so", (dialect) => {
    expect(reasonOf(resolve("select {{ columns }} from {{ ref('t') }}", dialect))).toMatch(/Jinja/);
    expect(reasonOf(resolve("{% if x %} select a from t {% endif %}", dialect))).toMatch(/Jinja/);
  });

  it("A text of more than two million characters is not read", () => {
    expect(reasonOf(resolve(`select a from t -- ${"x".repeat(2_000_000)}`))).toMatch(/2000000 characters/);
  });

  it.each([
    ["parentheses", `select ${"(".repeat(5000)}a${")".repeat(5000)} from t`],
    ["open parentheses", `select ${"(".repeat(100_000)}`],
    ["subqueries", `${"select * from (".repeat(500)}select a from t${") x".repeat(500)}`],
    ["calls", `select ${"upper(".repeat(500)}a${")".repeat(500)} from t`],
    ["negations", `select a from t where ${"not ".repeat(5000)} b`],
    ["unions", repeat(3000, () => "select a from t", " union all ")],
  ])("A text that nests too deep is refused: %s", (_what, sql) => {
    expect(reasonOf(resolve(sql))).toMatch(/DEPTH/);
  });
});

describe("Large texts", () => {
  it.runIf(isFull)("A text may have a long chain of conditions", () => {
    const answer = resolve(`select a from t where ${repeat(3000, (i) => `b = ${i}`, " or ")}`);
    expect(answer).toMatchObject({
      columns: [{ parents: [{ column: "a" }, { column: "b", transformation: "FILTER" }] }],
    });
  });

  it("A text may have a long chain of CTEs", () => {
    const chain = repeat(1000, (i) => `c${i + 1} as (select * from c${i})`, ", ");
    const answer = resolve(`with c0 as (select a from t), ${chain} select * from c1000`);
    expect(answer).toMatchObject({ columns: [{ name: "a", parents: [{ column: "a", transformation: "IDENTITY" }] }] });
  });

  it("A text may have very many literals", () => {
    const answer = resolve(`select a from t where b in (${repeat(atDepth(10_000, 150_000), (i) => `${i}`, ", ")})`);
    expect(answer).toMatchObject({ columns: [{ parents: [{ column: "a" }, { column: "b" }] }] });
  });

  it("Long expressions are cut", () => {
    const answer = resolve(`select ${repeat(200, (i) => `a * ${i}`, " + ")} as total from t`);
    if ("unresolved" in answer) throw new Error(answer.unresolved);
    expect(answer.columns[0]?.parents[0]?.expression).toMatch(/^a \* 0 \+ .{285,295}…$/);
  });
});

describe("Notes for the reader", () => {
  it("A note says that the dialect is unknown", () => {
    expect(resolve("select a from t", "nonesuch")).toMatchObject({
      notes: ["the dialect nonesuch is not known; the text is read as generic SQL"],
    });
  });

  it("A note says that there are several statements", () => {
    expect(resolve("select a from t; select b from t; drop table t")).toMatchObject({
      columns: [{ name: "b" }],
      notes: ["the text holds 3 statements; the last query is read"],
    });
  });
});

describe("Limits on uses", () => {
  const names = Array.from({ length: 250 }, (_, i) => `c${i}`);
  const wide: Relation = { ...TABLE, columns: names };
  const read = (sql: string): LineageAnswer => resolveColumns({ sql, dialect: "postgres", relations: [wide] });

  it("A query whose filters add too many uses keeps its columns' inputs, and says that the filters are left out", () => {
    const answer = read(`select * from t where ${names.join(" + ")} > 0`);
    const columns = "unresolved" in answer ? [] : answer.columns;
    expect(columns).toHaveLength(names.length);
    expect(columns[7]).toMatchObject({
      parents: [{ column: "c7", kind: "DIRECT" }],
      unresolved: "its columns come from others in more than 50000 ways",
    });
  });

  it.runIf(isFull)("A query whose columns have too many inputs is left unresolved", () => {
    const sum = names.join(" + ");
    const answer = read(`select ${names.map((name) => `${sum} as ${name}`).join(", ")} from t`);
    expect(reasonOf(answer)).toBe("its columns come from others in more than 50000 ways");
  });
});
