/** Which schemas of a database are read. */
import { fitsPattern } from "../option-values.ts";
import type { PostgresOptions } from "./options.ts";

type Patterns = Pick<PostgresOptions, "schemas" | "exclude_schemas">;

/**
 * PostgreSQL's own schemas, those of temporary tables among them: names that begin with `pg_` are reserved for it.
 * TimescaleDB keeps the pieces of its tables in schemas of its own.
 */
const ALWAYS_OUT = ["pg_*", "information_schema", "_timescaledb_*"];

/** Whether a schema is never read. */
export function isInternalSchema(name: string): boolean {
  return ALWAYS_OUT.some((pattern) => fitsPattern(name, pattern));
}

/** @param name as PostgreSQL stores it */
export function isWantedSchema(name: string, { schemas = [], exclude_schemas: out = [] }: Patterns): boolean {
  const fits = (pattern: string): boolean => fitsPattern(name, pattern, "?");
  if (isInternalSchema(name) || out.some(fits)) return false;
  return schemas.length === 0 || schemas.some(fits);
}

/** The entries of the option `schemas` that fit none of the names. */
export function findUnused({ schemas = [] }: Patterns, names: readonly string[]): string[] {
  return schemas.filter((pattern) => !names.some((name) => isWantedSchema(name, { schemas: [pattern] })));
}
