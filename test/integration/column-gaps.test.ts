/** A walk from a column tells which assets may use a column, or be where one comes from, if that is not known. */
import { expect, onTestFinished, test } from "vitest";

import { startApp } from "../support/app.ts";
import { facet, runEvent, schemaFacet } from "../support/lineage-events.ts";
import { at, createRestClient } from "../support/rest-client.ts";

const table = (name: string, facets: Record<string, unknown> = {}) => {
  return { namespace: "postgres://db", name: `shop.${name}`, facets: { ...schemaFacet("a", "b"), ...facets } };
};
const transformations = [{ type: "DIRECT", subtype: "IDENTITY" }];
const fromRaw = (field: string) => ({
  inputFields: [{ namespace: "postgres://db", name: "shop.raw.src", field, transformations }],
});

async function openCatalog(settings: Record<string, string> = {}) {
  const running = await startApp({ env: settings, overrides: { countdown: () => () => {} } });
  onTestFinished(() => running.close());
  const ask = createRestClient(running);
  const columnLineage = facet({ fields: { a: fromRaw("a"), b: fromRaw("b") } });
  const events = [
    runEvent({ job: "blind", inputs: [table("raw.src")], outputs: [table("marts.blind")] }),
    runEvent({ job: "telling", inputs: [table("raw.src")], outputs: [table("marts.told", { columnLineage })] }),
    runEvent({ job: "further", inputs: [table("marts.told")], outputs: [table("marts.further")] }),
  ];
  for (const event of events)
    expect((await ask("/api/v1/lineage", { method: "POST", body: JSON.stringify(event) })).status).toBe(201);
  const idOf = async (name: string): Promise<string> => {
    const { body } = await ask(`/api/v1/catalog/assets?search=${name}`);
    return String(at(body, "data", 0, "id"));
  };
  return {
    idOf,
    async walk(direction: string, column: string, depth = 3) {
      const { body } = await ask(`/api/v1/lineage/${direction}?asset_id=${await idOf(column)}&depth=${depth}`);
      return body;
    },
  };
}

test("Lineage down from a column is not complete if an asset may use the column or one that it feeds", async () => {
  const { walk, idOf } = await openCatalog();
  const near = await walk("downstream", "shop.raw.src.a", 1);
  const gaps = async (...names: string[]) =>
    expect.objectContaining({
      complete: false,
      gaps_total: names.length,
      gaps: await Promise.all(
        names.map(async (name) => ({
          asset_id: await idOf(name),
          reason: "it may use a column: column lineage unknown",
        })),
      ),
    });
  expect(at(near, "completeness")).toEqual(await gaps("blind"));
  expect(at(await walk("downstream", "shop.raw.src.a", 2), "completeness")).toEqual(await gaps("blind", "further"));
});

test("Lineage down from a column counts all that may use it, also if not all are listed", async () => {
  const { walk } = await openCatalog({ MAX_LINEAGE_NODES: "1" });
  const body = await walk("downstream", "shop.raw.src.a");
  expect(at(body, "completeness")).toMatchObject({ complete: false, gaps_total: 2 });
  expect(at(body, "completeness", "gaps")).toHaveLength(1);
});

test("Lineage up from a column is not complete if it is not known what the column comes from", async () => {
  const { walk, idOf } = await openCatalog();
  const reason = "what its columns come from is not all known: column lineage unknown";
  const gaps = [{ asset_id: await idOf("shop.marts.blind"), reason }];
  expect(at(await walk("upstream", "shop.marts.blind.a"), "completeness")).toMatchObject({ complete: false, gaps });
  expect(at(await walk("upstream", "shop.marts.told.a"), "completeness")).toMatchObject({ complete: true, gaps: [] });
  expect(at(await walk("upstream", "shop.raw.src.a"), "completeness")).toMatchObject({ complete: true, gaps: [] });
});
