/** Proposals come in any order, twice, and in events of several. What they state together does not depend on that. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { namingOptionsShape } from "../../../../src/connectors/datahub/options.ts";
import { AspectTable } from "../../../../src/connectors/datahub/rows.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";
import { crawlAspects } from "../../../../src/connectors/datahub/state.ts";
import { hasRecordings, readRecording, recordings } from "../../../support/datahub.ts";
import { propertyRuns } from "../../../support/depth.ts";

const NOW = new Date("2026-01-01T00:00:00.000Z");
const options = namingOptionsShape.parse({});

async function stateAll(messages: readonly unknown[]): Promise<string> {
  const table = new AspectTable();
  for (const message of messages) runAtOnce(table.add(message));
  return JSON.stringify(await Array.fromAsync(crawlAspects(table, options, { now: NOW })));
}

describe.skipIf(!hasRecordings)("recorded outputs of DataHub, skipped without ../shared/data", () => {
  test.for(recordings)("%s states the same in any order", async (name) => {
    const proposals = readRecording(name);
    const usual = await stateAll(proposals);
    const anyOrder = fc.shuffledSubarray(proposals, { minLength: proposals.length });
    await fc.assert(
      fc.asyncProperty(anyOrder, async (shuffled) => {
        expect(await stateAll(shuffled)).toBe(usual);
      }),
      propertyRuns(100),
    );
  });
});

const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)";
const said = (aspectName: string, value: unknown, at: number, changeType = "UPSERT") => ({
  entityType: "dataset",
  entityUrn: dataset,
  changeType,
  aspectName,
  aspect: { contentType: "application/json", value: JSON.stringify(value) },
  systemMetadata: { lastObserved: at },
});

test("Of two values the later one counts, and a patch changes the value before it", async () => {
  const anyProposals = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 5 }),
      name: fc.constantFrom("a", "b"),
      isPatch: fc.boolean(),
      removed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(anyProposals, fc.gen(), async (given, random) => {
      const proposals = given.flatMap(({ at, name, isPatch, removed }) => [
        isPatch
          ? said(
              "datasetProperties",
              [{ op: "add", path: `/customProperties/${name}`, value: String(at) }],
              at,
              "PATCH",
            )
          : said("datasetProperties", { name, description: String(at), customProperties: {} }, at),
        said("status", { removed }, at),
      ]);
      const shuffled = random(fc.shuffledSubarray, proposals, { minLength: proposals.length });
      expect(await stateAll(shuffled)).toBe(await stateAll(proposals));
    }),
    propertyRuns(1_000),
  );
});

test("A proposal that comes twice states nothing more", async () => {
  const one = said("datasetProperties", { name: "orders", customProperties: { a: "b" } }, 1);
  const patch = said(
    "ownership",
    [{ op: "add", path: "/owners/urn:li:corpuser:ann/DATAOWNER", value: { owner: "urn:li:corpuser:ann" } }],
    2,
    "PATCH",
  );
  expect(await stateAll([one, patch, one, patch])).toBe(await stateAll([one, patch]));
});

test("A patch takes away what its path names, with or without a value", async () => {
  const [ann, bob] = ["ann", "bob"].map((name) => ({ owner: `urn:li:corpuser:${name}`, type: "DATAOWNER" }));
  const base = said("ownership", { owners: [ann, bob] }, 1);
  const path = "/owners/urn:li:corpuser:ann/DATAOWNER";
  const left = await stateAll([said("ownership", { owners: [bob] }, 1)]);
  expect(await stateAll([base, said("ownership", [{ op: "remove", path }], 2, "PATCH")])).toBe(left);
  expect(await stateAll([base, said("ownership", [{ op: "remove", path, value: {} }], 2, "PATCH")])).toBe(left);
});
