/** The thread that reads SQL. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { serveTasks } from "../work/serve-tasks.ts";
import type { ParserCalls } from "./request.ts";
import { resolveColumns } from "./resolve-columns.ts";

export const serve = serveTasks<ParserCalls>(() => ({ resolveColumns }), {
  // After a WebAssembly trap, the parser's memory may be corrupt.
  isFatal: (error) => error instanceof WebAssembly.RuntimeError,
});

// The parser's file was read into 68 MB of buffers. Nothing else would free them while the thread works.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
collectGarbage();
