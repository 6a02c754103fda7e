/** Finds what Metabase's databases are called in the catalog, so that dashboards meet the tables of other connectors. */
import type { NodeRef } from "../../catalog/identity.ts";
import type { DatabaseOption } from "./options.ts";
import type { Database, Table } from "./shapes.ts";

/** Where the tables of a database are. */
export interface DatabaseRef {
  /** The warehouse's adapter, as dbt names it. */
  platform: string;
  instance: string;
  /** "" for a warehouse without databases. */
  database: string;
  /** The schema of tables that are named without one; "" if it is not known. */
  schema: string;
}

interface Engine {
  platform: string;
  /** The members of `details` that may hold the database's name, the best first. [] if names have no database. */
  database: readonly string[];
  /** The members of `details` that may hold the schema. */
  schema: readonly string[];
  /** The schema if none of them has it. */
  usualSchema?: string;
}

/** By Metabase's names of its drivers. */
const ENGINES: Readonly<Record<string, Engine>> = {
  athena: { platform: "athena", database: ["catalog"], schema: ["dbname"], usualSchema: "default" },
  "bigquery-cloud-sdk": { platform: "bigquery", database: ["project-id", "project-id-from-credentials"], schema: [] },
  clickhouse: { platform: "clickhouse", database: [], schema: ["dbname"], usualSchema: "default" },
  databricks: { platform: "databricks", database: ["catalog"], schema: ["schema"], usualSchema: "default" },
  duckdb: { platform: "duckdb", database: ["database_file"], schema: [], usualSchema: "main" },
  h2: { platform: "h2", database: ["db"], schema: [], usualSchema: "PUBLIC" },
  mysql: { platform: "mysql", database: [], schema: ["dbname"] },
  oracle: { platform: "oracle", database: ["service-name", "sid"], schema: ["user"] },
  postgres: { platform: "postgres", database: ["dbname"], schema: [], usualSchema: "public" },
  "presto-jdbc": { platform: "presto", database: ["catalog"], schema: ["schema"] },
  redshift: { platform: "redshift", database: ["db"], schema: [], usualSchema: "public" },
  snowflake: { platform: "snowflake", database: ["db", "dbname"], schema: ["schema"], usualSchema: "PUBLIC" },
  sparksql: { platform: "spark", database: [], schema: ["dbname"], usualSchema: "default" },
  sqlite: { platform: "sqlite", database: ["db"], schema: [], usualSchema: "main" },
  sqlserver: { platform: "sqlserver", database: ["db"], schema: [], usualSchema: "dbo" },
  starburst: { platform: "trino", database: ["catalog"], schema: ["schema"] },
  vertica: { platform: "vertica", database: ["db", "dbname"], schema: [], usualSchema: "public" },
};

/** The usual catalog of Athena, which Metabase may leave out. */
const USUAL_DATABASES: Readonly<Record<string, string>> = { athena: "awsdatacatalog" };

export type MappedDatabase =
  | DatabaseRef
  | { /** Why its tables are not known, as the end of a sentence. */ unknown: string };

/** @param options what people said about databases; it comes before what Metabase says */
export function mapDatabase(
  { id, name, engine, details }: Database,
  options: readonly DatabaseOption[],
): MappedDatabase {
  const said = options.find(({ key }) => key === String(id)) ?? options.find(({ key }) => key === name);
  const known = ENGINES[engine];
  if (known === undefined && said === undefined) return { unknown: `no SQL is read of databases of type ${engine}` };
  const find = (keys: readonly string[]): string => {
    const value = keys.map((key) => details?.[key]).find((found) => typeof found === "string" && found !== "");
    return typeof value === "string" ? value : "";
  };
  const foundDatabase = toName(find(known?.database ?? []), engine) || (USUAL_DATABASES[engine] ?? "");
  const databaseRef = {
    platform: said?.platform ?? known?.platform ?? engine,
    instance: said?.instance ?? "",
    database: said?.database ?? foundDatabase,
    schema: said?.schema ?? (find(known?.schema ?? []) || (known?.usualSchema ?? "")),
  };
  const needsSchema = known?.database.length === 0 && databaseRef.schema === "";
  const isNamed = said?.database != null || databaseRef.database !== "" || known?.database.length === 0;
  if (isNamed && !needsSchema) return databaseRef;
  return {
    unknown: `Metabase does not say the name of its database ${JSON.stringify(name)}: give it in the option databases, as ${id}:${databaseRef.platform}/NAME`,
  };
}

/** The databases of some engines are files. Their names are those of the files, without the ending. */
function toName(text: string, engine: string): string {
  if (!["duckdb", "h2", "sqlite"].includes(engine)) return text;
  const [path = ""] = text.replace(/^(file|zip|jdbc:h2):/, "").split(/[;?]/);
  const file = path.split(/[\\/]/).at(-1) ?? "";
  return file === ":memory:" ? "memory" : file.replace(/(\.(mv\.db|db|duckdb|ddb|sqlite3?))+$/, "");
}

export function toTableRef({ schema, name }: Pick<Table, "schema" | "name">, databaseRef: DatabaseRef): NodeRef {
  const parts = [databaseRef.database, schema || databaseRef.schema, name].filter((part) => part !== "");
  return { platform: databaseRef.platform, instance: databaseRef.instance, type: "table", parts };
}
