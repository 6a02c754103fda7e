import { expect, test } from "vitest";

import { parseQuery } from "../../../../src/connectors/metabase/query.ts";
import type { KnownField, KnownMetadata } from "../../../../src/connectors/metabase/field-uses.ts";
import { readStages } from "../../../../src/connectors/metabase/read-stages.ts";
import { legacyQuery, stagedQuery } from "../../../support/metabase.ts";
import { present } from "../../../support/present.ts";

function field(id: number, table: number, column: string, others: Partial<KnownField> = {}): KnownField {
  return { id, table, column, target: null, isListed: true, ...others };
}

const FIELDS = [
  field(100, 10, "id"),
  field(101, 10, "status"),
  field(102, 10, "amount"),
  field(103, 10, "customer_id", { target: 200 }),
  field(105, 10, "card_number", { isListed: false }),
  field(200, 20, "id"),
  field(201, 20, "country"),
];

const METADATA: KnownMetadata = {
  fieldsOf: (table) => {
    const own = FIELDS.filter((each) => each.table === table);
    return own.length === 0 ? null : own;
  },
  field: (id) => FIELDS.find((each) => each.id === id) ?? null,
  segment: (id) => (id === 3 ? ["=", ["field", 101, null], "paid"] : null),
};

/** The uses as `table.column TRANSFORMATION expression`, sorted. */
function read(query: object): { uses: string[]; missing: string | null } {
  const { uses, missing } = readStages(present(parseQuery(query)), METADATA);
  const lines = uses.map(({ field: id, use: { transformation, expression } }) => {
    const known = present(METADATA.field(id));
    return `${known.table}.${known.column} ${transformation} ${expression}`;
  });
  return { uses: [...new Set(lines)].toSorted(), missing };
}

test("A query that names no fields has all fields that Metabase shows", () => {
  const uses = [
    "10.amount IDENTITY amount",
    "10.customer_id IDENTITY customer_id",
    "10.id IDENTITY id",
    "10.status IDENTITY status",
  ];
  expect(read(legacyQuery({ "source-table": 10 }))).toEqual({ uses, missing: null });
  expect(read(stagedQuery({ "source-table": 10 }))).toEqual({ uses, missing: null });
});

const GROUPED = [
  "10.amount AGGREGATION sum(amount)",
  "10.amount SORT sum(amount)",
  "10.status FILTER status = 'paid'",
  "10.status GROUP_BY status",
  "10.status IDENTITY status",
];

test("Both forms of a query have the same aggregated, grouped, filtered and sorted fields", () => {
  const legacy = legacyQuery({
    "source-table": 10,
    aggregation: [["sum", ["field", 102, null]]],
    breakout: [["field", 101, null]],
    filter: ["=", ["field", 101, { "base-type": "type/Text" }], "paid"],
    "order-by": [["desc", ["aggregation", 0]]],
  });
  const staged = stagedQuery({
    "source-table": 10,
    aggregation: [["sum", { "lib/uuid": "a" }, ["field", { "lib/uuid": "b" }, 102]]],
    breakout: [["field", { "lib/uuid": "c" }, 101]],
    filters: [["=", { "lib/uuid": "d" }, ["field", { "base-type": "type/Text", "lib/uuid": "e" }, 101], "paid"]],
    "order-by": [["desc", { "lib/uuid": "f" }, ["aggregation", { "lib/uuid": "g" }, "a"]]],
  });
  expect(read(legacy)).toEqual({ uses: GROUPED, missing: null });
  expect(read(staged)).toEqual({ uses: GROUPED, missing: null });
});

test("A date truncated to its month is a transformation, and an expression counts only if it is used", () => {
  const query = legacyQuery({
    "source-table": 10,
    expressions: {
      net: ["-", ["field", 102, null], 1],
      unused: ["+", ["field", 103, null], 1],
      "is paid": [
        "case",
        [
          [
            ["=", ["field", 101, null], "paid"],
            ["field", 100, null],
          ],
        ],
        { default: ["field", 103, null] },
      ],
    },
    aggregation: [["aggregation-options", ["avg", ["expression", "net"]], { name: "net", "display-name": "Net" }]],
    breakout: [
      ["field", 100, { "temporal-unit": "month" }],
      ["expression", "is paid"],
    ],
  });
  expect(read(query)).toEqual({
    missing: null,
    uses: [
      "10.amount AGGREGATION amount - 1",
      "10.customer_id GROUP_BY is paid",
      "10.customer_id TRANSFORMATION case(status = 'paid', id)",
      "10.id GROUP_BY id",
      "10.id GROUP_BY is paid",
      "10.id TRANSFORMATION case(status = 'paid', id)",
      "10.id TRANSFORMATION id",
      "10.status CONDITIONAL case(status = 'paid', id)",
      "10.status GROUP_BY is paid",
    ],
  });
});

test("The condition of an aggregation is a conditional use", () => {
  const query = stagedQuery({
    "source-table": 10,
    aggregation: [["sum-where", {}, ["field", {}, 102], ["=", {}, ["field", {}, 101], "paid"]]],
  });
  expect(read(query).uses).toEqual([
    "10.amount AGGREGATION sum-where(amount, status = 'paid')",
    "10.status CONDITIONAL sum-where(amount, status = 'paid')",
  ]);
});

