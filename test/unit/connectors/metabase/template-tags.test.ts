import fc from "fast-check";
import { expect, test } from "vitest";

import {
  type TagMeanings,
  type TemplateTag,
  quoterOf,
  toReadable,
} from "../../../../src/connectors/metabase/template-tags.ts";
import { threadProcessorMs } from "../../../../src/work/usage.ts";

const NOTHING: TemplateTag = { type: "", field: null, card: null, snippet: "" };

function meanings(tags: Record<string, Partial<TemplateTag>> = {}): TagMeanings {
  return {
    tags: new Map(Object.entries(tags).map(([name, tag]) => [name, { ...NOTHING, ...tag }])),
    snippets: new Map([
      ["paid", "status = 'paid' and {{snippet: recent}}"],
      ["recent", "age < 7"],
      ["endless", "a and {{snippet: endless}}"],
    ]),
    cardColumns: new Map([[12, ["id", 'odd "name"']]]),
    columnOf: (field) => (field === 4 ? "ordered_at" : null),
    quote: quoterOf("postgres"),
  };
}

const read = (sql: string, tags?: Record<string, Partial<TemplateTag>>): string => toReadable(sql, meanings(tags)).sql;

test.each([
  ["n > {{n}}", { n: { type: "number" } }, "n > 1"],
  ["n = {{ n }}", { n: { type: "text" } }, "n = 'text'"],
  ["d = {{d}}", { d: { type: "date" } }, "d = '2000-01-01'"],
  ["b = {{b}}", { b: { type: "boolean" } }, "b = true"],
  ["x = {{unheard}}", {}, "x = null"],
  ["where {{f}}", { f: { type: "dimension", field: 4 } }, "where 1 = 1"],
  ["select {{unit}}", { unit: { type: "temporal-unit", field: 4 } }, 'select "ordered_at"'],
  ["interval '{{n}} days'", { n: { type: "text" } }, "interval '1 days'"],
  ["where {{snippet: paid}}", {}, "where status = 'paid' and age < 7"],
  ["from {{#12-orders}} o", {}, 'from (select null as "id", null as "odd ""name""") o'],
  ["from {{orders}} o", { orders: { type: "card", card: 12 } }, 'from (select null as "id", null as "odd ""name""") o'],
  ["from {{#99}} o", {}, "from (select 1) o"],
])(
  'The template tags in "%s" are replaced by readable SQL',
  (sql, tags: Record<string, Partial<TemplateTag>>, readable) => {
    expect(read(sql, tags)).toBe(readable);
  },
);

test("An optional clause is kept, even one that ends in a comment", () => {
  expect(read("where a [[and n = {{n}}]] and b", { n: { type: "number" } })).toBe("where a  and n = 1  and b");
  expect(read("limit [[{{n}} --]] 10\n;", { n: { type: "number" } })).toBe("limit  1 --  10\n;");
});

test("Double brackets without a tag are SQL", () => {
  const sql = "select array[[1, 2], [3, 4]] where x = {{n}}";
  expect(read(sql, { n: { type: "number" } })).toBe("select array[[1, 2], [3, 4]] where x = 1");
});

test("Tags in comments are kept as they are, and comment signs in strings start no comment", () => {
  expect(read("select 1 -- {{n}}\n+ {{n}} /* {{n}} */")).toBe("select 1 -- {{n}}\n+ null /* {{n}} */");
  expect(read("select '--', {{n}}")).toBe("select '--', null");
});

test("A tag without a known meaning is reported", () => {
  expect(toReadable("where {{snippet: gone}}", meanings()).unknown).toEqual(["snippet: gone"]);
  expect(toReadable("select {{unit}}", meanings({ unit: { type: "temporal-unit", field: 9 } })).unknown).toEqual([
    "unit",
  ]);
});

test("Snippets that name themselves are replaced without an endless loop", () => {
  const { sql, unknown } = toReadable("where {{snippet: endless}}", meanings());
  expect(sql).toMatch(/^where (a and ){8}null$/);
  expect(unknown).toEqual(["snippet: endless"]);
});

test("SQL without tags is read unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab'\"`-/* \n[]{}()") }), (sql) => {
      fc.pre(!/\{\{[^{}]*\}\}/.test(sql));
      expect(read(sql)).toBe(sql);
    }),
  );
});

test("Hostile template text is read quickly", () => {
  for (const sql of [
    "{{".repeat(100_000),
    "[[".repeat(100_000),
    "--]]".repeat(50_000),
    "{{snippet: paid}}".repeat(10_000),
  ]) {
    const before = threadProcessorMs();
    read(sql);
    expect(threadProcessorMs() - before).toBeLessThan(2_000);
  }
});
