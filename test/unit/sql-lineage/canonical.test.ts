import fc from "fast-check";
import { describe, expect, it, test } from "vitest";

import type { LineageAnswer, Relation } from "../../../src/sql-lineage/request.ts";
import { resolveColumns } from "../../../src/sql-lineage/resolve-columns.ts";
import { relationOf } from "../../support/sql-relation.ts";
import { edited, realTexts, respelled, type Text } from "../../support/spelling.ts";

const RELATIONS: Relation[] = [
  { database: "", schema: "", name: "t", columns: ["a", "b"], completeness: "all", inlinedAs: "" },
];

function read(sql: string, dialect: string): LineageAnswer {
  return resolveColumns({ sql, dialect, relations: RELATIONS });
}

function digestOf(sql: string, dialect: string): string | undefined {
  return read(sql, dialect).digest;
}

/** The digest of the whole statement and the basis of each of its columns. */
function namesOf(sql: string, { dialect }: Text): unknown {
  const answer = read(sql, dialect);
  return [answer.digest, "columns" in answer ? answer.columns.map(({ basis }) => basis) : []];
}

describe("Statements with equal digests", () => {
  test.each<[what: string, dialect: string, one: string, other: string]>([
    ["the case of keywords", "postgres", "select a from t where a is null", "SELECT a FROM t WHERE a IS NULL"],
    ["the case of names", "postgres", "select a as x from t", "select A as X from T"],
    ["the case of calls", "snowflake", "select sum(a), my_call(b) from t", "select SUM(a), My_Call(b) from t"],
    ["the case of a call that the parser knows", "clickhouse", "select sum(a) from t", "select SUM(a) from t"],
    ["the case of types", "postgres", "select a::my_type from t", "select a::MY_TYPE from t"],
    ["the case of units", "snowflake", "select dateadd(day, 1, a) from t", "select DATEADD(DAY, 1, a) from t"],
    [
      "the case of frames",
      "postgres",
      "select sum(a) over (order by b rows between 1 preceding and current row) from t",
      "select sum(a) over (order by b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) from t",
    ],
    ["numbers", "postgres", "select 1e3 from t", "select 1E3 from t"],
    ["space", "postgres", "select a,b from t where a=1", "select\n  a,\n  b\nfrom t\nwhere a = 1"],
    ["comments", "postgres", "select a, b from t", "select a, -- one\n b /* two */ from t -- three"],
    [
      "comments in a chain",
      "postgres",
      "select a from t where a > 1 and b > 1 and a > b",
      "select a from t where a > 1 and -- one\n b > 1 and a > b",
    ],
    ["a trailing comma", "duckdb", "select a, b from t", "select a, b, from t"],
    ["a trailing semicolon", "postgres", "select a from t", "select a from t;\n;"],
    ["`as`", "postgres", "select a x from t y", "select a as x from t as y"],
    ["`as` behind a query", "postgres", "select a from (select a from t) y", "select a from (select a from t) as y"],
    [
      "`inner`, `outer` and `asc`",
      "postgres",
      "select a from t join t u on true left join t v on true order by a",
      "select a from t inner join t u on true left outer join t v on true order by a asc",
    ],
    ["the sign of inequality", "postgres", "select a from t where a <> b", "select a from t where a != b"],
    ["the form of a cast", "postgres", "select cast(a as int) from t", "select a::integer from t"],
    ["quotes where names are lower case", "postgres", "select a from t", 'select "a" from "t"'],
    ["quotes where names are upper case", "snowflake", "select a from t", 'select "A" from "T"'],
    [
      "the case of a path that is called over a window",
      "snowflake",
      "select b from t, table(db.public.smooth(a) over (partition by b))",
      "select b from t, table(DB.Public.SMOOTH(a) over (partition by b))",
    ],
    [
      "quotes in a path that is called over a window",
      "snowflake",
      "select b from t, table(db.public.smooth(a) over (partition by b))",
      'select b from t, table("DB".public."SMOOTH"(a) over (partition by b))',
    ],
    ["quotes around a name without case", "bigquery", "select A from t", "select `a` from t"],
    ["quotes around a path", "bigquery", "select a from p.d.t", "select a from `p.d.t`"],
    [
      "the case of a CTE",
      "bigquery",
      "with x as (select a from t) select a from x",
      "with X as (select a from t) select a from X",
    ],
    ["the layout of a text that cannot be parsed", "postgres", "select ((( from t", "SELECT (( ( -- x\nFROM t;"],
  ])("Two statements have the same digest if they differ in %s", (_what, dialect, one, other) => {
    expect(digestOf(one, dialect)).toMatch(/^[0-9a-f]{64}$/);
    expect(digestOf(other, dialect)).toBe(digestOf(one, dialect));
  });
});

