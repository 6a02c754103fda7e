/** A worker thread that dies when it is told to, for tests of what its callers see then. */
import { parentPort } from "node:worker_threads";

import type { Reply, Request } from "../../src/graph/sqlite/thread-messages.ts";

/** What it can be asked. */
export interface FrailCalls {
  answer: (value: number) => number;
  /** Ends without a word. */
  exit: () => void;
  /** Ends by an error that nobody catches. */
  break: () => void;
}

const port = parentPort;
port?.on("message", ({ id, method, args }: Request) => {
  if (method === "exit") process.exit(1);
  if (method === "break") throw new Error("broken inside");
  if (method === null) port.close();
  else port.postMessage({ id, value: args[0] } satisfies Reply);
});
