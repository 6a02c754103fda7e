/** Which servers can be read. Several products speak PostgreSQL's protocol and have other catalogs. */

/** The oldest and the newest major version that the connector is written for. */
const OLDEST = 13;
const NEWEST = 18;

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

export interface ServerFault {
  /** The rest of a sentence that begins with the database's name. */
  why: string;
  severity: "warning" | "error";
}

/**
 * @param version what `version()` answers
 * @returns null if the server is PostgreSQL of a known version, or a product that keeps PostgreSQL's catalog
 */
export function findServerFault(version: string): ServerFault | null {
  const [, other] = OTHERS.find(([words]) => words.test(version)) ?? [];
  if (other !== undefined) {
    return {
      severity: "error",
      why: `is of ${other}, not of PostgreSQL: its catalog is another one, which is not read`,
    };
  }
  const [, number] = /^PostgreSQL (\d+)/.exec(version) ?? [];
  if (number === undefined) return { severity: "error", why: "is not of PostgreSQL, as far as its version() says" };
  if (Number(number) >= OLDEST) return null;
  const why = `is of PostgreSQL ${number}, which is older than those that the connector knows (${OLDEST} to ${NEWEST}): it may be read in part`;
  return { severity: "warning", why };
}
