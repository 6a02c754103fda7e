/**
 * A dbt project with tests, contracts and results, synced with the real reader of SQL: its checks, and what breaks
 * them.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import type { CatalogNode } from "../../src/catalog/asset.ts";
import type { NodeType } from "../../src/catalog/node-types.ts";
import { openDbtCrawl } from "../support/dbt-crawl.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";
import { present } from "../support/present.ts";
import { entries, manifest, MODEL, runResults, sourceResults } from "../unit/connectors/dbt/project.ts";

const SOURCE = { ...MODEL, resource_type: "source", schema: "raw", source_name: "erp", config: {} };
const documented = (...names: string[]) => ({
  columns: Object.fromEntries(names.map((name) => [name, { name, data_type: "integer" }])),
});
const on = (...nodes: string[]) => ({ depends_on: { nodes } });
const generic = (name: string, model: string, column: string) => ({
  test_metadata: { name, kwargs: { column_name: column }, namespace: null },
  column_name: column,
  attached_node: model,
  ...on(model),
});
const LIMIT = { warn_after: { count: 1, period: "day" } };

const MANIFEST = manifest({
  sources: entries(
    {
      "source.shop.erp.orders": {
        ...documented("id", "amount", "status", "loaded_at"),
        freshness: LIMIT,
        loaded_at_field: "loaded_at",
      },
    },
    SOURCE,
  ),
  nodes: entries({
    "model.shop.stg": {
      compiled_code: "select id, amount, status from wh.raw.orders",
      ...on("source.shop.erp.orders"),
      ...documented("id", "amount", "status"),
    },
    "model.shop.fct": {
      compiled_code: "select status, sum(amount) as total from wh.mart.stg group by status",
      ...on("model.shop.stg"),
      ...documented("status", "total"),
      config: { materialized: "table", contract: { enforced: true } },
    },
    "test.shop.unique_stg_id": generic("unique", "model.shop.stg", "id"),
    "test.shop.no_negative_totals": {
      compiled_code: "with t as (select total as t from wh.mart.fct) select * from t where t < 0",
      ...on("model.shop.fct"),
    },
    "test.shop.all_rows": { compiled_code: "select * from wh.mart.stg limit 0", ...on("model.shop.stg") },
  }),
  unit_tests: {
    "unit_test.shop.fct.sums": {
      name: "sums",
      package_name: "shop",
      model: "fct",
      given: [{ input: "ref('stg')", rows: [{ amount: 1 }, { amount: 2 }] }],
      expect: { rows: [{ total: 3 }] },
      ...on("model.shop.fct"),
    },
  },
});
const RESULTS = runResults([
  { unique_id: "test.shop.unique_stg_id", status: "fail", failures: 2, message: "Got 2 results", timing: [] },
  { unique_id: "model.shop.fct", status: "success", message: "OK", timing: [] },
]);
const FRESHNESS = sourceResults([
  {
    unique_id: "source.shop.erp.orders",
    status: "warn",
    max_loaded_at: "2026-05-01T00:00:00Z",
    snapshotted_at: "2026-05-03T00:00:00Z",
    criteria: LIMIT,
  },
]);

/** The project after one sync. */
async function openShop() {
  const folder = await makeTemporaryFolder();
  const write = (name: string, content: object) => writeFile(join(folder, `${name}.json`), JSON.stringify(content));
  await write("manifest", MANIFEST);
  await write("run_results", RESULTS);
  await write("sources", FRESHNESS);
  const bench = await openDbtCrawl(folder, ["manifest", "run_results", "sources"]);
  expect(await bench.crawl()).toMatchObject({ status: "completed", errors: [] });

  const checksOn = async ({ id }: CatalogNode): Promise<string[]> => {
    const [page] = await bench.graph.loadChecks(bench.workspace.id, [{ node: id, first: 50, after: null }]);
    return present(page).items.map(({ name, kind, result }) => `${name} (${kind}) ${result?.status ?? "unknown"}`);
  };
  const failingBy = async (fqn: string, type: NodeType): Promise<string[]> => {
    const { id: root } = await bench.findNode(fqn, type);
    const query = { root, change: "column_drop", newType: null, maxAffected: 10, maxChecks: 50 } as const;
    const impact = present(await bench.graph.assessImpact(bench.workspace.id, query));
    return present(impact.checks).failing.map(({ check }) => check.name);
  };
  return { ...bench, write, checksOn, failingBy };
}

describe("the checks of a dbt project", () => {
  it("The checks of a dbt project are on their assets and columns, with their last results", async () => {
    const { findNode, checksOn } = await openShop();
    expect(await checksOn(await findNode("wh.raw.orders", "table"))).toEqual([
      "freshness of erp.orders (freshness) warn",
    ]);
    expect(await checksOn(await findNode("wh.mart.stg", "model"))).toEqual([
      "all_rows (singular) unknown",
      "sums (unit) unknown",
      "unique_stg_id (generic) fail",
    ]);
    expect(await checksOn(await findNode("wh.mart.stg.id", "column"))).toEqual(["unique_stg_id (generic) fail"]);
    expect(await checksOn(await findNode("wh.mart.stg.amount", "column"))).toEqual(["sums (unit) unknown"]);
    expect(await checksOn(await findNode("wh.mart.fct.total", "column"))).toEqual([
      "contract of fct (contract) pass",
      "no_negative_totals (singular) unknown",
      "sums (unit) unknown",
    ]);
  });

  it("The checks of a dbt project fail with the column that they need, and with what is made from it", async () => {
    const { failingBy } = await openShop();
    expect((await failingBy("wh.mart.stg.amount", "column")).toSorted()).toEqual([
      "contract of fct",
      "no_negative_totals",
      "sums",
    ]);
    expect(await failingBy("wh.mart.stg.id", "column")).toEqual(["unique_stg_id"]);
    expect(await failingBy("wh.raw.orders.loaded_at", "column")).toEqual(["freshness of erp.orders"]);
  });

  it("The checks of a dbt project keep their results if another run overwrites the file, and go with the project", async () => {
    const { write, crawl, findNode, checksOn } = await openShop();
    await write("run_results", runResults([{ unique_id: "model.shop.stg", status: "success" }], "run"));
    await crawl();
    expect(await checksOn(await findNode("wh.mart.stg.id", "column"))).toEqual(["unique_stg_id (generic) fail"]);
    const nodes = Object.entries(MANIFEST["nodes"] as object).filter(([id]) => !id.startsWith("test."));
    await write("manifest", { ...MANIFEST, nodes: Object.fromEntries(nodes) });
    await crawl();
    expect(await checksOn(await findNode("wh.mart.stg", "model"))).toEqual(["sums (unit) unknown"]);
  });
});
