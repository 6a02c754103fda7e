/** The thread that reads SQL. */
import { serveTasks } from "../work/serve-tasks.ts";
import type { ParserCalls } from "./request.ts";
import { resolveColumns } from "./resolve-columns.ts";

export const serve = serveTasks<ParserCalls>(() => ({ resolveColumns }), {
  // After a WebAssembly trap, the parser's memory may be corrupt.
  isFatal: (error) => error instanceof WebAssembly.RuntimeError,
});
