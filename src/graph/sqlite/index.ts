/**
 * The embedded engine of the graph store: one SQLite file. It is read on the main thread and in threads, and written by
 * one thread.
 */
import { unavailable } from "../../errors.ts";
import { toAppError } from "../../sqlite/database.ts";
import { type Caller, THE_SERVICE } from "../../work/caller.ts";
import { UnusableStore } from "../../work/connecting.ts";
import type { Resume } from "../../work/event-loop-scheduler.ts";
import { createUsage, type Usage } from "../../work/usage.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { CopyableGraph } from "../graph-copy.ts";
import { createLineageHolder } from "../lineage-index/lineage-holder.ts";
import { packEdges } from "./packed-edges.ts";
import { createReader, type ReaderParts } from "./reader.ts";
import { graphFile, openGraphFile } from "./schema.ts";
import { createStatements } from "./statements.ts";
import { createGraphThreads } from "./threads.ts";

interface SqliteGraphOptions {
  path: string;
  /** Counts the work done for each tenant. If absent, the graph counts for itself. */
  usage?: Usage | undefined;
  /** When a reader may go on with an answer. Default: at once. */
  resume?: Resume | undefined;
  /** The most memory for the lineage of all workspaces. 0: lineage is always read from the file. */
  lineageMiB?: number | undefined;
}

const DEFAULT_LINEAGE_MIB = 256;
const MIB = 1024 ** 2;

export interface EmbeddedGraph extends CopyableGraph {
  /**
   * Notes which metadata store the graph belongs to, if it belongs to none yet.
   * @param owner the id of the metadata store
   * @throws UnusableStore if the graph belongs to another one
   */
  claim(owner: string): Promise<void>;
}

/**
 * Opens the graph's file, and makes it if there is none. Several processes may have it open.
 * @param options.path the file, in a folder that exists
 * @throws AppError `unavailable` if the file is damaged, not writable, or belongs to another application or a newer
 * version
 */
export async function openSqliteGraph({
  path,
  usage = createUsage(),
  resume,
  lineageMiB = DEFAULT_LINEAGE_MIB,
}: SqliteGraphOptions): Promise<EmbeddedGraph> {
  const db = openGraphFile(path);
  db.exec("PRAGMA query_only = ON");
  const sql = createStatements(db);
  const threads = createGraphThreads(path, usage, resume);
  let closing: Promise<void> | undefined;
  const parts: ReaderParts = {
    threads,
    lineage: createLineageHolder(async () =>
      lineageMiB === 0 ? null : threads.loader.call(THE_SERVICE, "loadLineage", lineageMiB * MIB),
    ),
    here(read) {
      if (closing !== undefined) throw unavailable("The graph store is closed.");
      try {
        return read(sql);
      } catch (error) {
        throw toAppError(error, graphFile(path));
      }
    },
  };
  const { writer, long } = threads;
  return {
    ...createReader(parts, THE_SERVICE),
    readerFor: (caller) => createReader(parts, caller),
    writeNodes: (stamp, ...args) => writer.call(toWriter(stamp), "writeNodes", stamp, ...args),
    async writeEdges(stamp, scope, edges) {
      const refused = await writer.call(toWriter(stamp), "writeEdges", stamp, scope, packEdges(edges));
      return refused.flatMap((index) => edges[index] ?? []);
    },
    writeReferences: (stamp, ...args) => writer.call(toWriter(stamp), "writeReferences", stamp, ...args),
    writeChecks: (stamp, ...args) => writer.call(toWriter(stamp), "writeChecks", stamp, ...args),
    sweep: (stamp, scope) => writer.call(toWriter(stamp), "sweep", stamp, scope),
    markIncomplete: (stamp, scope) => writer.call(toWriter(stamp), "markIncomplete", stamp, scope),
    listScopes: (stamp) => writer.call(toWriter(stamp), "listScopes", stamp),
    countLosses: (stamp, scopes) => writer.call(toWriter(stamp), "countLosses", stamp, scopes),
    tally: (stamp) => writer.call(toWriter(stamp), "tally", stamp),
    renameConnector: (stamp, after) => writer.call(toWriter(stamp), "renameConnector", stamp, after),
    removeConnector: (stamp) => writer.call(toWriter(stamp), "removeConnector", stamp),
    curate: (...args) => writer.call(THE_SERVICE, "curate", ...args),
    stateByHand: (...args) => writer.call(THE_SERVICE, "stateByHand", ...args),
    certify: (...args) => writer.call(THE_SERVICE, "certify", ...args),
    sweepHistory: (...args) => writer.call(THE_SERVICE, "sweepHistory", ...args),
    // The threads know the rows of each part.
    copyOut: (...args) => long.call(THE_SERVICE, "copyOut", ...args) as Promise<never>,
    countRows: (...args) => long.call(THE_SERVICE, "countRows", ...args),
    copyIn: (...args) => writer.call(THE_SERVICE, "copyIn", ...args),
    async claim(owner) {
      if ((await writer.call(THE_SERVICE, "claim", owner)) === owner) return;
      throw new UnusableStore(
        "The graph store belongs to another service: it was filled with another metadata store (METADATA_URL). Give each " +
          "service a DATA_DIR of its own. If the other service is gone for good and this one shall take over the graph, " +
          "run there first: sqlite3 graph.sqlite 'DELETE FROM owner'",
        { location: path },
      );
    },
    checkWrites: () => writer.call(THE_SERVICE, "checkWrites"),
    close: () => (closing ??= threads.close().then(() => db.close())),
  };
}

/** Crawls take turns with each other and with people. A write that has begun is never cancelled. */
function toWriter({ connectorId }: CrawlStamp): Caller {
  return { tenant: `crawl:${connectorId}`, signal: THE_SERVICE.signal };
}
