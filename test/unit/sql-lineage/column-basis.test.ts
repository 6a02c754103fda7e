import { describe, expect, it, test } from "vitest";

import { resolveColumns } from "../../../src/sql-lineage/resolve-columns.ts";
import { relationOf } from "../../support/sql-relation.ts";

const RELATIONS = [relationOf("t", ["a", "b", "c", "k", "items"]), relationOf("u", ["k", "d"])];

function basisOf(sql: string, column = "a", dialect = "snowflake"): string | null {
  const answer = resolveColumns({ sql, dialect, relations: RELATIONS });
  if ("unresolved" in answer) throw new Error(answer.unresolved);
  const found = answer.columns.find(({ name }) => name.toLowerCase() === column);
  if (found === undefined) throw new Error(`no column ${column}`);
  return found.basis;
}

const QUALIFY = "qualify row_number() over (order by a) = 1";
const FETCHED = "select a from t order by b fetch first 1 row only";

/** A typical project: staged, joined, summed, and selected at the end. */
function project(change: Partial<Record<"staged" | "filter" | "join" | "sums" | "after", string>> = {}): string {
  const {
    staged = "b as other",
    filter = "c > 0",
    join = "left join",
    sums = "sum(other) as others",
    after = "",
  } = change;
  return `with staged as (select t.k, a * 2 as a, ${staged} from t where ${filter}),
    joined as (select staged.*, u.d from staged ${join} u on staged.k = u.k),
    final as (select k, sum(a) as a, ${sums} from joined group by k)
    select * from final ${after}`;
}

