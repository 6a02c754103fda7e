/** Which schemas of a database are read. */
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
  const fits = (pattern: string): boolean => fitsPattern(name, pattern);
  if (isInternalSchema(name) || out.some(fits)) return false;
  return schemas.length === 0 || schemas.some(fits);
}

/** The entries of the option `schemas` that fit none of the names. */
export function findUnused({ schemas = [] }: Patterns, names: readonly string[]): string[] {
  return schemas.filter((pattern) => !names.some((name) => isWantedSchema(name, { schemas: [pattern] })));
}

/**
 * Whether a name fits a pattern, in which `*` stands for any characters and `?` for one. Takes time in proportion to
 * both lengths, whatever the pattern is.
 */
export function fitsPattern(name: string, pattern: string): boolean {
  const [text, wanted] = [[...name], [...pattern]];
  let [at, index] = [0, 0];
  /** Where to try on after a mismatch: the last star, and the character up to which it reaches. */
  let star = -1;
  let reach = 0;
  while (at < text.length) {
    const next = wanted[index];
    if (next === "*") {
      star = index++;
      reach = at;
    } else if (next === "?" || (next !== undefined && next === text[at])) {
      at++;
      index++;
    } else if (star !== -1) {
      index = star + 1;
      at = ++reach;
    } else return false;
  }
  return wanted.slice(index).every((rest) => rest === "*");
}
