/** How each warehouse reads SQL, by the name of its dbt adapter. */
import { Dialect } from "@polyglot-sql/sdk";

/**
 * The case in which a name without quotes is stored. `ignore`: all names are compared without case, quoted ones too.
 */
type Folding = "upper" | "lower" | "keep" | "ignore";

export interface SqlDialect {
  parser: Dialect;
  folding: Folding;
  /** If an alias and a column have the same name, the name means the alias. */
  aliasesFirst?: true;
  /** FROM may contain an array of a source to its left, as in `from orders o, o.items`. */
  arraysInFrom?: true;
  /** A call without an alias is named after its function, in a select list and in FROM. */
  namedByCall?: true;
  /** The names of stored tables are case-sensitive, even if those of columns are not. */
  relationCase?: true;
}

const READ_BY: Readonly<Record<string, SqlDialect>> = {
  athena: { parser: Dialect.Athena, folding: "ignore" },
  bigquery: { parser: Dialect.BigQuery, folding: "ignore", relationCase: true, arraysInFrom: true },
  clickhouse: { parser: Dialect.ClickHouse, folding: "keep", aliasesFirst: true },
  databricks: { parser: Dialect.Databricks, folding: "ignore" },
  doris: { parser: Dialect.Doris, folding: "ignore", relationCase: true },
  dremio: { parser: Dialect.Dremio, folding: "ignore" },
  duckdb: { parser: Dialect.DuckDB, folding: "ignore" },
  exasol: { parser: Dialect.Exasol, folding: "upper" },
  fabric: { parser: Dialect.Fabric, folding: "ignore" },
  hive: { parser: Dialect.Hive, folding: "ignore" },
  materialize: { parser: Dialect.Materialize, folding: "lower", namedByCall: true },
  mysql: { parser: Dialect.MySQL, folding: "ignore", relationCase: true },
  oracle: { parser: Dialect.Oracle, folding: "upper" },
  postgres: { parser: Dialect.PostgreSQL, folding: "lower", namedByCall: true },
  presto: { parser: Dialect.Presto, folding: "ignore" },
  redshift: { parser: Dialect.Redshift, folding: "ignore", arraysInFrom: true, namedByCall: true },
  risingwave: { parser: Dialect.RisingWave, folding: "lower", namedByCall: true },
  singlestore: { parser: Dialect.SingleStore, folding: "ignore", relationCase: true },
  snowflake: { parser: Dialect.Snowflake, folding: "upper" },
  spark: { parser: Dialect.Spark, folding: "ignore" },
  sqlite: { parser: Dialect.SQLite, folding: "ignore" },
  starrocks: { parser: Dialect.StarRocks, folding: "ignore", relationCase: true },
  teradata: { parser: Dialect.Teradata, folding: "ignore" },
  trino: { parser: Dialect.Trino, folding: "ignore" },
  tsql: { parser: Dialect.TSQL, folding: "ignore" },
};

const OTHER_NAMES: Readonly<Record<string, string>> = {
  alloydb: "postgres",
  cockroachdb: "postgres",
  fabricspark: "spark",
  greenplum: "postgres",
  mariadb: "mysql",
  mssql: "tsql",
  postgresql: "postgres",
  sqlserver: "tsql",
  synapse: "tsql",
  tidb: "mysql",
  vertica: "postgres",
};

const GENERIC: SqlDialect = { parser: Dialect.Generic, folding: "ignore" };

/** Finds the dialect of a dbt adapter. Returns null if it is not known; callers then use `GENERIC`. */
export function findDialect(adapter: string): SqlDialect | null {
  const name = adapter.toLowerCase();
  return READ_BY[OTHER_NAMES[name] ?? name] ?? null;
}

export { GENERIC };
