/**
 * The embedded engine of the graph store: one SQLite file. It is read on the main thread and in threads, and written by
 * one thread.
 */
import { unavailable } from "../../errors.ts";
import { toAppError } from "../../sqlite/database.ts";
import { type Caller, THE_SERVICE } from "../../work/caller.ts";
import { UnusableStore } from "../../work/connecting.ts";
import { createUsage, type Usage } from "../../work/usage.ts";
import type { CatalogGraph, GraphReader } from "../catalog-graph.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { CopyableGraph } from "../graph-copy.ts";
import { packEdges } from "./packed-edges.ts";
import { type ReaderParts, SqliteReader } from "./reader.ts";
import { graphFile, openGraphFile } from "./schema.ts";
import { createSharedLineageHolder } from "./shared-lineage.ts";
import { createStatements } from "./statements.ts";
import { createGraphThreads, type GraphThreads } from "./threads.ts";

interface SqliteGraphOptions {
  path: string;
  /** Counts the work done for each tenant. If absent, the graph counts for itself. */
  usage?: Usage | undefined;
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
  lineageMiB = DEFAULT_LINEAGE_MIB,
}: SqliteGraphOptions): Promise<EmbeddedGraph> {
  const db = openGraphFile(path);
  db.exec("PRAGMA query_only = ON");
  const sql = createStatements(db);
  const threads = createGraphThreads(path, usage);
  let closing: Promise<void> | undefined;
  const parts: ReaderParts = {
    threads,
    lineage: createSharedLineageHolder(async () =>
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
  return new SqliteGraph(path, parts, threads.writer, () => (closing ??= threads.close().then(() => db.close())));
}

/** A graph whose own reads run in the name of the service. */
class SqliteGraph extends SqliteReader implements EmbeddedGraph {
  readonly #path: string;
  readonly #parts: ReaderParts;
  readonly #writer: GraphThreads["writer"];
  readonly close: () => Promise<void>;

  constructor(path: string, parts: ReaderParts, writer: GraphThreads["writer"], close: () => Promise<void>) {
    super(parts, THE_SERVICE);
    this.#path = path;
    this.#parts = parts;
    this.#writer = writer;
    this.close = close;
  }

  readerFor(caller: Caller): GraphReader {
    return new SqliteReader(this.#parts, caller);
  }

  writeNodes: CatalogGraph["writeNodes"] = (stamp, ...args) =>
    this.#writer.call(toWriter(stamp), "writeNodes", stamp, ...args);

  writeEdges: CatalogGraph["writeEdges"] = async (stamp, scope, edges) => {
    const refused = await this.#writer.call(toWriter(stamp), "writeEdges", stamp, scope, packEdges(edges));
    return refused.flatMap((index) => edges[index] ?? []);
  };

  writeReferences: CatalogGraph["writeReferences"] = (stamp, ...args) =>
    this.#writer.call(toWriter(stamp), "writeReferences", stamp, ...args);

  writeChecks: CatalogGraph["writeChecks"] = (stamp, ...args) =>
    this.#writer.call(toWriter(stamp), "writeChecks", stamp, ...args);

  sweep: CatalogGraph["sweep"] = (stamp, scope) => this.#writer.call(toWriter(stamp), "sweep", stamp, scope);

  markIncomplete: CatalogGraph["markIncomplete"] = (stamp, scope) =>
    this.#writer.call(toWriter(stamp), "markIncomplete", stamp, scope);

  listScopes: CatalogGraph["listScopes"] = (stamp) => this.#writer.call(toWriter(stamp), "listScopes", stamp);

  countLosses: CatalogGraph["countLosses"] = (stamp, scopes) =>
    this.#writer.call(toWriter(stamp), "countLosses", stamp, scopes);

  tally: CatalogGraph["tally"] = (stamp) => this.#writer.call(toWriter(stamp), "tally", stamp);

  renameConnector: CatalogGraph["renameConnector"] = (stamp, after) =>
    this.#writer.call(toWriter(stamp), "renameConnector", stamp, after);

  removeConnector: CatalogGraph["removeConnector"] = (stamp) =>
    this.#writer.call(toWriter(stamp), "removeConnector", stamp);

  curate: CatalogGraph["curate"] = (...args) => this.#writer.call(THE_SERVICE, "curate", ...args);

  stateByHand: CatalogGraph["stateByHand"] = (...args) => this.#writer.call(THE_SERVICE, "stateByHand", ...args);

  certify: CatalogGraph["certify"] = (...args) => this.#writer.call(THE_SERVICE, "certify", ...args);

  sweepHistory: CatalogGraph["sweepHistory"] = (...args) => this.#writer.call(THE_SERVICE, "sweepHistory", ...args);

  // The threads know the rows of each part.
  copyOut: CopyableGraph["copyOut"] = (...args) =>
    this.#parts.threads.long.call(THE_SERVICE, "copyOut", ...args) as Promise<never>;

  copyIn: CopyableGraph["copyIn"] = (...args) => this.#writer.call(THE_SERVICE, "copyIn", ...args);

  async claim(owner: string): Promise<void> {
    if ((await this.#writer.call(THE_SERVICE, "claim", owner)) === owner) return;
    throw new UnusableStore(
      "The graph store belongs to another service: it was filled with another metadata store (METADATA_URL). Give each " +
        "service a DATA_DIR of its own. If the other service is gone for good and this one shall take over the graph, " +
        "run there first: sqlite3 graph.sqlite 'DELETE FROM owner'",
      { location: this.#path },
    );
  }

  checkWrites: CatalogGraph["checkWrites"] = () => this.#writer.call(THE_SERVICE, "checkWrites");
}

/** Crawls take turns with each other and with people. A write that has begun is never cancelled. */
function toWriter({ connectorId }: CrawlStamp): Caller {
  return { tenant: `crawl:${connectorId}`, signal: THE_SERVICE.signal };
}
