import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { LineageAnswer, LineageRequest, NamedColumn, Relation } from "../../../src/sql-lineage/request.ts";
import { resolveColumns } from "../../../src/sql-lineage/resolve-columns.ts";
import { isFull, propertyRuns } from "../../support/depth.ts";
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
function* withoutEach(request: LineageRequest): Generator<{ lost: NamedColumn; request: LineageRequest }> {
  for (const [relation, { columns }] of request.relations.entries()) {
    for (const column of columns) {
      const without = (each: Relation, i: number): Relation =>
        i === relation ? { ...each, columns: columns.filter((other) => other !== column) } : each;
      yield { lost: { relation, column }, request: { ...request, relations: request.relations.map(without) } };
    }
  }
}

/** The answer without each column's basis. */
function told(answer: LineageAnswer): unknown {
  if ("unresolved" in answer) return answer;
  return { ...answer, columns: answer.columns.map(({ name, parents }) => ({ name, parents })) };
}

function holds(columns: readonly NamedColumn[], { relation, column }: NamedColumn): boolean {
  return columns.some((each) => each.relation === relation && each.column === column);
}

/** Why part of a statement with columns is missing; null for a statement that yields no columns any more. */
function missedUse(answer: LineageAnswer): string | null {
  if ("unresolved" in answer) return null;
  return answer.unresolvedUse ?? answer.columns.find(({ unresolved }) => unresolved !== null)?.unresolved ?? null;
}

describe("Columns that a statement names", () => {
  it("A statement names the columns that it writes, and the columns that a written name copies", () => {
    fc.assert(
      fc.property(randomStatements, ({ sql, relations, named }) => {
        const answer = read(postgres(sql, relations));
        const found = answer.named.map(({ relation, column }) => `${relations[relation]?.name}.${column}`);
        expect(found.toSorted()).toEqual(named);
        expect(answer.unresolvedUse).toBeNull();
      }),
    );
  });

  it("A statement breaks if it loses a named column, and is unchanged if it loses another that no star lists", () => {
    fc.assert(
      fc.property(randomStatements, ({ sql, relations }) => {
        const request = postgres(sql, relations);
        const before = read(request);
        const parents = before.columns.flatMap((column) => column.parents);
        for (const { lost, request: changed } of withoutEach(request)) {
          const after = resolveColumns(changed);
          const isNamed = holds(before.named, lost);
          expect([lost, missedUse(after) !== null]).toEqual([lost, isNamed]);
          if (isNamed || holds(parents, lost)) continue;
          expect([lost, told(after)]).toEqual([lost, told(before)]);
        }
      }),
      propertyRuns(40),
    );
  });

  it.each(readCorpus().filter(({ expected }) => expected.unresolvedUse === ""))(
    "Every column whose loss leaves a use unknown is named, in $dialect: $title",
    ({ request }) => {
      const { named } = read(request);
      const unnamed = [...withoutEach(request)].filter(({ lost }) => !holds(named, lost));
      const broken = unnamed.filter(({ request: changed }) => missedUse(resolveColumns(changed)) !== null);
      expect(broken.map(({ lost }) => lost)).toEqual([]);
    },
  );

  it.runIf(isFull)("At most 20,000 named columns are listed", () => {
    const names = Array.from({ length: 20_001 }, (_, i) => `c${i}`);
    const sql = `select count(*) as n from t where coalesce(${names.join(", ")}) > 0`;
    const answer = read(postgres(sql, [relationOf("t", names)]));
    expect(answer.named).toHaveLength(20_000);
    expect(answer.unresolvedUse).toBe("the SQL names more than 20000 columns");
  });
});
