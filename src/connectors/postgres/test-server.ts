/** Tests a connector's options: connects to each database and reads a little of its catalog. */
import type { SourceFinding } from "../connector.ts";
import type { Network } from "./checked-socket.ts";
import { SourceFailure } from "./driver-faults.ts";
import { databasesOf, type PostgresOptions } from "./options.ts";
import { stateDatabase } from "./read-database.ts";
import { findUnused } from "./schema-patterns.ts";
import { openSession } from "./session.ts";
import { surveyDatabase } from "./survey.ts";

/** Somebody waits for the result. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** How many relations are read of each database. */
const RELATIONS = 20;

/** @returns what is wrong with each database, and with the schemas that the options name */
export async function testServer(
  options: PostgresOptions,
  signal: AbortSignal,
  network: Network,
): Promise<SourceFinding[]> {
  const findings: SourceFinding[] = [];
  const schemas = new Set<string>();
  let failures = 0;
  for (const database of databasesOf(options)) {
    const quick = { ...network, statementTimeoutMs: Math.min(STATEMENT_TIMEOUT_MS, network.statementTimeoutMs) };
    try {
      const tested = await testDatabase(options, database, { network: quick, signal });
      for (const schema of tested.schemas) schemas.add(schema);
      findings.push(...tested.findings);
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      failures += 1;
      findings.push(toFinding(error, options));
    }
  }
  if (failures > 0) return findings;
  for (const pattern of findUnused(options, [...schemas])) {
    findings.push({ option: "schemas", message: `no schema fits ${pattern}`, severity: "error" });
  }
  return findings;
}

async function testDatabase(
  options: PostgresOptions,
  database: string,
  using: { network: Network; signal: AbortSignal },
): Promise<{ findings: SourceFinding[]; schemas: readonly string[] }> {
  const findings: SourceFinding[] = [];
  const session = await openSession(options, database, using);
  try {
    const survey = await surveyDatabase(session, options);
    if (survey.relations.length === 0) {
      const message = `the database ${database} has no table or view in the schemas that are read`;
      findings.push({ option: "schemas", message, severity: "warning" });
    }
    const some = { ...survey, relations: survey.relations.slice(0, RELATIONS) };
    for await (const _ of stateDatabase({ session, options, survey: some, onStated: () => {} }));
    return { findings, schemas: survey.schemas };
  } finally {
    await session.close();
  }
}

function toFinding({ error, option }: SourceFailure, options: PostgresOptions): SourceFinding {
  const isByUrl = option === "databases" && options.databases === undefined;
  return { option: isByUrl ? "url" : option, message: `${error.message} (${error.location ?? ""})`, severity: "error" };
}
