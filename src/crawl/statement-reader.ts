/** Asks the reader of SQL, and never twice for the same text. */
import type { LineageAnswerStore } from "../metadata/lineage-answers.ts";
import type { LineageAnswer, LineageRequest } from "../sql-lineage/request.ts";
import { statementKey } from "../sql-lineage/statement-key.ts";
import type { SqlLineage } from "../sql-lineage/thread.ts";

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
      const byKey = new Map(requests.map((request) => [statementKey(request), request]));
      const answers = await kept.find([...byKey.keys()]);
      const unread = [...byKey].filter(([key]) => !answers.has(key));
      const read = await unlessAborted(
        signal,
        Promise.all(unread.map(async ([key, request]) => [key, await sqlLineage.resolve(request)] as const)),
      );
      // What was given up may be read at another time, on a machine with less to do.
      await kept.save(new Map(read.filter(([, answer]) => !("gaveUp" in answer))));
      for (const [key, answer] of read) answers.set(key, answer);
      return requests.map((request) => answers.get(statementKey(request)) ?? { unresolved: "it was not read" });
    },
  };
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
