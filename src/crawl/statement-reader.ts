/** Asks the reader of SQL, and never twice for the same text. */
import { MAX_LISTED, MAX_SQL_CHARACTERS } from "../catalog/limits.ts";
import type { LineageAnswerStore } from "../metadata/lineage-answers.ts";
import type { LineageAnswer, LineageRequest } from "../sql-lineage/request.ts";
import { statementKey } from "../sql-lineage/statement-key.ts";
import type { SqlLineage } from "../sql-lineage/thread.ts";

/** Of all relations that one statement may read: each is named to the reader of SQL, for each statement. */
const MAX_COLUMNS_READ = 100_000;

export interface StatementReader {
  /**
   * One answer a request, in their order.
   * @throws the signal's reason as soon as it aborts, whatever is still being read
   */
  read: (requests: readonly LineageRequest[], signal: AbortSignal) => Promise<LineageAnswer[]>;
}

/** Where answers are kept: the metadata store for crawls, memory for what-ifs. */
export type KeptAnswers = Pick<LineageAnswerStore, "find" | "save">;

export function createStatementReader(sqlLineage: Pick<SqlLineage, "resolve">, kept: KeptAnswers): StatementReader {
  return {
    async read(requests, signal) {
      signal.throwIfAborted();
      const byKey = new Map(requests.filter(isBearable).map((request) => [statementKey(request), request]));
      const answers = await kept.find([...byKey.keys()]);
      const unread = [...byKey].filter(([key]) => !answers.has(key));
      const read = await unlessAborted(
        signal,
        Promise.all(unread.map(async ([key, request]) => [key, await sqlLineage.resolve(request)] as const)),
      );
      // What was given up may be read at another time, on a machine with less to do.
      await kept.save(new Map(read.filter(([, answer]) => !("gaveUp" in answer))));
      for (const [key, answer] of read) answers.set(key, answer);
      return requests.map((request) => {
        const fault = findFault(request);
        if (fault !== null) return { unresolved: fault };
        return answers.get(statementKey(request)) ?? { unresolved: "it was not read" };
      });
    },
  };
}

/** Why a request is not even looked up; null for those that are. */
function findFault({ sql, relations }: LineageRequest): string | null {
  if (sql.length > MAX_SQL_CHARACTERS) return `the SQL has more than ${MAX_SQL_CHARACTERS} characters`;
  if (relations.length > MAX_LISTED) return `it derives from more than ${MAX_LISTED} relations`;
  const columns = relations.reduce((sum, relation) => sum + relation.columns.length, 0);
  return columns > MAX_COLUMNS_READ ? `what it derives from has more than ${MAX_COLUMNS_READ} columns` : null;
}

function isBearable(request: LineageRequest): boolean {
  return findFault(request) === null;
}

/** The promise's value, unless the signal aborts first. */
async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
