/** A small dbt project, written as its two artifacts. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { makeTemporaryFolder } from "./metadata-store.ts";

export interface SmallProject {
  /** dbt's name of the platform. */
  adapter: string;
  /** In schema `raw` of database `shop`. All of their columns are in the catalog, with these data types. */
  sources: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * In schema `marts` of database `shop`, by their compiled SQL. In the SQL, `{name}` is replaced by the relation of
   * that name and `{this}` by the model's own. None is in the catalog. One whose name begins with `ephemeral_` is
   * ephemeral.
   */
  models: Readonly<Record<string, string>>;
  /** How the platform quotes a name. By default names are not quoted. */
  quote?: (name: string) => string;
  /** Models whose parents dbt does not know, because their SQL names relations itself. */
  hardCoded?: readonly string[];
}

/** @returns the folder that contains manifest.json and catalog.json */
export async function writeDbtProject({
  adapter,
  sources,
  models,
  quote = (name) => name,
  hardCoded = [],
}: SmallProject): Promise<string> {
  const idOf = (name: string) => (name in sources ? `source.shop.raw.${name}` : `model.shop.${name}`);
  const relation = (name: string) => ["shop", name in sources ? "raw" : "marts", name].map(quote).join(".");

  const nodes = Object.entries(models).map(([name, sql]) => {
    const parents = [...sql.matchAll(/\{(\w+)\}/g)].map(([, parent = ""]) => parent).filter((each) => each !== "this");
    const node = {
      unique_id: idOf(name),
      resource_type: "model",
      package_name: "shop",
      database: "shop",
      schema: "marts",
      name,
      alias: name,
      description: "",
      columns: {},
      config: { materialized: name.startsWith("ephemeral_") ? "ephemeral" : "table" },
      depends_on: { nodes: hardCoded.includes(name) ? [] : [...new Set(parents)].map(idOf) },
      compiled_code: sql.replaceAll(/\{(\w+)\}/g, (_, other: string) => relation(other === "this" ? name : other)),
    };
    return [idOf(name), node] as const;
  });
  const stated = Object.keys(sources).map((name) => {
    const location = { package_name: "shop", database: "shop", schema: "raw", description: "" };
    const source = { resource_type: "source", source_name: "raw", name, identifier: name, columns: {} };
    return [idOf(name), { unique_id: idOf(name), ...location, ...source }] as const;
  });
  const listed = Object.entries(sources).map(([name, columns]) => {
    const entries = Object.entries(columns).map(([column, type], at) => [
      column,
      { name: column, type, index: at + 1 },
    ]);
    const metadata = { type: "BASE TABLE", database: "shop", schema: "raw", name };
    return [idOf(name), { metadata, columns: Object.fromEntries(entries), unique_id: idOf(name) }] as const;
  });

  const folder = await makeTemporaryFolder();
  const schema = "https://schemas.getdbt.com/dbt/manifest/v12.json";
  const manifest = {
    metadata: { dbt_schema_version: schema, adapter_type: adapter },
    nodes: Object.fromEntries(nodes),
    sources: Object.fromEntries(stated),
  };
  const catalog = {
    metadata: { dbt_schema_version: "https://schemas.getdbt.com/dbt/catalog/v1.json" },
    nodes: {},
    sources: Object.fromEntries(listed),
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "catalog.json"), JSON.stringify(catalog));
  return folder;
}
