/** Asks the reader of SQL, and never twice for the same text. */
import type { LineageAnswerStore } from "../metadata/lineage-answers.ts";
import type { LineageAnswer, LineageRequest } from "../sql-lineage/request.ts";
import { statementKey } from "../sql-lineage/statement-key.ts";
import type { SqlLineage } from "../sql-lineage/thread.ts";
import type { Caller } from "../work/caller.ts";
import { unlessAborted } from "../work/unless-aborted.ts";

/** How many texts one caller asks for at once: the reader of SQL refuses more than it wants to have waiting. */
const AT_ONCE = 64;

export interface StatementReader {
  /**
   * One answer a request, in their order.
   * @throws the reason of the caller's signal as soon as it aborts, whatever is still being read
   */
  read: (requests: readonly LineageRequest[], caller: Caller) => Promise<LineageAnswer[]>;
}

export function createStatementReader(
  sqlLineage: Pick<SqlLineage, "resolve">,
  kept: LineageAnswerStore,
): StatementReader {
  return {
    async read(requests, caller) {
      caller.signal.throwIfAborted();
      const byKey = new Map(requests.map((request) => [statementKey(request), request]));
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
      return requests.map((request) => answers.get(statementKey(request)) ?? { unresolved: "it was not read" });
    },
  };
}
