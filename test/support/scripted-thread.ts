/** A thread that reads no SQL: it fails in the way that the text says, and otherwise answers with the text. */
import { type ParserCalls, unresolved } from "../../src/sql-lineage/request.ts";
import { serveTasks } from "../../src/work/serve-tasks.ts";

let answered = 0;

export const serve = serveTasks<ParserCalls>(
  () => ({
    resolveColumns({ sql }) {
      if (sql === "be silent") for (;;);
      if (sql === "exit") process.exit(3);
      if (sql === "fail") throw new TypeError("a fault of the reader");
      if (sql === "trap") throw new WebAssembly.RuntimeError("unreachable");
      answered += 1;
      return unresolved(`${sql}, number ${answered}`);
    },
  }),
  { isFatal: (error) => error instanceof WebAssembly.RuntimeError },
);
