/** Asks the reader of SQL, and never twice for the same text. */
import { MAX_LISTED, MAX_SQL_CHARACTERS } from "../catalog/limits.ts";
import type { LineageAnswerStore } from "../metadata/lineage-answers.ts";
import { type LineageAnswer, type LineageRequest, unresolved } from "../sql-lineage/request.ts";
import { statementKey } from "../sql-lineage/statement-key.ts";
import type { SqlLineage } from "../sql-lineage/thread.ts";
import type { Caller } from "../work/caller.ts";
import { unlessAborted } from "../work/unless-aborted.ts";

/** How many texts one caller asks for at once: the reader of SQL refuses more than it wants to have waiting. */
const AT_ONCE = 64;

/** Of all relations that one statement may read: each is named to the reader of SQL, for each statement. */
const MAX_COLUMNS_READ = 100_000;

export interface StatementReader {
  /**
   * One answer a request, in their order.
   * @throws the reason of the caller's signal as soon as it aborts, whatever is still being read
   */
  read: (requests: readonly LineageRequest[], caller: Caller) => Promise<LineageAnswer[]>;
}

/** Where answers are kept: the metadata store for crawls, memory for what-ifs. */
export type KeptAnswers = Pick<LineageAnswerStore, "find" | "save">;

export function createStatementReader(sqlLineage: Pick<SqlLineage, "resolve">, kept: KeptAnswers): StatementReader {
  return {
    async read(requests, caller) {
      caller.signal.throwIfAborted();
      const byKey = new Map(requests.filter(isBearable).map((request) => [statementKey(request), request]));
      const answers = await kept.find([...byKey.keys()]);
      const unread = [...byKey].filter(([key]) => !answers.has(key));
      const read = new Map<string, LineageAnswer>();
      const next = unread.values();
      const readOn = async (): Promise<void> => {
        for (const [key, request] of next) read.set(key, await sqlLineage.resolve(request, caller));
      };
      await unlessAborted(caller.signal, Promise.all(Array.from({ length: AT_ONCE }, readOn)));
      // What was given up may be read at another time, on a machine with less to do.
      await kept.save(new Map([...read].filter(([, answer]) => !("gaveUp" in answer))));
      for (const [key, answer] of read) answers.set(key, answer);
      return requests.map((request) => {
        const fault = findFault(request);
        if (fault !== null) return unresolved(fault);
        return answers.get(statementKey(request)) ?? unresolved("it was not read");
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
