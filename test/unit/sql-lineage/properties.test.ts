import { generate } from "@polyglot-sql/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { findDialect, GENERIC } from "../../../src/sql-lineage/dialect.ts";
import { parseStatements } from "../../../src/sql-lineage/parse-statements.ts";
import { resolveColumns } from "../../../src/sql-lineage/resolve-columns.ts";
import { columnNames } from "../../../src/sql-lineage/syntax.ts";
import { atDepth } from "../../support/depth.ts";
import { type CorpusCase, readCorpus, toComparable } from "../../support/sql-corpus.ts";
import { relationOf } from "../../support/sql-relation.ts";

const whole = readCorpus();
const corpus = atDepth(
  whole.filter((_, i) => i % 10 === 0),
  whole,
);
const NOT_COMPARED: CorpusCase["expected"] = {
  columns: [],
  incomplete: "",
  unresolved: "",
  named: null,
  unresolvedUse: null,
  unfound: null,
};
const queries = corpus.filter(
  ({ request, expected }) => /^(?:select|with|from)\b/.test(request.sql) && expected.incomplete === "",
);

function parents({ request, expected }: CorpusCase, sql = request.sql): unknown {
  return toComparable(resolveColumns({ ...request, sql }), request, expected);
}

/** Titles of the queries whose answer changes when they are written in another way. */
function changed(
  items: readonly CorpusCase[],
  write: (sql: string) => string,
  shown = (answer: unknown) => answer,
): string[] {
  const differs = (item: CorpusCase): boolean =>
    JSON.stringify(shown(parents(item, write(item.request.sql.trim())))) !== JSON.stringify(shown(parents(item)));
  return items.filter(differs).map(({ title }) => title);
}

function inFrom(sql: string): string {
  return `select * from (\n${sql.replace(/;$/, "")}\n) as inside`;
}

function unsorted(answer: unknown): string {
  return JSON.stringify(answer)
    .replaceAll(/"SORT [^"]*",?/g, "")
    .replaceAll(",]", "]");
}

/** Columns that can be replaced by an unknown name without any change to the answer. */
function overlooked({ request }: CorpusCase): string[] {
  const dialect = findDialect(request.dialect) ?? GENERIC;
  const statements = parseStatements(request.sql, dialect);
  // The basis of a column depends on all names in the text, even those that are never read.
  const answerTo = (sql: string): string =>
    JSON.stringify(resolveColumns({ ...request, sql }), (key, value: unknown) =>
      key === "basis" || key === "digest" ? null : value,
    );
  const before = answerTo(request.sql);
  return columnNames(statements)
    .filter((column) => {
      const { name } = column;
      column.name = "a_column_that_is_nowhere";
      const sql = (generate(statements, dialect.parser).sql ?? []).join(";\n");
      column.name = name;
      return answerTo(sql) === before;
    })
    .map(({ name }) => name);
}

describe("Statements that are written differently", () => {
  it("Comments and space around a statement do not change its columns", () => {
    expect(changed(corpus, (sql) => `\n/* before */  ${sql}\n-- after`)).toEqual([]);
  });

  it("A statement within FROM has the same columns, except those that sort it", () => {
    expect(changed(queries, inFrom, unsorted)).toEqual([]);
  });

  it("The union of a statement with itself has the same columns, except those that sort it", () => {
    expect(changed(queries, (sql) => `${inFrom(sql)} union all ${inFrom(sql)}`, unsorted)).toEqual([]);
  });

  it("The names of CTEs do not change the columns of a statement, even if they hide relations", () => {
    const relations = [relationOf("s.orders", ["id", "amount"])];
    const word = fc.stringMatching(/^[A-Za-zäöüß_][A-Za-z0-9 ."äöüß_]{0,11}$/);
    const name = fc.oneof(fc.constant("orders"), word).map((text) => `"${text.replaceAll('"', '""')}"`);
    const pair = fc.uniqueArray(name, { minLength: 2, maxLength: 2 });
    const answer = (first: string, second: string): unknown => {
      const sql = `with ${first} as (select id, amount from s.orders where id > 1),
        ${second} as (select id, sum(amount) as total from ${first} group by id)
        select ${second}.*, ${first}.amount from ${second} join ${first} on ${first}.id = ${second}.id`;
      const request = { sql, dialect: "postgres", relations };
      return toComparable(resolveColumns(request), request, { ...NOT_COMPARED });
    };
    const expected = answer("a", "b");
    expect(expected).toMatchObject({ columns: [{ name: "id" }, { name: "total" }, { name: "amount" }] });
    fc.assert(
      fc.property(pair, ([first = "", second = ""]) => {
        expect(answer(first, second)).toEqual(expected);
      }),
    );
  });
});

describe("Columns that a statement names", () => {
  it.each(corpus)("Every column that a statement names is read, in $dialect: $title", (item) => {
    expect([...new Set(overlooked(item))]).toEqual(item.unread);
  });
});

/** Columns and fields without the transformation of the value: `d t.address` for `TRANSFORMATION t.address.city`. */
function loosely(all: readonly string[], { relations }: CorpusCase["request"]): string {
  const paths = relations.map(({ database, schema, name }) => [database, schema, name].filter(Boolean).join("."));
  const told = all.map((parent) => {
    const [use = "", column = ""] = parent.toLowerCase().split(/ (.*)/s);
    const path = paths.find((each) => column.startsWith(`${each.toLowerCase()}.`)) ?? "";
    const [root] = column.slice(path.length + 1).split(".");
    return `${/^(?:identity|transformation|aggregation)$/.test(use) ? "d" : use} ${path}.${root}`;
  });
  return JSON.stringify([...new Set(told)].toSorted());
}

/** Columns whose parents are called known, but differ from those found when all columns are listed. */
function misjudged({ request, expected }: CorpusCase): string[] {
  const relations = request.relations.map((relation) =>
    relation.inlinedAs === "" ? { ...relation, columns: [], completeness: "some" as const } : relation,
  );
  const { columns } = toComparable(resolveColumns({ ...request, relations }), request, expected);
  return columns.flatMap(({ name, parents: found, unknown }) => {
    const own = expected.columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
    const isRight = own.some((column) => loosely(column.parents, request) === loosely(found, request));
    return unknown !== "" || isRight ? [] : [name];
  });
}

/** Cases where a name is read as its nearly certain meaning, though an unlisted column might have it too. */
const NEARLY_SURE = new Set([
  "in a query over an array a listed column of the query around it comes before a field",
  "a column comes before an alias of its name",
  "a column that does not exist is said to be missing",
]);

describe("Sources without listed columns", () => {
  const readable = corpus.filter(({ title, expected }) => expected.unresolved === "" && !NEARLY_SURE.has(title));
  it.each(readable)("Known lineage is right even if no source lists its columns, in $dialect: $title", (item) => {
    expect(misjudged(item)).toEqual([]);
  });
});

describe("Any text", () => {
  it("Any text is answered with columns or with a reason", () => {
    const words =
      "select from where ( ) , . * a b t as with union all order by 1 'x' \" join on = case when end over ;";
    const token = fc.constantFrom(...words.split(" "));
    const texts = fc.oneof(
      fc.string(),
      fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join(" ")),
    );
    const relations = [relationOf("t", ["a", "b"])];
    fc.assert(
      fc.property(texts, fc.constantFrom("postgres", "snowflake", "bigquery", "duckdb"), (sql, dialect) => {
        const answer = resolveColumns({ sql, dialect, relations });
        expect("unresolved" in answer ? answer.unresolved : answer.columns).not.toHaveLength(0);
      }),
      { examples: [["select", "postgres"]] },
    );
  });
});
