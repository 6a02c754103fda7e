/** The sample's manifest as a pull request would change it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { present } from "./present.ts";

export const SHOP = join(import.meta.dirname, "../../samples/shop");

interface ShopColumn {
  name: string;
  data_type: string;
}

interface ShopNode {
  database: string;
  schema: string;
  alias: string;
  raw_code: string;
  compiled_code: string | null;
  columns: Record<string, ShopColumn>;
  depends_on: { nodes: string[] };
}

export interface ShopManifest {
  metadata: { dbt_schema_version: string };
  nodes: Record<string, ShopNode>;
  sources: Record<string, Pick<ShopNode, "columns">>;
  exposures: Record<string, unknown>;
  metrics: Record<string, { type_params: { expr: string } }>;
  semantic_models: Record<string, unknown>;
}

/** The value under a key, which the sample must have. */
export function at<T>(of: Record<string, T>, key: string): T {
  const found = of[key];
  if (found === undefined) throw new Error(`the sample has no ${key}`);
  return found;
}

export function model({ nodes }: ShopManifest, name: string): ShopNode {
  return at(nodes, `model.shop.${name}`);
}

/** Replaces text in a model's compiled SQL, which must contain it. */
export function rewrite(node: ShopNode, ...replacements: readonly [from: string, to: string][]): void {
  for (const [from, to] of replacements) {
    if (node.compiled_code?.includes(from) !== true) throw new Error(`the SQL of ${node.alias} does not hold ${from}`);
    node.compiled_code = node.compiled_code.replaceAll(from, to);
  }
}

/** Edits a model, and leaves it uncompiled, as a command of dbt does that selects others. */
export function editUncompiled(node: ShopNode): void {
  node.raw_code += " -- edited";
  node.compiled_code = null;
}

export function editShop(edit: (manifest: ShopManifest) => void = () => {}): string {
  const manifest: ShopManifest = JSON.parse(readFileSync(join(SHOP, "manifest.json"), "utf8"));
  edit(manifest);
  return JSON.stringify(manifest);
}

const FAILED = { message: "Got 3 results, configured to fail if != 0", failures: 3 };

/**
 * The sample's results of tests, of which some end otherwise.
 * @returns the path of the new file
 */
export function writeResults(folder: string, statuses: Record<string, "pass" | "fail"> = {}): string {
  const path = join(folder, "run_results.json");
  const { results, ...rest } = JSON.parse(readFileSync(join(SHOP, "run_results.json"), "utf8")) as {
    results: { unique_id: string; status: string; message: string | null; failures: number | null }[];
  };
  for (const result of results) {
    const status = statuses[result.unique_id];
    if (status === "fail") Object.assign(result, { status, ...FAILED });
    if (status === "pass") Object.assign(result, { status, message: null, failures: 0 });
  }
  writeFileSync(path, JSON.stringify({ ...rest, results }));
  return path;
}

/** @returns the path of the new manifest */
export function writeShop(folder: string, name: string, edit?: (manifest: ShopManifest) => void): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, editShop(edit));
  return path;
}

const AMOUNT = "cast(amount / 100.0 as numeric(12, 2)) as amount";

/** Drops the amount of a refund from a model that all refund figures are made from. Its documentation stays. */
export function dropAmount(manifest: ShopManifest): void {
  rewrite(model(manifest, "stg_stripe__refunds"), [`    ${AMOUNT},\n`, ""]);
}

export function renameAmount(manifest: ShopManifest): void {
  rewrite(model(manifest, "stg_stripe__refunds"), [AMOUNT, AMOUNT.replace("as amount", "as refund_amount")]);
}

/** Builds a model in another schema, and changes the SQL of its readers. */
export function moveModel(manifest: ShopManifest, name: string, schema: string): void {
  const moved = model(manifest, name);
  const relationIn = (of: string): string => `"${moved.database}"."${of}"."${moved.alias}"`;
  for (const node of Object.values(manifest.nodes)) {
    node.compiled_code = node.compiled_code?.replaceAll(relationIn(moved.schema), relationIn(schema)) ?? null;
  }
  moved.schema = schema;
}

/** Adds a model that reads refunds and is read by orders, adds a column to another one, and removes contacts. */
export function editInFourWays(manifest: ShopManifest): void {
  const refunds = model(manifest, "stg_stripe__refunds");
  const sql = `select refund_id from ${refunds.database}.${refunds.schema}.${refunds.alias}`;
  const own = { name: "refund_ids", unique_id: "model.shop.refund_ids", alias: "refund_ids", compiled_code: sql };
  const needs = { depends_on: { nodes: ["model.shop.stg_stripe__refunds"] } };
  const relation = { relation_name: `"shop"."${refunds.schema}"."refund_ids"`, columns: {} };
  manifest.nodes["model.shop.refund_ids"] = Object.assign(structuredClone(refunds), own, needs, relation);
  const orders = model(manifest, "fct_orders");
  rewrite(orders, [
    "where not orders.is_cancelled",
    `where orders.order_id not in (select refund_id from ${refunds.database}.${refunds.schema}.refund_ids)`,
  ]);
  orders.depends_on.nodes.push("model.shop.refund_ids");
  const value = model(manifest, "customer_value");
  value.compiled_code = `select *, 1 as is_new from (${value.compiled_code}) as all_of_them`;
  delete manifest.nodes["model.shop.crm_contacts"];
}

interface ShopCatalog {
  nodes: Record<string, { columns: Record<string, { type: string }> }>;
}

/** The shop's catalog.json with another type of one column. */
export function retypeColumn(name: string, column: string, type: string): string {
  const catalog: ShopCatalog = JSON.parse(readFileSync(join(SHOP, "catalog.json"), "utf8"));
  present(catalog.nodes[`model.shop.${name}`]?.columns[column]).type = type;
  return JSON.stringify(catalog);
}
