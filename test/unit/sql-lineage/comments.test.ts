import { expect, it, test } from "vitest";

import type { Relation } from "../../../src/sql-lineage/request.ts";
import { resolveColumns } from "../../../src/sql-lineage/resolve-columns.ts";

const RELATIONS: Relation[] = [
  { database: "", schema: "", name: "t", columns: ["a", "b"], completeness: "all", inlinedAs: "" },
];

function read(sql: string) {
  const answer = resolveColumns({ sql, dialect: "postgres", relations: RELATIONS });
  if ("unresolved" in answer) throw new Error(answer.unresolved);
  return answer;
}

test.each([
  ["a star", "select * from t", "select * /* all */ from t"],
  ["a star of a table", "select t.*, 1 as one from t", "select t.* -- all of it\n, 1 as one from t"],
  [
    "a star of a CTE",
    "with s as (select * from t) select s.* from s",
    "with s as (select * from t) select s.* -- s\nfrom s",
  ],
  ["an unnamed expression", "select a + b from t", "select a + b -- both\nfrom t"],
  [
    "a position to group by",
    "select a, count(*) as n from t group by 1",
    "select a, count(*) as n from t group by 1 -- a\n",
  ],
])("A comment behind %s changes nothing", (_what, plain, commented) => {
  expect(read(commented)).toEqual(read(plain));
});

it("The columns of a star with a comment behind it are found", () => {
  expect(read("select t.* -- all of it\nfrom t").columns.map(({ name }) => name)).toEqual(["a", "b"]);
});
