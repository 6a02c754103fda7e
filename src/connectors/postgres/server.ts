/** Which servers can be read. Several products speak PostgreSQL's protocol and have other catalogs. */

/** The first major version with `pg_partition_root`. */
const OLDEST = 12;

/** Words in the answer of `version()`, and the product that they stand for. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/\bredshift\b/i, "Amazon Redshift"],
  [/\bcockroachdb\b/i, "CockroachDB"],
  [/\bgreenplum\b|\bcloudberry\b/i, "Greenplum"],
  [/-YB-|\byugabyte/i, "YugabyteDB"],
  [/\bmaterialize\b/i, "Materialize"],
  [/\brisingwave\b/i, "RisingWave"],
  [/\bcratedb\b/i, "CrateDB"],
  [/\bquestdb\b/i, "QuestDB"],
  [/\bopengauss\b|\bgaussdb\b/i, "openGauss"],
];

/**
 * Why the server cannot be read, as the rest of a sentence that begins with the database's name; null if it is
 * PostgreSQL, or a product that keeps PostgreSQL's catalog.
 * @param version what `version()` answers
 */
export function findServerFault(version: string): string | null {
  const [, other] = OTHERS.find(([words]) => words.test(version)) ?? [];
  if (other !== undefined) return `is of ${other}, not of PostgreSQL: its catalog is another one, which is not read`;
  const [, number] = /^PostgreSQL (\d+)/.exec(version) ?? [];
  if (number === undefined) return "is not of PostgreSQL, as far as its version() says";
  return Number(number) >= OLDEST ? null : `is of PostgreSQL ${number}, and only ${OLDEST} and later are read`;
}