test("A join uses its conditions, and yields the fields that it names", () => {
  const condition = ["=", ["field", 103, null], ["field", 200, { "join-alias": "Customers" }]];
  const country = ["field", 201, { "join-alias": "Customers" }];
  const legacy = legacyQuery({
    "source-table": 10,
    joins: [{ "source-table": 20, alias: "Customers", condition, fields: [country] }],
    fields: [["field", 100, null]],
  });
  const staged = stagedQuery({
    "source-table": 10,
    joins: [
      {
        "lib/type": "mbql/join",
        alias: "Customers",
        stages: [{ "lib/type": "mbql.stage/mbql", "source-table": 20 }],
        conditions: [["=", {}, ["field", {}, 103], ["field", { "join-alias": "Customers" }, 200]]],
        fields: [["field", { "join-alias": "Customers" }, 201]],
      },
    ],
    fields: [["field", {}, 100]],
  });
  const uses = [
    "10.customer_id JOIN customer_id = id",
    "10.id IDENTITY id",
    "20.country IDENTITY country",
    "20.id JOIN customer_id = id",
  ];
  expect(read(legacy)).toEqual({ uses, missing: null });
  expect(read(staged)).toEqual({ uses, missing: null });
});

test("A field of another table is joined by its foreign key", () => {
  const query = stagedQuery({
    "source-table": 10,
    aggregation: [["count", {}]],
    breakout: [["field", { "source-field": 103 }, 201]],
  });
  expect(read(query).uses).toEqual([
    "10.customer_id JOIN customer_id",
    "20.country GROUP_BY country",
    "20.country IDENTITY country",
    "20.id JOIN id",
  ]);
});

test("A later stage yields the fields that it takes from the earlier one, by name or number", () => {
  const inner = {
    "source-table": 10,
    aggregation: [
      ["sum", ["field", 102, null]],
      ["sum", ["field", 103, null]],
      ["max", ["field", 100, null]],
    ],
    breakout: [["field", 101, null]],
  };
  const legacy = legacyQuery({
    "source-query": inner,
    filter: [">", ["field", "sum_2", { "base-type": "type/Integer" }], 10],
    aggregation: [["max", ["field", "sum", { "base-type": "type/Integer" }]]],
    breakout: [["field", 101, null]],
  });
  expect(read(legacy)).toEqual({
    missing: null,
    uses: [
      "10.amount AGGREGATION max(sum)",
      "10.customer_id FILTER sum_2 > 10",
      "10.status GROUP_BY status",
      "10.status IDENTITY status",
    ],
  });
});

test("A segment is read as its filter", () => {
  const query = legacyQuery({ "source-table": 10, aggregation: [["count"]], filter: ["segment", 3] });
  expect(read(query)).toEqual({ missing: null, uses: ["10.status FILTER segment(3)"] });
});

test.each([
  [
    "a segment that could not be read",
    { filter: ["segment", 9], aggregation: [["count"]] },
    "segment 9 could not be read",
  ],
  ["a field that could not be read", { fields: [["field", 999, null]] }, "field 999 could not be read"],
  ["a column that no stage has", { fields: [["field", "gone", null]] }, 'it is not known which column "gone" is'],
])("The reading of a query says what is missing: %s", (_, query, missing) => {
  expect(read(legacyQuery({ "source-table": 10, ...query })).missing).toBe(missing);
});

test("A table that could not be read is reported, and the columns of a card are not looked for", () => {
  expect(read(legacyQuery({ "source-table": 77 })).missing).toBe("the columns of table 77 could not be read");
  const query = stagedQuery({
    "source-card": 14,
    filters: [
      ["=", {}, ["field", {}, "status"], 1],
      ["=", {}, ["field", {}, 101], 1],
    ],
  });
  expect(read(query)).toEqual({ missing: null, uses: ["10.status FILTER status = 1"] });
});

test("Expressions that name each other in a cycle are read without an endless loop", () => {
  const query = legacyQuery({
    "source-table": 10,
    expressions: { a: ["+", ["expression", "b"], ["field", 102, null]], b: ["+", ["expression", "a"], 1] },
    fields: [["expression", "a"]],
  });
  expect(read(query).uses).toEqual(["10.amount TRANSFORMATION b + amount"]);
});

test.each([
  ["nothing", null],
  ["a query of MongoDB", { type: "native", native: { query: [{ $match: {} }], collection: "orders" }, database: 2 }],
  ["a query without a source", { type: "query", query: {} }],
  ["a query that is too deep", legacyQuery({ "source-table": 10, filter: nested(5_000) })],
])("parseQuery returns null for %s", (_, query) => {
  expect(parseQuery(query)).toBeNull();
});

function nested(depth: number): unknown {
  let clause: unknown = ["field", 101, null];
  for (let i = 0; i < depth; i++) clause = ["not", clause];
  return clause;
}

test("A query whose expressions grow exponentially, or whose segment names itself, is given up quickly", () => {
  const doubling = Array.from({ length: 60 }, (_, i): [string, unknown] => {
    const before = i === 0 ? ["field", 102, null] : ["expression", `e${i - 1}`];
    return [`e${i}`, ["+", before, before]];
  });
  const chain = Array.from({ length: 20_000 }, (_, i): [string, unknown] => [
    `e${i}`,
    ["+", ["expression", `e${i + 1}`], 1],
  ]);
  for (const expressions of [doubling, chain]) {
    const last = expressions === doubling ? "e59" : "e0";
    const query = { "source-table": 10, expressions: Object.fromEntries(expressions), fields: [["expression", last]] };
    expect(read(legacyQuery(query)).missing).toBe("it is too complex to be read");
  }
  const metadata = { ...METADATA, segment: () => ["and", ["segment", 3], ["=", ["field", 101, null], "paid"]] };
  const stages = present(
    parseQuery(legacyQuery({ "source-table": 10, aggregation: [["count"]], filter: ["segment", 3] })),
  );
  expect(readStages(stages, metadata).uses).toMatchObject([{ field: 101, use: { transformation: "FILTER" } }]);
});
