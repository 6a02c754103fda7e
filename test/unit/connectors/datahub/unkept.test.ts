/** What came and is not kept is counted by kinds. */
import { expect, test } from "vitest";

import { namingOptionsShape } from "../../../../src/connectors/datahub/options.ts";
import { AspectTable } from "../../../../src/connectors/datahub/rows.ts";
import { crawlAspects } from "../../../../src/connectors/datahub/state.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";

const said = (entityType: string, name: string, aspectName: string) => ({
  entityType,
  entityUrn: `urn:li:${entityType}:${name}`,
  changeType: "UPSERT",
  aspectName,
  aspect: { contentType: "application/json", value: "{}" },
});

async function unkeptOf(messages: readonly unknown[]) {
  const table = new AspectTable();
  for (const message of messages) runAtOnce(table.add(message));
  const crawl = crawlAspects(table, namingOptionsShape.parse({}), { now: new Date(0) });
  return (await Array.fromAsync(crawl)).flatMap((event) => (event.kind === "unkept" ? [event.unkept] : []));
}

test("Each kind of what is not kept is listed with its count and its first example, the most frequent first", async () => {
  const sent = ["b", "a"].map((name) => said("mlModel", name, "mlModelProperties"));
  expect(await unkeptOf([said("notebook", "n", "notebookInfo"), ...sent, { proposal: 7 }])).toEqual([
    { entity: "mlModel", aspect: "mlModelProperties", why: "unknown", count: 2, example: "urn:li:mlModel:a" },
    { entity: "", aspect: "message", why: "malformed", count: 1, example: '{"proposal":7}' },
    { entity: "notebook", aspect: "notebookInfo", why: "unknown", count: 1, example: "urn:li:notebook:n" },
  ]);
});

test("More than a hundred kinds are listed as a hundred, and the last one counts all that are left", async () => {
  const kinds = Array.from({ length: 130 }, (_, i) => said("notebook", "n", `aspect${i}`));
  const unkept = await unkeptOf(kinds);
  expect(unkept).toHaveLength(100);
  expect(unkept.at(-1)).toMatchObject({ entity: "", aspect: "", count: 31 });
  expect(unkept.reduce((sum, { count }) => sum + count, 0)).toBe(130);
});
