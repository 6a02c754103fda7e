/** A dbt project as its own artifacts state it. The judge reads it without the product. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export interface Column {
  name: string;
  /** The type as the platform writes it; "" if unknown. */
  type: string;
}

export interface Relation {
  uniqueId: string;
  /** Database, schema and name, as in SQL. A platform without databases leaves out the first. */
  parts: string[];
  /** As the artifacts state it. */
  fqn: string;
  /** The columns of the catalog, else the documented ones. */
  columns: Column[];
  /** Whether the catalog lists it, so that its columns are all of them. */
  complete: boolean;
  /** Whether the artifacts state it; otherwise only SQL names it. */
  stated: boolean;
  /** An ephemeral model is inlined in the SQL of its users. */
  ephemeral: boolean;
  /** The compiled SQL of a model or snapshot; "" for a source or seed. */
  sql: string;
  dependsOn: string[];
}

export interface Project {
  name: string;
  /** The SDK's name of the dialect. */
  dialect: string;
  /** By their unique ids. */
  relations: Map<string, Relation>;
}

interface Entry {
  unique_id: string;
  resource_type: string;
  database: string | null;
  schema: string;
  name: string;
  alias?: string;
  identifier?: string;
  compiled_code?: string | null;
  compiled_sql?: string | null;
  config?: { materialized?: string };
  depends_on?: { nodes?: string[] };
  columns?: Record<string, { name: string; data_type?: string | null }>;
}

interface Manifest {
  metadata: { adapter_type: string };
  nodes: Record<string, Entry>;
  sources: Record<string, Entry>;
}

type CatalogEntry = { columns: Record<string, { name: string; type: string; index: number }> };
type Catalog = Record<"nodes" | "sources", Record<string, CatalogEntry>>;

const RELATIONS = new Set(["model", "snapshot", "seed", "source"]);
const DIALECTS: Readonly<Record<string, string>> = { postgres: "postgresql", sqlserver: "tsql" };

/** Names the relation or column regardless of case. */
export const fold = (name: string): string => name.toLowerCase();

function columnsOf(entry: Entry, listed: CatalogEntry | undefined): Column[] {
  if (listed !== undefined) {
    const names = new Set(Object.values(listed.columns).map(({ name }) => fold(name)));
    // The judge does not treat a field of a column as a column.
    const isField = (name: string): boolean => name.includes(".") && names.has(fold(name.split(".")[0] ?? ""));
    return Object.values(listed.columns)
      .filter(({ name }) => !isField(name))
      .toSorted((a, b) => a.index - b.index)
      .map(({ name, type }) => ({ name, type }));
  }
  return Object.values(entry.columns ?? {}).map(({ name, data_type }) => ({ name, type: data_type ?? "" }));
}

function toRelation(entry: Entry, catalog: Catalog, twoParts: boolean): Relation {
  const { unique_id: uniqueId, database, schema, name, alias, identifier, config } = entry;
  const listed = catalog.nodes[uniqueId] ?? catalog.sources[uniqueId];
  const stated = [database ?? "", schema, identifier ?? alias ?? name].filter((part) => part !== "");
  return {
    uniqueId,
    // ClickHouse's schemas are its databases: the manifest of a source names them twice.
    parts: stated.length === 3 && twoParts ? stated.slice(1) : stated,
    fqn: stated.join("."),
    columns: columnsOf(entry, listed),
    complete: listed !== undefined,
    stated: true,
    ephemeral: config?.materialized === "ephemeral",
    sql: entry.compiled_code ?? entry.compiled_sql ?? "",
    dependsOn: entry.depends_on?.nodes ?? [],
  };
}

/** @param folder holds manifest.json, and catalog.json if there is one */
export function readProject(folder: string): Project {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const manifest = read("manifest.json") as Manifest;
  const catalog = existsSync(join(folder, "catalog.json"))
    ? (read("catalog.json") as Catalog)
    : { nodes: {}, sources: {} };
  const adapter = manifest.metadata.adapter_type;
  const entries = [...Object.values(manifest.nodes), ...Object.values(manifest.sources)]
    .filter(({ resource_type }) => RELATIONS.has(resource_type))
    .map((entry) => toRelation(entry, catalog, adapter === "clickhouse"));
  return {
    name: basename(folder),
    dialect: DIALECTS[adapter] ?? adapter,
    relations: new Map(entries.map((relation) => [relation.uniqueId, relation])),
  };
}
