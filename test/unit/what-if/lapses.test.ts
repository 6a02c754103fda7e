/** The lapses that the check of a pull request predicts, and those of the sync after the merge. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { openCertifiedProject } from "../../support/certified-project.ts";
import { makeTemporaryFolder } from "../../support/metadata-store.ts";

const STAGED = "select amount, note from shop.raw.orders where status <> 'void'";

interface Project {
  /** Of the source `orders`, with their types. */
  columns?: Record<string, string>;
  staged?: string;
  /** The source that `staged` reads, beside or instead of `orders`. */
  source?: string;
}

function manifestOf({ columns = {}, staged = STAGED, source = "orders" }: Project = {}): string {
  const types = { amount: "int", note: "text", status: "text", ...columns };
  const place = { package_name: "shop", database: "shop", description: "" };
  const typed = Object.entries(types).map(([name, type]) => [name, { name, data_type: type }]);
  const sources = [...new Set(["orders", source])].map((name) => {
    const id = `source.shop.raw.${name}`;
    const of = { unique_id: id, resource_type: "source", schema: "raw", source_name: "raw", name, identifier: name };
    return [id, { ...place, ...of, columns: Object.fromEntries(typed) }];
  });
  const model = {
    ...place,
    unique_id: "model.shop.staged",
    resource_type: "model",
    schema: "marts",
    name: "staged",
    alias: "staged",
    columns: {},
    config: { materialized: "table" },
    depends_on: { nodes: [`source.shop.raw.${source}`] },
    compiled_code: staged,
  };
  const measured = {
    unique_id: "semantic_model.shop.sales",
    name: "sales",
    node_relation: { database: "shop", schema_name: "marts", alias: "staged" },
    measures: [
      { name: "sum", agg: "sum", expr: "amount" },
      { name: "count", agg: "sum", expr: "1" },
    ],
    depends_on: { nodes: ["model.shop.staged"] },
  };
  const metrics = ["sum", "count"].map((name) => {
    const id = `metric.shop.${name}`;
    const params = { measure: { name }, input_measures: [{ name }], metrics: [] };
    const of = { unique_id: id, resource_type: "metric", package_name: "shop", name, label: name };
    return [id, { ...of, type: "simple", type_params: params, depends_on: { nodes: ["semantic_model.shop.sales"] } }];
  });
  return JSON.stringify({
    metadata: {
      dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v12.json",
      adapter_type: "snowflake",
    },
    nodes: { "model.shop.staged": model },
    sources: Object.fromEntries(sources),
    semantic_models: { "semantic_model.shop.sales": measured },
    metrics: Object.fromEntries(metrics),
  });
}

async function openProject() {
  const folder = await makeTemporaryFolder();
  writeFileSync(join(folder, "manifest.json"), manifestOf());
  const project = await openCertifiedProject(folder);
  await project.certifyAll();
  return project;
}

const STATUS = "Column `status` of `orders` is now of type integer instead of text.";
const AMOUNT = "Column `amount` of `orders` is now of type double instead of int.";

const MORE = {
  sum: "Model `staged` changed its SQL; the rows of `staged` now depend on `FILTER extra > 0` instead of nothing.",
  count: "Model `staged` changed its SQL.",
};
const NET = "Model `staged` changed its SQL; column `amount` of `staged` is now `net` instead of `amount`.";
const READS = "Model `staged` now reads `landed` instead of `orders`";
const NEW_AMOUNT = "column `amount` of `staged` now comes from `landed.amount` instead of `orders.amount`";
const FEEDS = "table `orders` no longer feeds it; table `landed` now feeds it.";
const LANDED = { sum: `${READS}; ${NEW_AMOUNT}; ${FEEDS}`, count: `${READS}; ${FEEDS}` };

test.each<[what: string, change: Project, lapses: Record<string, string>]>([
  ["no change", {}, {}],
  ["another name of the type of a filtered column", { columns: { status: "varchar" } }, {}],
  ["another name that the type has on this platform", { columns: { amount: "bigint" } }, {}],
  ["another type of a column that no metric uses", { columns: { note: "integer" } }, {}],
  ["another type of a filtered column", { columns: { status: "integer" } }, { sum: STATUS, count: STATUS }],
  ["another type of a summed column", { columns: { amount: "double" } }, { sum: AMOUNT }],
  ["a filter by a column that is not documented", { staged: `${STAGED} and extra > 0` }, MORE],
  ["a column that is not documented", { staged: STAGED.replace("amount", "net as amount") }, { sum: NET }],
  ["a model that reads a new source", { source: "landed", staged: STAGED.replace("orders", "landed") }, LANDED],
])("The check and the sync lapse the same certifications for %s", async (_what, change, lapses) => {
  const project = await openProject();
  const manifest = manifestOf(change);
  expect(await project.check(manifest)).toEqual(lapses);
  expect(await project.merge(manifest)).toEqual(lapses);
});
