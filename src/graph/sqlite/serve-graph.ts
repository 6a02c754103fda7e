/** The code that runs in the threads on the graph's file. */
import { toAppError } from "../../sqlite/database.ts";
import { serveTasks } from "../../work/serve-tasks.ts";
import type { Calls, Reply, Task } from "../../work/task.ts";
import { graphFile, openGraphFile } from "./schema.ts";
import { createStatements, type Statements } from "./statements.ts";

/** Opens the file at the first task. The pool passes its path. */
export function serveGraph<T extends Calls<T>>(create: (sql: Statements) => T): (task: Task) => Promise<Reply> {
  let path = "";
  return serveTasks<T>(
    (data, isCalledOff) => {
      if (typeof data !== "string") throw new TypeError("the graph's threads need a path");
      path = data;
      return create(createStatements(openGraphFile(path), isCalledOff));
    },
    { translate: (error) => toAppError(error, graphFile(path)) },
  );
}
