import { describe, expect, it } from "vitest";

import { resolveColumns } from "../../../src/sql-lineage/resolve-columns.ts";
import { relationOf } from "../../support/sql-relation.ts";

/** The columns of a statement over a table that is known in part, each with its parents. */
function columnsOf(sql: string, wanted: readonly string[]): Record<string, string[]> | string {
  const relations = [relationOf("raw", ["id"], { completeness: "some" }), relationOf("listed", ["a"])];
  const answer = resolveColumns({ sql, dialect: "postgres", relations, wanted });
  if ("unresolved" in answer) return answer.unresolved;
  return Object.fromEntries(answer.columns.map(({ name, parents }) => [name, parents.map(({ column }) => column)]));
}

describe("Wanted columns", () => {
  it("A wanted column comes from the source whose columns are not all listed", () => {
    expect(columnsOf("select * from raw", ["fee", "id"])).toEqual({ id: ["id"], fee: ["fee"] });
    expect(columnsOf("with r as (select * from raw) select r.*, 1 as one from r", ["fee"])).toEqual({
      id: ["id"],
      one: [],
      fee: ["fee"],
    });
    expect(columnsOf("select listed.a, raw.* from listed, raw", ["fee"])).toMatchObject({ fee: ["fee"] });
  });

  it("A wanted column is not looked up if the statement's own list is complete", () => {
    expect(columnsOf("select id from raw", ["fee"])).toEqual({ id: ["id"] });
    expect(columnsOf("select * from listed", ["fee"])).toEqual({ a: ["a"] });
  });
});
