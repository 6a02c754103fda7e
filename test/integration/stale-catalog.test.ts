/** A catalog.json that is older than the manifest beside it. */
import { describe, expect, it } from "vitest";

import { openDbtWhatIf } from "../support/dbt-what-if.ts";
import { catalog, entries, manifest, MODEL } from "../unit/connectors/dbt/project.ts";

const SOURCE = { ...MODEL, resource_type: "source", schema: "raw", source_name: "erp", config: {} };
const listed = { a: "integer", b: "integer" };
const CATALOG = catalog({ "source.shop.erp.t": listed, "model.shop.m": listed });

function manifestOf(sql: string): object {
  return manifest({
    sources: entries({ "source.shop.erp.t": {} }, SOURCE),
    nodes: entries({ "model.shop.m": { compiled_code: sql, depends_on: { nodes: ["source.shop.erp.t"] } } }),
  });
}

describe("a stale column in catalog.json", () => {
  it("A column that only an older catalog.json lists has unknown lineage, a warning and a gap of its model", async () => {
    const { outcome, findNode, check } = await openDbtWhatIf({
      manifest: manifestOf("select a from wh.raw.t"),
      catalog: CATALOG,
    });
    const { columnLineage } = await findNode("wh.mart.m.b", "column");
    expect(columnLineage).toMatchObject({ status: "unknown", reason: "the SQL yields no column of this name" });
    expect(await findNode("wh.mart.m", "model")).toMatchObject({ gap: "b: the SQL yields no column of this name" });
    expect(outcome.errors).toMatchObject([
      {
        code: "stale_columns",
        severity: "warning",
        object: "wh.mart.m",
        message: expect.stringMatching(/^wh\.mart\.m had b when the warehouse was read, and its SQL does not yield/),
      },
    ]);
    const { changes } = await check({ manifest: manifestOf("select a from wh.raw.t") });
    expect(changes).toEqual([]);
  });

  it("A column that only an older catalog.json lists causes no warning if the SQL yields it", async () => {
    const { outcome, findNode } = await openDbtWhatIf({
      manifest: manifestOf("select a, b from wh.raw.t"),
      catalog: CATALOG,
    });
    expect(outcome.errors).toEqual([]);
    expect(await findNode("wh.mart.m", "model")).toMatchObject({ gap: "" });
  });
});