describe("Basis of a column", () => {
  test.each<[what: string, before: string, after: string]>([
    ["another item", "select a, b as x from t", "select a, b + 1 as x from t"],
    ["a new item", "select a from t", "select a, b from t"],
    ["an item that is gone", "select b, a, c from t", "select a from t"],
    ["the order of items", "select a, b from t where a > b", "select b, a from t where a > b"],
    [
      "the order of items of a CTE",
      "with x as (select a, b, c from t where b > a) select sum(a) as a from x",
      "with x as (select c, b, a from t where b > a) select sum(a) as a from x",
    ],
    [
      "the names of CTEs and aliases",
      "with x as (select o.a, o.b from t o) select x.a from x join u on u.d = x.b",
      "with src as (select t.a, t.b from t) select s.a from src s join u as other on other.d = s.b",
    ],
    ["layout and comments", "select a from t where b=1", "select\n a -- the a\nfrom t where b = 1"],
    ["an item of a CTE that is used only for another column", project(), project({ staged: "b + 1 as other" })],
    ["a new item of a CTE", project(), project({ staged: "b as other, c as further" })],
    ["another sum of the same groups", project(), project({ sums: "max(other) as others, count(*) as n" })],
    [
      "an item of a query that is grouped by position",
      "select a, sum(b) as s from t group by 1 order by 1",
      "select a, max(c) as s, sum(b) as more from t group by 1 order by 1",
    ],
    [
      "the position of the item that it is grouped by",
      "select a, sum(b) as s from t group by 1",
      "select sum(b) as s, a from t group by 2",
    ],
    ["an order of all rows", "select a, b from t where c > 0", "select a, b from t where c > 0 order by b, 1 desc"],
    [
      "an order of a union",
      "select a from t union all select d from u",
      "select a from t union all select d from u order by 1",
    ],
    ["an order behind qualify", project({ after: QUALIFY }), project({ after: `${QUALIFY} order by k` })],
    ["a CTE that nothing reads", project(), project().replace("with", "with idle as (select d from u where d > 1),")],
    [
      "CTEs that only read each other",
      "select a from t",
      "with x as (select d from u), y as (select d from x) select a from t",
    ],
    ["a window", "select a, b from t", "select a, row_number() over (partition by b order by c) as b from t"],
  ])("The basis of a column does not change with %s", (_what, before, after) => {
    expect(basisOf(before)).not.toBeNull();
    expect(basisOf(after)).toBe(basisOf(before));
  });

  test.each<[what: string, before: string, after: string]>([
    ["its own expression", "select a, b from t", "select a + 1 as a, b from t"],
    [
      "the order of two items with its name",
      "with x as (select a as k, b as k from t) select k as a from x",
      "with x as (select b as k, a as k from t) select k as a from x",
    ],
    ["a filter", "select a from t where b = 1", "select a from t where b = 2"],
    ["a filter within a CTE", project(), project({ filter: "c > 1" })],
    ["the kind of a join", project(), project({ join: "inner join" })],
    [
      "another column in the positions that it is grouped by",
      "select a, b as x, sum(c) as s from t group by 1, 2",
      "select a, c as x, sum(c) as s from t group by 1, 2",
    ],
    ["a limit", project(), project({ after: "limit 10" })],
    ["an offset", "select a from t limit 10", "select a from t limit 10 offset 5"],
    ["a qualify", project(), project({ after: "qualify row_number() over (order by others) = 1" })],
    [
      "the expression behind a name in qualify",
      "select a, row_number() over (order by b) as n from t qualify n = 1",
      "select a, row_number() over (order by c) as n from t qualify n = 1",
    ],
    [
      "the expression behind a name in a filter",
      "select a, b as x from t where x > 1",
      "select a, c as x from t where x > 1",
    ],
    [
      "the expression behind a name in an outer filter",
      "select a from (select a, b as x from t) where x > 1",
      "select a from (select a, c as x from t) where x > 1",
    ],
    [
      "the expression behind a name in a join condition",
      "with s as (select a, b as k2 from t) select a from s join u on k2 = u.k",
      "with s as (select a, c as k2 from t) select a from s join u on k2 = u.k",
    ],
    [
      "the expression behind a name in `using`",
      "with s as (select a, b as k from t) select a from s join u using (k)",
      "with s as (select a, c as k from t) select a from s join u using (k)",
    ],
    ["a position to group by", "select b, sum(a) as a from t group by 1", "select c, sum(a) as a from t group by 1"],
    ["all to group by", "select b, sum(a) as a from t group by all", "select c, sum(a) as a from t group by all"],
    [
      "a position to order by",
      "select a, b as x from t order by 2 limit 1",
      "select a, c as x from t order by 2 limit 1",
    ],
    ["an order by which rows are cut", "select a from t limit 1", "select a from t order by b limit 1"],
    ["an order by which rows are skipped", "select a from t offset 1", "select a from t order by b offset 1"],
    ["an order by which rows are fetched", "select a from t fetch first 1 row only", FETCHED],
    ["an order by which the top is taken", "select top 1 a from t", "select top 1 a from t order by b"],
    ["an order of distinct on", "select distinct on (a) a from t", "select distinct on (a) a from t order by a, b"],
    [
      "an order by which a union is cut",
      "select a from t union all select d from u limit 1",
      "select a from t union all select d from u order by 1 limit 1",
    ],
    [
      "an order within a subquery",
      "select array_agg(a) as a from (select a, b from t)",
      "select array_agg(a) as a from (select a, b from t order by b)",
    ],
    [
      "a CTE that a subquery reads",
      "with x as (select k from u) select a from t where k in (select k from x)",
      "with x as (select k from u where d > 1) select a from t where k in (select k from x)",
    ],
    [
      "a CTE that a CTE reads",
      "with x as (select k from u), y as (select k from x) select a from t join y using (k)",
      "with x as (select k from u where d > 1), y as (select k from x) select a from t join y using (k)",
    ],
    ["an aggregate among constants", "select 1 as a, 2 as x from t", "select 1 as a, count(*) as x from t"],
    ["a call that makes rows", "select a, b as x from t", "select a, explode(items) as x from t"],
    ["a call of an unknown function", "select a, b as x from t", "select a, my_rows(b) as x from t"],
    ["a cross join", "select a from t", "select a from t cross join u"],
    ["having", "select sum(a) as a from t group by b", "select sum(a) as a from t group by b having count(*) > 1"],
    [
      "a union's other side",
      "select a from (select a, b from t union all select d, k from u)",
      "select a from (select a, b from t union all select d + 1, k from u)",
    ],
    ["another column of distinct", "select distinct a, b from t", "select distinct a, c as b from t"],
    [
      "another column of distinct in a CTE",
      "with s as (select distinct a, b from t) select a from s",
      "with s as (select distinct a, c as b from t) select a from s",
    ],
    [
      "the expression behind a name in distinct",
      "with s as (select a, b as x from t), d as (select distinct a, x from s) select a from d",
      "with s as (select a, c as x from t), d as (select distinct a, x from s) select a from d",
    ],
    ["the keys of distinct on", "select distinct on (b) a from t", "select distinct on (c) a from t"],
    ["a position in distinct on", "select distinct on (2) a, b as x from t", "select distinct on (2) a, c as x from t"],
    [
      "another column of a union without all",
      "select a from (select a, b from t union select d, k from u)",
      "select a from (select a, c as b from t union select d, k from u)",
    ],
    [
      "another column of an intersection",
      "select a from (select a, b from t intersect select d, k from u)",
      "select a from (select a, c as b from t intersect select d, k from u)",
    ],
    [
      "another column of a difference",
      "select a from (select a, b from t except select d, k from u)",
      "select a from (select a, c as b from t except select d, k from u)",
    ],
    [
      "the other side of a union at the top",
      "select a from t union all select d from u",
      "select a from t union all select k from u",
    ],
    [
      "the places of columns whose star is in a union",
      "with s as (select a, a + 1 as b from t) select * from s union all select d, k from u",
      "with s as (select a + 1 as b, a from t) select * from s union all select d, k from u",
    ],
    ["a sample", "select a from t", "select a from t tablesample (10)"],
    ["the expression behind a lateral alias", "select b as x, x + a as a from t", "select c as x, x + a as a from t"],
    [
      "the output of a subquery",
      "with s as (select b as x from t) select a from t where k in (select x from s)",
      "with s as (select c as x from t) select a from t where k in (select x from s)",
    ],
    [
      "the expression of a column that a star renames",
      "select * rename (x as a) from (select b as x from t)",
      "select * rename (x as a) from (select c as x from t)",
    ],
  ])("The basis of a column changes with %s", (_what, before, after) => {
    expect(basisOf(before)).not.toBeNull();
    expect(basisOf(after)).not.toBe(basisOf(before));
  });

  test.each([
    ["a star in distinct", "with s as (select a, b from t) select distinct * from s"],
    ["a star in a union without all", "with s as (select a, b from t) select * from s union select d, k from u"],
    ["a star in an intersection", "select a from (select * from u intersect select d, k as a from u)"],
    ["distinct over a column that is not known", "select a from (select distinct x.a, b from unheard as x)"],
    ["a natural join", "select a from t natural join u"],
    ["a natural join in parentheses", "with s as (select k, a from t) select a from (s natural join u)"],
    ["columns renamed by position", "with s (a, b) as (select a, b from t) select a from s"],
    ["renamed columns of a subquery", "select a from (select b, c from t) as s (a, x)"],
    ["a star in a condition", "with s as (select k from t) select a from t where k in (select * from s)"],
    ["a row as a whole", "with s as (select a, b from t) select a from s where to_json(s) <> ''"],
  ])("A column has no basis if the statement has %s", (_what, sql) => {
    expect(basisOf(sql)).toBeNull();
  });

  it("Each column has its own basis", () => {
    expect(basisOf("select a, b from t", "b")).not.toBe(basisOf("select a, b from t"));
    expect(basisOf("select a, b + 1 as b from t", "b")).not.toBe(basisOf("select a, b from t", "b"));
  });
});

