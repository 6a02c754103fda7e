/** How platforms spell names: ids take names that differ only in case for one, and some platforms do not. */

/** These store a name that was written without quotes in upper case; the others keep it or write it in lower case. */
const UPPER_CASE_PLATFORMS = new Set(["snowflake", "oracle"]);

/** These take names for the same whatever their case, quoted or not. */
const CASE_BLIND_PLATFORMS = new Set([
  "athena",
  "databricks",
  "duckdb",
  "fabric",
  "mysql",
  "redshift",
  "spark",
  "sqlserver",
  "trino",
]);

export function foldsToUpperCase(platform: string): boolean {
  return UPPER_CASE_PLATFORMS.has(platform);
}

/** The name as the platform stores it where it was written without quotes. */
function unquotedSpelling(platform: string, name: string): string {
  return foldsToUpperCase(platform) ? name.toUpperCase() : name.toLowerCase();
}

const PART = /"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([^.]+)/g;

/** The parts of a name as it stands in SQL, such as `shop."Orders"`, as the platform stores them. */
export function storedParts(platform: string, name: string): string[] {
  return [...name.matchAll(PART)].map(([, double, backtick, bracket, plain = ""]) => {
    const quoted = double?.replaceAll('""', '"') ?? backtick ?? bracket;
    if (quoted !== undefined && !CASE_BLIND_PLATFORMS.has(platform)) return quoted;
    return unquotedSpelling(platform, quoted ?? plain.trim());
  });
}

/**
 * Of things whose names fold alike, the one that keeps the id: that in the platform's unquoted spelling, which SQL without
 * quotes means; else the first.
 * @param alike at least one
 */
export function keptOf<T>(platform: string, alike: readonly [T, ...T[]], partsOf: (one: T) => readonly string[]): T {
  const isUnquoted = (one: T): boolean => partsOf(one).every((part) => part === unquotedSpelling(platform, part));
  return alike.find(isUnquoted) ?? alike[0];
}
