/** Platforms by the scheme of a URI, so that all connectors that read URIs mean the same asset. */

/**
 * How the name of an asset on a platform is read. `relation`: the parts of a table's name. `path`: a path, below a bucket or
 * host. `topic`: one name.
 */
export type PlatformForm = "relation" | "path" | "topic";

/** The names of warehouses are those of dbt's adapters. */
export const PLATFORMS: ReadonlyMap<string, readonly [platform: string, form: PlatformForm]> = new Map([
  ["postgres", ["postgres", "relation"]],
  ["postgresql", ["postgres", "relation"]],
  ["redshift", ["redshift", "relation"]],
  ["snowflake", ["snowflake", "relation"]],
  ["bigquery", ["bigquery", "relation"]],
  ["mysql", ["mysql", "relation"]],
  ["mariadb", ["mariadb", "relation"]],
  ["mssql", ["sqlserver", "relation"]],
  ["sqlserver", ["sqlserver", "relation"]],
  ["oracle", ["oracle", "relation"]],
  ["trino", ["trino", "relation"]],
  ["presto", ["presto", "relation"]],
  ["hive", ["hive", "relation"]],
  ["spark", ["spark", "relation"]],
  ["databricks", ["databricks", "relation"]],
  ["unitycatalog", ["databricks", "relation"]],
  ["awsathena", ["athena", "relation"]],
  ["athena", ["athena", "relation"]],
  ["clickhouse", ["clickhouse", "relation"]],
  ["duckdb", ["duckdb", "relation"]],
  ["sqlite", ["sqlite", "relation"]],
  ["teradata", ["teradata", "relation"]],
  ["cassandra", ["cassandra", "relation"]],
  ["db2", ["db2", "relation"]],
  ["s3", ["s3", "path"]],
  ["s3a", ["s3", "path"]],
  ["s3n", ["s3", "path"]],
  ["gs", ["gs", "path"]],
  ["gcs", ["gs", "path"]],
  ["abfs", ["abfss", "path"]],
  ["abfss", ["abfss", "path"]],
  ["wasb", ["wasbs", "path"]],
  ["wasbs", ["wasbs", "path"]],
  ["hdfs", ["hdfs", "path"]],
  ["dbfs", ["dbfs", "path"]],
  ["file", ["file", "path"]],
  ["sftp", ["file", "path"]],
  ["kafka", ["kafka", "topic"]],
  ["pubsub", ["pubsub", "topic"]],
]);
