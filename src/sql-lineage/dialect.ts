/** How each warehouse reads SQL, by the name of its dbt adapter. */
import { Dialect } from "@polyglot-sql/sdk";

/** What becomes of a name without quotes; `ignore` means that quoted names are compared without case too. */
type Folding = "upper" | "lower" | "keep" | "ignore";

export interface SqlDialect {
  parser: Dialect;
  folding: Folding;
  /** A name in a select list means an alias before it means a column. */
  aliasesFirst?: true;
  /** FROM may name an array of a source to the left by its path. */
  arraysInFrom?: true;
  /** A call without an alias bears the name of its function, in a select list and in FROM. */
  namedByCall?: true;
  /** Stored tables whose names differ in case alone are different tables, whatever holds for columns. */
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

/** Finds how an adapter's SQL is read; null for one that is not known, which is then read by `GENERIC`. */
export function findDialect(adapter: string): SqlDialect | null {
  const name = adapter.toLowerCase();
  return READ_BY[OTHER_NAMES[name] ?? name] ?? null;
}

export { GENERIC };
