import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { LineageAnswer, LineageRequest, Relation } from "../../../src/sql-lineage/request.ts";
import { resolveColumns } from "../../../src/sql-lineage/resolve-columns.ts";
import { randomStatements } from "../../support/random-statements.ts";
import { readCorpus } from "../../support/sql-corpus.ts";
import { relationOf } from "../../support/sql-relation.ts";

type Known = Exclude<LineageAnswer, { unresolved: string }>;

function read(request: LineageRequest): Known {
  const answer = resolveColumns(request);
  if ("unresolved" in answer) throw new Error(answer.unresolved);
  return answer;
}

const postgres = (sql: string, relations: readonly Relation[]): LineageRequest => ({
  sql,
  dialect: "postgres",
  relations,
});

/** Each column of each relation, and the request without it. */
function* withoutEach(
  request: LineageRequest,
): Generator<{ relation: number; column: string; request: LineageRequest }> {
  for (const [relation, { columns }] of request.relations.entries()) {
    for (const column of columns) {
      const without = (each: Relation, i: number): Relation =>
        i === relation ? { ...each, columns: columns.filter((other) => other !== column) } : each;
      yield { relation, column, request: { ...request, relations: request.relations.map(without) } };
    }
  }
}

/** All but the text that decides the columns, which stays as it is. */
function told({ columns, ...others }: Known): unknown {
  return { columns: columns.map(({ name, parents }) => ({ name, parents })), ...others };
}

describe("the columns that a statement names", () => {
  it("are those that it writes, or writes the name of a copy of", () => {
    fc.assert(
      fc.property(randomStatements, ({ sql, relations, named }) => {
        const answer = read(postgres(sql, relations));
        const found = answer.named.map(({ relation, column }) => `${relations[relation]?.name}.${column}`);
        expect(found.toSorted()).toEqual(named);
        expect(answer.unresolvedUse).toBeNull();
      }),
    );
  });

  it("are all whose loss breaks it", () => {
    fc.assert(
      fc.property(randomStatements, ({ sql, relations }) => {
        const request = postgres(sql, relations);
        const before = read(request);
        for (const { relation, column, request: changed } of withoutEach(request)) {
          const isSame = (each: { relation: number; column: string }): boolean =>
            each.relation === relation && each.column === column;
          const isStarred = before.columns.some(({ parents }) => parents.some(isSame));
          const after = resolveColumns(changed);
          if (before.named.some(isSame))
            expect(after).toMatchObject({ unresolvedUse: expect.stringContaining(column) });
          else if (!isStarred) expect("unresolved" in after ? after : told(after)).toEqual(told(before));
        }
      }),
      { numRuns: 40 },
    );
  });

  it.each(readCorpus().filter(({ expected }) => expected.unresolvedUse === ""))(
    "leave the statement readable when any other is lost, in $dialect: $title",
    ({ request }) => {
      const before = read(request);
      for (const { relation, column, request: changed } of withoutEach(request)) {
        if (before.named.some((each) => each.relation === relation && each.column === column)) continue;
        const after = resolveColumns(changed);
        if ("columns" in after) expect([column, after.unresolvedUse]).toEqual([column, null]);
      }
    },
  );

  it("are not all told where they are very many", () => {
    const names = Array.from({ length: 20_001 }, (_, i) => `c${i}`);
    const answer = read(
      postgres(`select ${names.map((name) => `t.${name}`).join(", ")} from t`, [relationOf("t", names)]),
    );
    expect(answer.named).toHaveLength(20_000);
    expect(answer.unresolvedUse).toBe("the SQL names more than 20000 columns");
  });
});
