/** The embedded engine of the graph store: one SQLite file, read here and in a thread, written in another. */
import { unavailable } from "../../errors.ts";
import { toAppError } from "../../sqlite/database.ts";
import type { CatalogGraph } from "../catalog-graph.ts";
import { createReads, type GraphReads } from "./graph-reads.ts";
import type { GraphWrites } from "./graph-writes.ts";
import { openGraphFile } from "./schema.ts";
import { createStatements } from "./statements.ts";
import { createThread } from "./thread.ts";

/**
 * Opens the graph's file and makes it where there is none; several processes may have it open.
 * @param options.path the file, in a folder that exists
 * @throws AppError `unavailable` for a file that is damaged, not writable, another application's or a newer version's
 */
export async function openSqliteGraph(options: { path: string }): Promise<CatalogGraph> {
  const { path } = options;
  const db = openGraphFile(path);
  db.exec("PRAGMA query_only = ON");
  const reads = createReads(createStatements(db));
  const reader = createThread<GraphReads>(new URL("./reader-thread.ts", import.meta.url), path);
  const writer = createThread<GraphWrites>(new URL("./writer-thread.ts", import.meta.url), path);
  let closing: Promise<void> | undefined;

  const assertOpen = (): void => {
    if (closing !== undefined) throw unavailable(`${path} is closed.`);
  };
  const here =
    <A extends unknown[], R>(read: (...args: A) => R) =>
    async (...args: A): Promise<R> => {
      assertOpen();
      try {
        return read(...args);
      } catch (error) {
        throw toAppError(error, path);
      }
    };
  const there =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      assertOpen();
      return call(...args);
    };

  return {
    loadNodes: here(reads.loadNodes),
    findByFqn: here(reads.findByFqn),
    loadColumns: here(reads.loadColumns),
    listNodes: here(reads.listNodes),
    loadNeighbours: here(reads.loadNeighbours),
    check: here(reads.check),
    searchNodes: there((...args) => reader.call("searchNodes", ...args)),
    walk: there((...args) => reader.call("walk", ...args)),
    countNodes: there((...args) => reader.call("countNodes", ...args)),
    writeNodes: there((...args) => writer.call("writeNodes", ...args)),
    writeEdges: there((...args) => writer.call("writeEdges", ...args)),
    sweep: there((...args) => writer.call("sweep", ...args)),
    tally: there((...args) => writer.call("tally", ...args)),
    curate: there((...args) => writer.call("curate", ...args)),
    close() {
      closing ??= Promise.all([reader.close(), writer.close()]).then(() => db.close());
      return closing;
    },
  };
}
