/** Assertions of DataHub become checks of the columns that they name. */
import { expect, test } from "vitest";

import { namingOptionsShape } from "../../../../src/connectors/datahub/options.ts";
import { AspectTable } from "../../../../src/connectors/datahub/rows.ts";
import { crawlAspects } from "../../../../src/connectors/datahub/state.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";

const DATASET = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)";

async function checkOf(info: object) {
  const table = new AspectTable();
  const said = [
    [DATASET, "status", { removed: false }],
    ["urn:li:assertion:7", "assertionInfo", info],
  ] as const;
  for (const [entityUrn, aspectName, json] of said)
    runAtOnce(table.add({ entityType: "", entityUrn, changeType: "UPSERT", aspectName, aspect: { json } }));
  const events = await Array.fromAsync(crawlAspects(table, namingOptionsShape.parse({}), { now: new Date(0) }));
  return events.flatMap((event) => {
    if (event.kind !== "check") return [];
    const { name, test: tested, columns } = event.check;
    return [{ name, test: tested, columns: columns.map((column) => column.name) }];
  });
}

const entity = DATASET;
const field = { path: "amount", type: "NUMBER", nativeType: "numeric" };

test.for([
  [
    "The values of a field",
    { type: "FIELD", fieldAssertion: { entity, fieldValuesAssertion: { field, operator: "NOT_NULL" } } },
    { name: "not_null", test: "not_null", columns: ["amount"] },
  ],
  [
    "A metric of a field",
    { type: "FIELD", fieldAssertion: { entity, fieldMetricAssertion: { field, metric: "NULL_COUNT" } } },
    { name: "null_count", test: "null_count", columns: ["amount"] },
  ],
  [
    "A path of a field alone",
    { type: "FIELD", fieldAssertion: { entity, fieldPath: "[version=2.0].[type=string].amount" } },
    { name: "field", test: "field", columns: ["amount"] },
  ],
  [
    "A volume",
    { type: "VOLUME", description: "Enough rows", volumeAssertion: { entity, type: "ROW_COUNT_TOTAL" } },
    { name: "Enough rows", test: "row_count_total", columns: [] },
  ],
  [
    "A volume of no kind",
    { type: "VOLUME", volumeAssertion: { entity } },
    { name: "volume", test: "volume", columns: [] },
  ],
  ["An assertion of no type", { volumeAssertion: { entity } }, { name: "7", test: "", columns: [] }],
] as const)("%s is a check of what it names", async ([, info, check]) => {
  expect(await checkOf(info)).toEqual([check]);
});
