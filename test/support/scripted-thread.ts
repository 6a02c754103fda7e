/** A thread that reads no SQL: it does to itself what the text says, and otherwise answers with the text. */
import { parentPort } from "node:worker_threads";

import type { LineageRequest } from "../../src/sql-lineage/request.ts";
import type { ThreadReply } from "../../src/sql-lineage/thread-reply.ts";

let answered = 0;

parentPort?.on("message", ({ sql }: LineageRequest) => {
  if (sql === "be silent") return;
  if (sql === "exit") process.exit(3);
  if (sql === "throw") throw new Error("a fault of the thread");
  answered += 1;
  const reply: ThreadReply = { answer: { unresolved: `${sql}, number ${answered}` }, broken: sql === "break" };
  parentPort?.postMessage(reply, []);
});
