import { expect, test } from "vitest";

import { ASPECTS } from "../../../../src/connectors/datahub/aspects.ts";
import { readingProposals } from "../../../../src/connectors/datahub/proposal.ts";
import { readingRows } from "../../../../src/connectors/datahub/rows.ts";

/** The rows of a message, and how often reading it gave the event loop a turn. */
function read(message: unknown) {
  let turns = 0;
  const finish = <T>(pieces: Generator<void, T>): T => {
    for (;;) {
      const { done, value } = pieces.next();
      if (done) return value;
      turns++;
    }
  };
  const rows = finish(readingRows(message, finish(readingProposals(message))));
  return { rows, turns };
}

const propose = (aspectName: string, aspect: unknown) => ({
  entityType: "dataset",
  entityUrn: "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)",
  changeType: "UPSERT",
  aspectName,
  aspect,
});

const fields = Array.from({ length: 5_000 }, (_, at) => ({ fieldPath: `column_${at}`, description: `Column ${at}` }));
const schema = { schemaName: "orders", primaryKeys: ["column_0"], fields: [...fields, { nothing: true }, 7] };

test.for([
  ["as a text", { contentType: "application/json", value: JSON.stringify(schema) }],
  ["as an object", { json: schema }],
])("A schema of 5,000 fields that comes %s is read in slices, and becomes what its shape makes of it", ([, aspect]) => {
  const { rows, turns } = read(propose("schemaMetadata", aspect));
  expect(turns).toBeGreaterThan(5);
  const [kept, ...told] = rows;
  expect(JSON.parse(kept?.body ?? "")).toEqual(ASPECTS.schemaMetadata.parse(schema));
  expect(told.map(({ unkept }) => unkept)).toEqual(["malformed"]);
});

test("A long list where the shape has none is left out, as a short one is", () => {
  const customProperties = Array.from({ length: 2_000 }, () => "x");
  const { rows } = read(propose("datasetProperties", { json: { description: "Orders", customProperties } }));
  const short = read(propose("datasetProperties", { json: { description: "Orders", customProperties: ["x"] } }));
  expect(rows).toEqual(short.rows);
});

test("A text with more than 500,000 values is malformed, and one that is no JSON too", () => {
  for (const value of [`[${"0,".repeat(500_000)}0]`, `{"fields": [${"x".repeat(70_000)}`]) {
    const { rows } = read(propose("schemaMetadata", { contentType: "application/json", value }));
    expect(rows.map(({ unkept }) => unkept)).toEqual(["malformed"]);
  }
});