describe("Statements with different digests", () => {
  test.each<[what: string, dialect: string, one: string, other: string]>([
    ["a string", "postgres", "select 'a' from t", "select 'A' from t"],
    [
      "a string in a type",
      "clickhouse",
      "select cast(a as Enum8('a' = 1)) from t",
      "select cast(a as Enum8('A' = 1)) from t",
    ],
    ["a key of a document", "snowflake", "select a:b from t", "select a:B from t"],
    ["a key behind an index", "snowflake", "select a[0].b from t", "select a[0].B from t"],
    ["a quoted name", "postgres", 'select "a" from t', 'select "A" from t'],
    ["a quoted name in upper case", "snowflake", "select a from t", 'select "a" from t'],
    ["a quoted alias", "postgres", "select a as x from t", 'select a as "X" from t'],
    ["a quoted call", "postgres", "select my_call(a) from t", 'select "My_Call"(a) from t'],
    [
      "a quoted name in a path that is called over a window",
      "snowflake",
      "select b from t, table(db.public.smooth(a) over (partition by b))",
      'select b from t, table(db."public".smooth(a) over (partition by b))',
    ],
    ["a quoted type", "postgres", "select a::my_type from t", 'select a::"My_Type" from t'],
    ["a name whose case is kept", "clickhouse", "select a from t", "select A from t"],
    ["a table whose case is kept", "bigquery", "select a from d.orders", "select a from d.Orders"],
    ["a routine whose case is kept", "bigquery", "select d.my_call(a) from t", "select d.My_Call(a) from t"],
    ["a column that is not a call", "postgres", "select user from t", 'select "user" from t'],
    ["quotes in an unknown dialect", "nobody", 'select "a" from t', 'select "A" from t'],
    ["an alias", "postgres", "select a as x from t", "select a as y from t"],
    ["an alias of a table", "postgres", "select x.a from t as x, t as y", "select y.a from t as x, t as y"],
    ["the direction of an order", "postgres", "select a from t order by a", "select a from t order by a desc"],
    ["the kind of a join", "postgres", "select a from t left join t u on true", "select a from t join t u on true"],
    ["parentheses", "postgres", "select a from t where a and b or a", "select a from t where a and (b or a)"],
    ["`and`", "postgres", "select a from t where a and b", "select a from t where a or b"],
    ["the words of a text that cannot be parsed", "postgres", "select ((( from t", "select ((( from u"],
    ["a string in a text that cannot be parsed", "postgres", "select ((( 'a' from t", "select ((( 'A' from t"],
    ["a key in a text that cannot be parsed", "snowflake", "select ((( a:b from t", "select ((( a:B from t"],
  ])("Two statements have different digests if they differ in %s", (_what, dialect, one, other) => {
    expect(digestOf(one, dialect)).toMatch(/^[0-9a-f]{64}$/);
    expect(digestOf(other, dialect)).not.toBe(digestOf(one, dialect));
  });
});

