/** The thread that reads SQL: it answers one request after the other. */
import { parentPort } from "node:worker_threads";

import type { LineageRequest } from "./request.ts";
import { resolveColumns } from "./resolve-columns.ts";
import type { ThreadReply } from "./thread-reply.ts";

function answer(request: LineageRequest): ThreadReply {
  try {
    return { answer: resolveColumns(request), broken: false };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // After a trap the parser's memory may be in any state.
    const broken = error instanceof WebAssembly.RuntimeError;
    return { answer: { unresolved: `the text could not be read: ${reason}` }, broken };
  }
}

const port = parentPort;
if (port === null) throw new Error("runs as a worker thread only");
port.on("message", (request: LineageRequest) => port.postMessage(answer(request)));
