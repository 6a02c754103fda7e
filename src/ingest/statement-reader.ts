/** Sends SQL to the reader, and never the same request twice. */
import { MAX_LISTED, MAX_SQL_CHARACTERS } from "../catalog/limits.ts";
import type { Relations } from "./known-relations.ts";
import type { LineageAnswerStore } from "../metadata/lineage-answers.ts";
import { type LineageAnswer, type LineageRequest, unresolved } from "../sql-lineage/request.ts";
import { statementKey } from "../sql-lineage/statement-key.ts";
import type { SqlLineage } from "../sql-lineage/thread.ts";
import type { Caller } from "../work/caller.ts";
import type { WorkspaceName } from "../ids.ts";
import { unlessAborted } from "../work/unless-aborted.ts";

/** How many texts one caller sends at once. The reader of SQL refuses more than it allows to wait. */
const AT_ONCE = 64;

/** Columns of all relations that one statement may read. For each statement they are all sent to the reader of SQL. */
const MAX_COLUMNS_READ = 100_000;

export type StatementReader = ReturnType<typeof createStatementReader>;

/** What is needed to read SQL that names the relations of a crawl. */
export interface SqlContext {
  /** The workspace's name, which is part of ids. */
  workspace: WorkspaceName;
  /** Those that the crawl knows. The reading adds columns and relations to them. */
  relations: Relations;
  reader: StatementReader;
  /** The caller for whom the SQL is read. */
  caller: Caller;
}

/** Where answers are stored: the metadata store for crawls, memory for what-ifs. */
export type KeptAnswers = Pick<LineageAnswerStore, "find" | "save">;

export function createStatementReader(sqlLineage: Pick<SqlLineage, "resolve">, kept: KeptAnswers) {
  return {
    /**
     * One answer for each request, in their order.
     * @throws the reason of the caller's signal as soon as it aborts, even if something is still being read
     */
    async read(requests: readonly LineageRequest[], caller: Caller): Promise<LineageAnswer[]> {
      caller.signal.throwIfAborted();
      const readable = requests.filter((request) => findFault(request) === null);
      const byKey = new Map(readable.map((request) => [statementKey(request), request]));
      const answers = await kept.find([...byKey.keys()]);
      const unread = [...byKey].filter(([key]) => !answers.has(key));
      const read = new Map<string, LineageAnswer>();
      const next = unread.values();
      const readOn = async (): Promise<void> => {
        for (const [key, request] of next) read.set(key, await sqlLineage.resolve(request, caller));
      };
      await unlessAborted(caller.signal, Promise.all(Array.from({ length: AT_ONCE }, readOn)));
      // If the reader gave up on a text, it is tried again next time, when the machine may have less to do.
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

/** Why a request is not read at all; null if it is. */
function findFault({ sql, relations }: LineageRequest): string | null {
  if (sql.length > MAX_SQL_CHARACTERS) return `the SQL has more than ${MAX_SQL_CHARACTERS} characters`;
  if (relations.length > MAX_LISTED) return `it derives from more than ${MAX_LISTED} relations`;
  const columns = relations.reduce((sum, relation) => sum + relation.columns.length, 0);
  return columns > MAX_COLUMNS_READ ? `what it derives from has more than ${MAX_COLUMNS_READ} columns` : null;
}