describe("Digests of real SQL", () => {
  const texts = realTexts().filter(({ sql, dialect }) => "columns" in read(sql, dialect));

  it(
    "Another spelling of a real statement changes neither its digest nor the basis of a column",
    { timeout: 300_000 },
    () => {
      const spelled = fc.constantFrom(...texts).chain((text) => fc.tuple(fc.constant(text), respelled(text)));
      fc.assert(
        fc.property(spelled, ([text, other]) => {
          expect(namesOf(other, text)).toEqual(namesOf(text.sql, text));
        }),
      );
    },
  );

  it(
    "Each change of a literal, an operator or a column changes the digest of a real statement",
    { timeout: 300_000 },
    () => {
      // The names of a view's tags look like columns, but are not. What nothing reads may change.
      const untagged = texts.filter(({ sql }) => !/\bwith (?:tag|unused)\b/i.test(sql));
      const changed = fc.constantFrom(...untagged).chain((text) => fc.tuple(fc.constant(text), edited(text)));
      fc.assert(
        fc.property(changed, ([text, other]) => {
          fc.pre(other !== text.sql);
          expect(namesOf(other, text)).not.toEqual(namesOf(text.sql, text));
        }),
      );
    },
  );
});

function relation(name: string, more: Partial<Relation> = {}): Relation {
  return relationOf(`shop.${name}`, ["a", "b"], more);
}

function digestIn(sql: string, relations: Relation[]): string | undefined {
  return resolveColumns({ sql, dialect: "postgres", relations }).digest;
}

/** SQL as dbt compiles it for a reader of an ephemeral model. */
function inlined(name: string, sql: string): string {
  return `with __dbt__cte__${name} as (${sql}), own as (select a from __dbt__cte__${name}) select a from own`;
}

