/** The far side of a worker thread on the graph's file: does what it is asked, one call after the other. */
import { parentPort, workerData } from "node:worker_threads";

import { toAppError } from "../../sqlite/database.ts";
import { graphFile, openGraphFile } from "./schema.ts";
import { createStatements, type Statements } from "./statements.ts";
import { type Calls, type Reply, type Request, toFailure } from "./thread-messages.ts";

/** Answers requests until it is asked to end. The file is opened by the first, so that its faults reach a caller. */
export function serveCalls<T extends Calls<T>>(create: (sql: Statements) => T): void {
  const port = parentPort;
  const path: unknown = workerData;
  if (port === null || typeof path !== "string") throw new Error("runs as a worker thread on a path only");
  let opened: { sql: Statements; calls: Map<string | null, unknown> } | undefined;

  const answer = ({ method, args }: Request): unknown => {
    if (opened === undefined) {
      const sql = createStatements(openGraphFile(path));
      opened = { sql, calls: new Map(Object.entries(create(sql))) };
    }
    const call = opened.calls.get(method);
    if (typeof call !== "function") throw new Error(`no call ${method}`);
    return call(...args);
  };

  port.on("message", (request: Request) => {
    if (request.method === null) {
      opened?.sql.db.close();
      port.close();
      return;
    }
    let reply: Reply;
    try {
      reply = { id: request.id, value: answer(request) };
    } catch (error) {
      reply = { id: request.id, failure: toFailure(toAppError(error, graphFile(path))) };
    }
    port.postMessage(reply);
  });
}
