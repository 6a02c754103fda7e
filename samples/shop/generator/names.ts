/** The fixed facts of the sample's one run of dbt, and how dbt names things. */
export const PROJECT = "shop";
export const DATABASE = "shop";
export const ADAPTER = "postgres";
export const DBT_VERSION = "1.10.13";
export const GENERATED_AT = "2026-11-02T05:30:00.000000Z";
export const CREATED_AT = Date.parse(GENERATED_AT) / 1000;
export const INVOCATION_ID = "5d0c6a52-8f1e-4b7c-9d63-2a4f0e7b1c98";

/** Such as `model.shop.fct_orders`. */
export function uniqueId(kind: string, ...names: string[]): string {
  return [kind, PROJECT, ...names].join(".");
}

/** A relation as SQL names it, quoted as dbt quotes on Postgres. */
export function relationName(schema: string, name: string): string {
  return [DATABASE, schema, name].map((part) => `"${part}"`).join(".");
}

/** A resource's fqn: the project, the folders below the resource path, the names. */
export function fullName(path: string, ...names: string[]): string[] {
  return [PROJECT, ...path.split("/").slice(1, -1), ...names];
}

/** Where dbt says that it keeps a resource: the path without its first folder, and the whole of it. */
export function paths(path: string): { path: string; original_file_path: string } {
  return { path: path.split("/").slice(1).join("/"), original_file_path: path };
}

/** How a node names the property file that describes it. */
export function patchPath(path: string): string {
  return `${PROJECT}://${path}`;
}
