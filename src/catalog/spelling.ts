/**
 * How platforms spell names. Ids ignore the case of names, but on some platforms names that differ only in case are
 * different.
 */

/**
 * Platforms that store a name written without quotes in upper case. The others keep it as it is or store it in lower
 * case.
 */
const UPPER_CASE_PLATFORMS = new Set(["snowflake", "oracle"]);

/** Platforms that ignore the case of names, even of quoted ones. */
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

/** The name as the platform stores it if it is written without quotes. */
function unquotedSpelling(platform: string, name: string): string {
  return foldsToUpperCase(platform) ? name.toUpperCase() : name.toLowerCase();
}

const PART = /"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([^.]+)/g;

/** The parts of a name in SQL, such as `shop."Orders"`, as the platform stores them. */
export function storedParts(platform: string, name: string): string[] {
  return [...name.matchAll(PART)].map(([, double, backtick, bracket, plain = ""]) => {
    const quoted = double?.replaceAll('""', '"') ?? backtick ?? bracket;
    if (quoted !== undefined && !CASE_BLIND_PLATFORMS.has(platform)) return quoted;
    return unquotedSpelling(platform, quoted ?? plain.trim());
  });
}

/**
 * Chooses which of several names that differ only in case keeps the id: the one that SQL without quotes means, else the
 * first.
 * @param alike at least one
 */
export function pickSpelling<T>(
  platform: string,
  alike: readonly [T, ...T[]],
  partsOf: (one: T) => readonly string[],
): T {
  const isUnquoted = (one: T): boolean => partsOf(one).every((part) => part === unquotedSpelling(platform, part));
  return alike.find(isUnquoted) ?? alike[0];
}