describe("Relations in digests", () => {
  const NAMES = ["old", "new", "other"].map((name) => relation(name));
  const EPHEMERAL = ["old", "new"].map((name) => relation(name, { inlinedAs: `__dbt__cte__${name}` }));

  test.each<[what: string, before: string]>([
    ["in a CTE", "with o as (select * from shop.old) select a from o"],
    ["that qualifies its columns", "select old.a, other.b, old.* from shop.old join shop.other on old.a = other.a"],
    ["from within a subquery", "select a from shop.old where exists (select 1 from shop.other where other.a = old.b)"],
    ["in a union", "select a from shop.old union all select a from shop.other"],
    ["that a CTE of the same name reads", "with old as (select a from shop.old) select a from old"],
  ])("The digest does not depend on the name of a relation %s", (what, before) => {
    const after = before.replaceAll(what.includes("same name") ? "shop.old" : "old", (name) =>
      name.replace("old", "new"),
    );
    expect(digestIn(after, NAMES)).toBe(digestIn(before, NAMES));
    expect(digestIn(after, NAMES)).toBeDefined();
  });

  test.each<[what: string, before: string, after: string]>([
    [
      "of a CTE",
      "with o as (select a, b from shop.old) select o.a, b from o where o.b > 1",
      "with paid as (select a, b from shop.old) select paid.a, b from paid where paid.b > 1",
    ],
    [
      "of a CTE that reads another",
      "with x as (select a from shop.old), y as (select a from x) select a from y join x using (a)",
      "with y as (select a from shop.old), x as (select a from y) select a from x join y using (a)",
    ],
    [
      "of a CTE within a CTE",
      "with x as (with y as (select a from shop.old) select a from y) select a from x",
      "with x as (with x as (select a from shop.old) select a from x) select a from x",
    ],
    [
      "of a recursive CTE",
      "with recursive r as (select a from shop.old union all select r.a + 1 from r) select a from r",
      "with recursive tree as (select a from shop.old union all select tree.a + 1 from tree) select a from tree",
    ],
    ["of a table by an alias", "select o.a from shop.old o", "select customers.a from shop.old as customers"],
    ["of a table by its own name", "select old.a from shop.old", "select o.a from shop.old o"],
    ["of an unknown table by an alias", "select x.a from shop.x", "select y.a from shop.x y"],
    [
      "of joined tables",
      "select o.a, n.* from shop.old o join shop.new n on n.a = o.a",
      "select x.a, y.* from shop.old x join shop.new y on y.a = x.a",
    ],
    [
      "of a subquery",
      "select s.a from (select o.a from shop.old o) s",
      "select t.a from (select t.a from shop.old t) t",
    ],
    [
      "that a subquery uses from outside",
      "select o.a from shop.old o where exists (select 1 from shop.other x where x.a = o.b)",
      "select x.a from shop.old x where exists (select 1 from shop.other o where o.a = x.b)",
    ],
  ])("The digest does not depend on the name %s", (_what, before, after) => {
    expect(digestIn(after, NAMES)).toBe(digestIn(before, NAMES));
    expect(digestIn(after, NAMES)).toBeDefined();
  });

  test.each<[what: string, before: string, after: string]>([
    [
      "a qualifier means another table",
      "select o.a from shop.old o join shop.new n on n.a = o.a",
      "select n.a from shop.old o join shop.new n on n.a = o.a",
    ],
    [
      "two tables of one FROM change places",
      "select o.a from shop.old o join shop.old n on n.b = o.a",
      "select o.a from shop.old n join shop.old o on n.b = o.a",
    ],
    [
      "a subquery takes the name of what it uses from outside",
      "select o.a from shop.old o where exists (select 1 from shop.other x where x.a = o.b)",
      "select o.a from shop.old o where exists (select 1 from shop.other o where o.a = o.b)",
    ],
    [
      "a CTE is read in place of another",
      "with x as (select a from shop.old), y as (select a + 1 as a from shop.old, x) select a from x, y as z",
      "with x as (select a from shop.old), y as (select a + 1 as a from shop.old, x) select a from y, x as z",
    ],
    [
      "a CTE is read in place of a table",
      "with x as (select a from shop.old) select a from x",
      "with y as (select a from shop.old) select a from x",
    ],
    ["an alias may mean a whole row", "select o from shop.old o, shop.new n", "select n from shop.old o, shop.new n"],
    [
      "the table is emptied before",
      "insert into shop.x select a from shop.old",
      "delete from shop.x; insert into shop.x select a from shop.old",
    ],
    ["a path may begin with an alias", "select 1 from shop.old o, o.items", "select 1 from shop.old p, o.items"],
  ])("Two statements have different digests if %s", (_what, before, after) => {
    expect(digestIn(before, NAMES)).toBeDefined();
    expect(digestIn(after, NAMES)).not.toBe(digestIn(before, NAMES));
  });

  test.each<[what: string, dialect: string, before: string, after: string]>([
    [
      "an alias is used within an unnest",
      "bigquery",
      "select (select max(x) from unnest(o.items) x) as m from shop.old o left join shop.old p using (k)",
      "select (select max(x) from unnest(o.items) x) as m from shop.old p left join shop.old o using (k)",
    ],
    [
      "an alias is used within a flatten",
      "snowflake",
      "select (select max(f.value) from lateral flatten(o.items) f) as m from shop.old o left join shop.old p using (k)",
      "select (select max(f.value) from lateral flatten(o.items) f) as m from shop.old p left join shop.old o using (k)",
    ],
    [
      "an alias is used beside a join in parentheses",
      "postgres",
      "select 1 from shop.old o, shop.old p where exists (select 1 from (shop.new n join shop.t t on n.k = t.k) where n.k = p.b)",
      "select 1 from shop.old p, shop.old o where exists (select 1 from (shop.new n join shop.t t on n.k = t.k) where n.k = p.b)",
    ],
    [
      "an alias begins a path of a subquery",
      "bigquery",
      "select (select count(*) from o.items i) as m from shop.old o left join shop.old p using (k)",
      "select (select count(*) from o.items i) as m from shop.old p left join shop.old o using (k)",
    ],
    [
      "a column is qualified by the schema",
      "postgres",
      "select shop.old.a from shop.old left join shop.old x on false",
      "select shop.old.a from shop.old x left join shop.old on false",
    ],
    [
      "a parameter of a lambda has the name of an alias",
      "duckdb",
      "select list_transform(o.items, o -> o.a) as m from shop.old o",
      "select list_transform(z.items, o -> z.a) as m from shop.old z",
    ],
    [
      "an alias differs in case only",
      "postgres",
      'select a from shop.old "O" where exists (select 1 from shop.new o where "O".b = 1)',
      'select a from shop.old "O" where exists (select 1 from shop.new o where o.b = 1)',
    ],
    [
      "a CTE differs in case only",
      "postgres",
      'with "X" as (select a from shop.old), x as (select b as a from shop.old) select a from "X"',
      'with "X" as (select a from shop.old), x as (select b as a from shop.old) select a from x',
    ],
    [
      "a name stands for a value",
      "clickhouse",
      "with 5 as x, 6 as y select x as z from shop.old",
      "with 5 as y, 6 as x select x as z from shop.old",
    ],
    [
      "a CTE is written as a column",
      "clickhouse",
      "with x as (select a from shop.old), y as (select b from shop.old) select k from shop.old where k in x and b not in y",
      "with y as (select a from shop.old), x as (select b from shop.old) select k from shop.old where k in x and b not in y",
    ],
    [
      "a recursive CTE reads a later one",
      "postgres",
      "with recursive y as (select a from x), x as (select a from shop.old), w as (select b as a from shop.old) select y.a from y, x, w",
      "with recursive y as (select a from x), w as (select a from shop.old), x as (select b as a from shop.old) select y.a from y, w, x",
    ],
    [
      "a CTE reads itself without being called recursive",
      "snowflake",
      "with x as (select a from shop.old union all select a + 1 from x where a < 9) select a from x",
      "with y as (select a from shop.old union all select a + 1 from x where a < 9) select a from y",
    ],
    [
      "a word that is no operator names an alias",
      "snowflake",
      "select connect_by_root o.a as m from shop.old o left join shop.old p using (k) start with true connect by 1 = 1",
      "select connect_by_root o.a as m from shop.old p left join shop.old o using (k) start with true connect by 1 = 1",
    ],
  ])("Two statements have different digests if %s", (_what, dialect, before, after) => {
    const columns = ["id", "k", "a", "b", "items"];
    const relations = ["old", "new", "t"].map((name) => relation(name, { columns }));
    const [one, other] = [before, after].map((sql) => resolveColumns({ sql, dialect, relations }).digest);
    expect(one).toBeDefined();
    expect(other).not.toBe(one);
  });

  it("The answer lists the relations in the order in which the statement names them", () => {
    const sql = "select new.a from shop.new join shop.old on old.a = new.a join shop.new as n on n.a = old.a";
    expect(resolveColumns({ sql, dialect: "postgres", relations: NAMES }).reads).toEqual([1, 0]);
  });

  it("An ephemeral model counts as a relation in the digest, and its inlined SQL does not count", () => {
    const before = digestIn(inlined("old", "select a, b from x"), EPHEMERAL);
    expect(digestIn(inlined("new", "select a, b from y"), EPHEMERAL)).toBe(before);
    expect(digestIn("with own as (select a from shop.other) select a from own", NAMES)).toBe(before);
  });

  test.each<[what: string, before: string, after: string]>([
    ["a relation's name may mean a row", "select old from shop.old", "select old from shop.new"],
    ["another relation is read twice", "select 1 from shop.old, shop.other", "select 1 from shop.old, shop.old as o"],
    [
      "a column is qualified by another",
      "select o.a from shop.old o, shop.new n",
      "select n.a from shop.old o, shop.new n",
    ],
    [
      "a CTE takes the relation's name",
      "select a from other",
      "with other as (select a from shop.old) select a from other",
    ],
  ])("Two statements with renamed relations have different digests if %s", (_what, before, after) => {
    expect(digestIn(after, NAMES)).not.toBe(digestIn(before, NAMES));
  });

  it("The digest contains the name of an unknown relation", () => {
    expect(digestIn("select a from shop.x", NAMES)).not.toBe(digestIn("select a from shop.y", NAMES));
  });
});