function rowsOf(sql: string) {
  const answer = resolveColumns({ sql, dialect: "snowflake", relations: RELATIONS });
  return "unresolved" in answer ? undefined : answer.rows;
}

function parentsOf(sql: string) {
  const answer = resolveColumns({ sql, dialect: "snowflake", relations: RELATIONS });
  if ("unresolved" in answer) throw new Error(answer.unresolved);
  return answer.columns[0]?.parents.map(({ column, kind }) => `${column} ${kind}`);
}

describe("Basis of the rows", () => {
  test.each<[what: string, before: string, after: string]>([
    ["an order of all rows", "select a from t where k > 1", "select a from t where k > 1 order by b"],
    ["a CTE that nothing reads", "select a from t", "with x as (select d from u) select a from t"],
    ["the formula of a column", "select a, b from t where k > 1", "select a + 1 as a, b from t where k > 1"],
    ["its columns", "select a from t", "select c as n, b from t"],
    ["a column of a CTE", project(), project({ staged: "b + 1 as other", sums: "max(other) as others" })],
    ["a hash of columns", "select md5(a) as a from t", "select md5(b) as a from t"],
    ["the comparison in a column", "select coalesce(a = 1, false) as a from t", "select a from t"],
  ])("The basis of the rows does not change with %s", (_what, before, after) => {
    expect(rowsOf(before)?.basis).toBeDefined();
    expect(rowsOf(after)?.basis).toBe(rowsOf(before)?.basis);
  });

  test.each<[what: string, before: string, after: string]>([
    ["a filter", "select a from t where b = 1", "select a from t where b = 2"],
    [
      "the expression behind a name in a filter",
      "select a, b as x from t where x > 1",
      "select a, c as x from t where x > 1",
    ],
    ["the kind of a join", project(), project({ join: "inner join" })],
    ["the groups", "select a, sum(b) as b from t group by 1", "select k as a, sum(b) as b from t group by 1"],
    ["a limit", project(), project({ after: "limit 10" })],
    ["a call that may yield more rows", "select a from t", "select flatten_it(a) as a from t"],
    ["an aggregate without groups", "select a from t", "select sum(a) as a from t"],
  ])("The basis of the rows changes with %s", (_what, before, after) => {
    expect(rowsOf(before)?.basis).toBeDefined();
    expect(rowsOf(after)?.basis).not.toBe(rowsOf(before)?.basis);
  });

  it("The basis of the rows names the columns of filters, joins and groups", () => {
    const sql = "select t.a, count(*) as n from t join u on t.k = u.k where t.b > 1 group by 1";
    const names = rowsOf(sql)?.from.map(({ relation, column }) => `${RELATIONS[relation]?.name}.${column}`);
    expect(names?.toSorted()).toEqual(["t.a", "t.b", "t.k", "u.k"]);
  });

  test.each([
    ["distinct", "with s as (select distinct a, b from t) select a from s", ["t.a", "t.b"]],
    ["a union without all", "select a from t union select d from u", ["t.a", "u.d"]],
    ["a union with all", "select a from t where k > 1 union all select d from u", ["t.k"]],
    ["an intersection", "select a from t intersect select d from u", ["t.a", "u.d"]],
  ])("The basis of the rows names the columns that %s compares", (_what, sql, expected) => {
    const names = rowsOf(sql)?.from.map(({ relation, column }) => `${RELATIONS[relation]?.name}.${column}`);
    expect(names?.toSorted()).toEqual(expected);
  });

  it("The basis of the rows names the columns that sort a subquery of which the first rows are taken", () => {
    const names = rowsOf("with s as (select a, b from t order by b) select a from s limit 2")?.from;
    expect(names?.map(({ column }) => column)).toEqual(["b"]);
  });

  test.each([
    ["duckdb", "select a, unnest(b) as x from t"],
    ["duckdb", "select a, 1 + unnest(string_split(b, ',')) as x from t"],
    ["postgres", "select a, jsonb_array_elements(b) as x from t"],
    ["postgres", "select a, regexp_matches(b, 'x', 'g') as x from t"],
    ["spark", "select a, explode(b) as x from t"],
    ["spark", "select a, posexplode_outer(b) as (x, y) from t"],
    ["clickhouse", "select a, arrayJoin(b) as x from t"],
  ])("The basis of the rows in %s names the column of which a call makes rows: %s", (dialect, query) => {
    for (const sql of [query, `with s as (${query}) select a from s`]) {
      const answer = resolveColumns({ sql, dialect, relations: RELATIONS });
      expect("rows" in answer && answer.rows?.from).toEqual([{ relation: 0, column: "b" }]);
    }
  });

  it("A call within a query that yields one value makes no rows", () => {
    expect(rowsOf("select a, (select count(*) from (select explode(items) as i from t)) as n from t")?.from).toEqual(
      [],
    );
  });

  it("The columns of distinct are parents of what counts its rows, but not of each other", () => {
    expect(parentsOf("select distinct a, b from t")).toEqual(["a DIRECT"]);
    const counted = "select (select count(*) from (select distinct d, k from u group by d, k)) as n from t";
    expect(parentsOf(counted)).toEqual(["d INDIRECT", "k INDIRECT"]);
  });

  it("A basis changes when a new column of a relation takes the meaning of a name", () => {
    const sql = "select a, d from u join t using (k) where exists (select 1 from v where n = d)";
    const read = (...columns: string[]) => {
      const answer = resolveColumns({ sql, dialect: "duckdb", relations: [...RELATIONS, relationOf("v", columns)] });
      if ("unresolved" in answer) throw new Error(answer.unresolved);
      return { rows: answer.rows?.basis, columns: answer.columns.map(({ basis }) => basis) };
    };
    const before = read("n");
    expect(read("n", "other")).toEqual(before);
    expect(read("n", "d").rows).not.toBe(before.rows);
    expect(read("n", "d").columns).toEqual(before.columns);
  });

  it("The rows have no basis if columns decide them without being named, or a relation is not known", () => {
    expect(rowsOf("select distinct * from t")).toBeUndefined();
    expect(rowsOf("select a from t join unheard on true")).toBeUndefined();
  });
});
