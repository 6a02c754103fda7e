/** Crawls a server: one database after the other, each in a scope of its own. */
import { CrawlFailure, type CrawlContext, type CrawlEvent } from "../connector.ts";
import { errorEvent, warningEvent } from "../faults.ts";
import type { Network } from "./checked-socket.ts";
import { SourceFailure } from "./driver-faults.ts";
import { databasesOf, type PostgresOptions } from "./options.ts";
import { stateDatabase } from "./read-database.ts";
import { findUnused } from "./schema-patterns.ts";
import { openSession } from "./session.ts";
import { surveyDatabase } from "./survey.ts";

/** What a crawl learns while it reads. */
interface Progress {
  /** The index of the database that is read, and how many there are. */
  index: number;
  total: number;
  /** Names of the schemas of all databases that were read. */
  schemas: Set<string>;
}

/**
 * The catalog of a database is read in full each time, because nothing in it says exactly what has changed. If a
 * database cannot be read, its scope ends incomplete and the others are read.
 * @throws CrawlFailure if no database can be read
 */
export async function* crawlServer(
  options: PostgresOptions,
  { signal }: Pick<CrawlContext, "signal">,
  network: Network,
): AsyncGenerator<CrawlEvent> {
  const databases = databasesOf(options);
  const progress: Progress = { index: 0, total: databases.length, schemas: new Set() };
  let failures = 0;
  for (const database of databases) {
    let hasBegun = false;
    try {
      for await (const event of crawlDatabase(options, database, { signal, network, progress })) {
        hasBegun ||= event.kind === "begin";
        yield event;
      }
    } catch (error) {
      if (!(error instanceof SourceFailure) || databases.length === 1) throw error;
      failures += 1;
      if (!hasBegun) yield { kind: "begin", scope: database };
      yield errorEvent(error.error);
      yield { kind: "end", scope: database, complete: false };
    }
    progress.index += 1;
  }
  if (failures === databases.length) {
    const message = "None of the databases could be read.";
    throw new CrawlFailure({ code: "unreadable", message, stage: "connect", retryable: true });
  }
  if (failures === 0) yield* findUnused(options, [...progress.schemas]).map(missingSchema);
}

async function* crawlDatabase(
  options: PostgresOptions,
  database: string,
  { signal, network, progress }: { signal: AbortSignal; network: Network; progress: Progress },
): AsyncGenerator<CrawlEvent> {
  const { index, total } = progress;
  let done = 0;
  const report = (share: number, label: string): CrawlEvent => {
    return { kind: "progress", fraction: (index + share) / total, label };
  };
  yield report(0, `Connecting to ${database}`);
  const session = await openSession(options, database, { network, signal });
  let complete = true;
  try {
    const survey = await surveyDatabase(session, options);
    for (const schema of survey.schemas) progress.schemas.add(schema);
    yield { kind: "begin", scope: database };
    yield* survey.errors;
    let reported = 0;
    const reading = { session, options, survey, onStated: (count: number) => void (done += count) };
    for await (const event of stateDatabase(reading)) {
      complete &&= !losesSomething(event);
      yield event;
      if (done === reported) continue;
      reported = done;
      yield report(
        done / survey.relations.length,
        `Reading ${database}: ${done} of ${survey.relations.length} relations`,
      );
    }
  } finally {
    // Storing what was read may take long. The database need not keep its state for that.
    await session.close();
  }
  yield { kind: "end", scope: database, complete };
}

/**
 * Whether something could not be read that another crawl may read. What is left out because of its name is left out in
 * every crawl.
 */
function losesSomething(event: CrawlEvent): boolean {
  return event.kind === "error" && event.error.code === "unreadable_definition";
}

function missingSchema(pattern: string): CrawlEvent {
  const message = `No schema fits ${pattern}, which the option schemas names.`;
  return warningEvent({ code: "missing_schema", object: pattern, message, stage: "read" });
}
