/** The PostgreSQL connector: what the catalog of one or more databases of a server says. */
import type { ConnectorType, SourceFinding } from "../connector.ts";
import { DEFAULT_NETWORK, type Network } from "./checked-socket.ts";
import { crawlServer } from "./crawl.ts";
import { databasesOf, postgresOptions, type PostgresOptions } from "./options.ts";
import { SourceFailure } from "./driver-faults.ts";
import { stateDatabase } from "./read-database.ts";
import { findUnused } from "./schema-patterns.ts";
import { openSession } from "./session.ts";
import { surveyDatabase } from "./survey.ts";

/** About ten thousand tables can be read and stored in this time. Most databases have fewer. */
const SECONDS_PER_DATABASE = 30;

/** @param limits from which addresses databases may be read, and how long they may take to answer */
export function createPostgresConnector(limits: Partial<Network> = {}) {
  const network = { ...DEFAULT_NETWORK, ...limits };
  return {
    type: "postgres",
    description: "Databases of a PostgreSQL server: tables, views, their columns, keys and owners from its catalog.",
    precedence: 100,
    lineagePrecedence: 100,
    options: postgresOptions,
    secretOptions: ["password"],
    pathOptions: ["ssl_root_cert"],
    pull: {
      estimateSeconds: async (options) => SECONDS_PER_DATABASE * databasesOf(options).length,
      test: (options, signal) => testServer(options, signal, network),
      crawl: (options, context) => crawlServer(options, context, network),
    },
  } satisfies ConnectorType<PostgresOptions>;
}

/** Somebody waits for the result. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** How many relations are read of each database. */
const RELATIONS = 20;

/** @returns what is wrong with each database, and with the schemas that the options name */
async function testServer(options: PostgresOptions, signal: AbortSignal, network: Network): Promise<SourceFinding[]> {
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
