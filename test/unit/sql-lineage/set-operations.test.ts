import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { resolveColumns } from "../../../src/sql-lineage/resolve-columns.ts";
import { propertyRuns } from "../../support/depth.ts";
import { relationOf } from "../../support/sql-relation.ts";

const ADAPTERS = [
  "athena bigquery clickhouse databricks doris dremio duckdb exasol fabric hive materialize mysql oracle postgres presto",
  "redshift risingwave singlestore snowflake spark sqlite starrocks teradata trino tsql another",
].flatMap((names) => names.split(" "));

const RELATIONS = [
  relationOf("t", ["a", "b"]),
  relationOf("u", ["b", "k"]),
  relationOf("v", ["c", "d"]),
  relationOf("w", ["e", "b"]),
];

const value = fc.constantFrom(
  "(select max(b) from u)",
  "((select max(b) from u))",
  "(select k from u where b = (select max(d) from v))",
  "(select max(b) from u union all select d from v)",
  "((select max(b) from u) union all select d from v)",
  "(with x as (select k from u) select k from x)",
);
/** Conditions on a column, which is written as $. */
const condition = fc.oneof(
  fc
    .tuple(fc.constantFrom("=", "<>", "<", ">=", "like", "not like", "between 1 and", "+ 1 >"), value)
    .map(([sign, query]) => `$ ${sign} ${query}`),
  fc.tuple(fc.constantFrom("any", "all"), value).map(([word, query]) => `$ > ${word} ${query}`),
  value.map((query) => `$ in ${query}`),
  value.map((query) => `not $ = ${query}`),
  value.map((query) => `$ > 1 and ($ < 2 or $ > 3) and $ = ${query}`),
  value.map((query) => `case when $ > ${query} then 1 else 2 end = ${query}`),
);
/** Queries of one column. Most of them end with a subquery. */
const branch = fc.oneof(
  condition.map((text) => `select a from t where ${text.replaceAll("$", "b")}`),
  condition.map((text) => `select min(a) as a from t group by b having ${text.replaceAll("$", "b")}`),
  condition.map((text) => `select t.a from w join t on ${text.replaceAll("$", "t.b")}`),
  value.map((query) => `select ${query}`),
  fc.constant("select t.a from t, (select k from u)"),
  fc.constant("select t.a from t cross join (select k from u)"),
  fc.constant("select c from v"),
);
const operation = fc.constantFrom("union all", "union", "union distinct", "except", "minus", "intersect");
const around = fc.constantFrom<(query: string) => string>(
  (query) => query,
  (query) => `${query} order by 1`,
  (query) => `with z as (${query}) select * from z`,
  (query) => `select * from (${query}) z`,
  (query) => `select a from t where b in (${query})`,
  (query) => `create table n as ${query}`,
);

function parentsOf(sql: string, dialect: string): unknown {
  const answer = resolveColumns({ sql, dialect, relations: RELATIONS });
  if ("unresolved" in answer) throw new Error(`${sql}: ${answer.unresolved}`);
  const columns = answer.columns.map(({ parents, unresolved }) => ({
    parents: parents
      .map(({ transformation, relation, column }) => `${transformation} ${relation}.${column}`)
      .toSorted(),
    unresolved,
  }));
  return { columns, named: new Set(answer.named.map(({ relation, column }) => `${relation}.${column}`)) };
}

describe("Branches of a set operation that end with a subquery", () => {
  it.each(ADAPTERS)(
    "A branch that ends with a subquery has the lineage of the same branch in parentheses, in %s",
    (dialect) => {
      fc.assert(
        fc.property(fc.array(branch, { minLength: 2, maxLength: 4 }), operation, around, (branches, word, write) => {
          const plain = write(branches.join(` ${word} `));
          const enclosed = write(branches.map((each) => `(${each})`).join(` ${word} `));
          expect([plain, parentsOf(plain, dialect)]).toEqual([plain, parentsOf(enclosed, dialect)]);
        }),
        propertyRuns(25),
      );
    },
  );
});
