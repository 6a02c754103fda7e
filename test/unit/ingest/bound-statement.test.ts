import { expect, it } from "vitest";

import type { AssetStatement } from "../../../src/catalog/statement.ts";
import { boundStatement } from "../../../src/ingest/bound-statement.ts";
import { tableRef } from "../../support/scripted-connector.ts";

const column = (name: string) => ({ name, dataType: "text", description: "", tags: [] });
const stated = (facts: AssetStatement["facts"], more: Partial<AssetStatement> = {}): AssetStatement => {
  return { ref: tableRef("a"), name: "a", facts, columns: [column("x")], ...more };
};
const codesOf = (statement: AssetStatement) => boundStatement(statement).errors.map(({ code }) => code);

const long = (count: number): string => "x".repeat(count);
const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `t${i}`);
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
const measure = { displayName: "", kind: "simple", expression: "", grain: "", dimensions: [], filters: [] } as const;
const metric = (own: object) => ({ metric: { ...measure, dimensions: [], filters: [], ...own } });
const read = (sql: string) => ({ relation: tableRef("b"), sql });

it("A statement within the limits stays as it is, without errors", () => {
  const statement = stated(
    {
      description: long(100_000),
      tags: many(1_000),
      sql: long(1_048_576),
      meta: { deep: nested(31), "k\u0000": ["é", null, 1.5, true] },
      ...metric({ filters: many(1_000), dimensions: many(1_000) }),
    },
    { columns: many(10_000).map(column), reads: many(1_000).map(read) },
  );
  expect(boundStatement(statement)).toEqual({ statement, errors: [] });
});

it.each<[string, AssetStatement]>([
  ["description_too_long", stated({ description: long(100_001) })],
  ["too_many", stated({ tags: many(1_001) })],
  ["owner_too_long", stated({ owner: long(1_001) })],
  ["owner_s_name_too_long", stated({ ownerName: long(1_001) })],
  ["url_too_long", stated({ url: `https://example.com/${long(100_000)}` })],
  ["sql_too_long", stated({ sql: long(1_048_577) })],
  ["materialization_too_long", stated({ materialization: long(1_001) })],
  ["meta_too_long", stated({ meta: { a: long(100_000) } })],
  ["meta_too_long", stated({ meta: { a: many(30_000) } })],
  ["meta_too_long", stated({ meta: { [long(100_001)]: 1 } })],
  ["meta_too_long", stated({ meta: { a: nested(200) } })],
  ["label_too_long", stated(metric({ displayName: long(1_001) }))],
  ["expression_too_long", stated(metric({ expression: long(100_001) }))],
  ["grain_too_long", stated(metric({ grain: long(1_001) }))],
  ["too_many", stated(metric({ dimensions: many(1_001) }))],
  ["name_too_long", stated(metric({ dimensions: [long(1_001)] }))],
  ["too_many", stated(metric({ filters: many(1_001) }))],
  ["filter_too_long", stated(metric({ filters: [long(100_001)] }))],
  ["too_many", stated({}, { columns: many(10_001).map(column) })],
  ["description_too_long", stated({}, { columns: [{ ...column("x"), description: long(100_001) }] })],
  ["data_type_too_long", stated({}, { columns: [{ ...column("x"), dataType: long(100_001) }] })],
  ["too_many", stated({}, { columns: [{ ...column("x"), tags: many(1_001) }] })],
  ["too_many_queries", stated({}, { reads: many(1_001).map(read) })],
  ["too_many_queries", stated({}, { reads: [read(long(1_048_577))] })],
])("An error %s names the asset and the limit that it exceeds, once", (code, statement) => {
  const { statement: bounded, errors } = boundStatement(statement);
  expect(errors).toMatchObject([{ code, object: "shop.public.a", severity: "error", stage: "write" }]);
  expect(JSON.stringify(bounded).length).toBeLessThan(1_100_000);
});

it("A statement that was cut is not cut again", () => {
  const { statement } = boundStatement(
    stated({ description: long(100_001), tags: many(1_001), meta: { a: nested(99) } }),
  );
  expect(boundStatement(statement)).toEqual({ statement, errors: [] });
});

it("A fault of many columns is reported once", () => {
  const columns = many(50).map((name) => Object.assign(column(name), { description: long(100_001) }));
  expect(codesOf(stated({}, { columns }))).toEqual(["description_too_long"]);
});

it("A text is cut between characters, never within one", () => {
  const { statement } = boundStatement(stated({ description: `${long(99_999)}😀` }));
  expect(statement.facts.description).toBe(long(99_999));
});

it("The end of cut SQL says how much more there was", () => {
  const { statement } = boundStatement(stated({ sql: long(1_048_576 + 3_400_000) }));
  expect(statement.facts.sql?.slice(-40)).toMatch(/x\n-- cut: 3,400,000 more characters$/);
});
