/** The graph store on a Memgraph server. */
import type { WorkspaceId } from "../../ids.ts";
import { THE_SERVICE } from "../../work/caller.ts";
import type { Resume } from "../../work/event-loop-scheduler.ts";
import { createFairQueue } from "../../work/fair-queue.ts";
import type { CopyableGraph } from "../graph-copy.ts";
import { type Connecting, type ConnectingOptions, startConnecting } from "../../work/connecting.ts";
import { certify, curate, stateByHand } from "../core/people.ts";
import { copyIn } from "../core/copy-in.ts";
import { markIncomplete } from "../core/open-source.ts";
import { renameConnector } from "../core/rename-connector.ts";
import { removeStep, sweepStep } from "../core/sweep.ts";
import { writeChecks } from "../core/write-checks.ts";
import { toEdgeText, writeEdges, writeReferences } from "../core/write-edges.ts";
import { lastOfEach, writeNodes } from "../core/write-nodes.ts";
import { type Author, authorOf, personAt } from "../history/moments.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import { createLineageFollowers } from "../lineage-index/follower.ts";
import type { RowStore } from "../rows.ts";
import { type Bolt, createBolt, type Run } from "./bolt.ts";
import { copyOut, countRows } from "./copy-out.ts";
import { countLosses, tally } from "./crawl-result.ts";
import { sweepHistory } from "./history.ts";
import { loadLineage } from "./load-lineage.ts";
import { loadNodes } from "./read-nodes.ts";
import { createReader } from "./reader.ts";
import { createRowStore } from "./row-store.ts";
import { readSchema } from "./schema.ts";
import { listScopes } from "./sources.ts";
import { checkFormat, claimStore } from "./store-node.ts";
import { createWriteLine } from "./write-line.ts";

/**
 * How many reads run at once, for all tenants and for one. The driver keeps 100 connections, and writes need some of
 * them.
 */
const TURNS = { atOnce: 32, atOnceForOne: 8, maxWaiting: 500, maxWaitMs: 20_000 };

export interface MemgraphOptions {
  /** A Bolt URL. It may contain the credentials. */
  url: string;
  username?: string;
  password?: string;
  /** Returns the id of the metadata store that the graph belongs to. If absent, the graph belongs to nobody. */
  owner?: () => Promise<string>;
  /** The most memory for the lineage of all workspaces. 0: lineage is always asked of the server. */
  lineageMiB?: number;
  /** When a reader may go on with an answer. Default: at once. */
  resume?: Resume | undefined;
}

const DEFAULT_LINEAGE_MIB = 256;
const MIB = 1024 ** 2;

/**
 * Connects to Memgraph and makes sure that its indexes and constraints exist.
 * @throws AppError `unavailable` if the server cannot be reached or refuses the credentials; `UnusableStore` if the graph
 * belongs to another metadata store or was filled in another format
 */
export async function openMemgraphGraph(options: MemgraphOptions): Promise<CopyableGraph> {
  const bolt = createBolt(options);
  try {
    await prepare(bolt, options);
  } catch (error) {
    await bolt.close();
    throw error;
  }
  return createGraph(bolt, options);
}

/**
 * Does the same for a server that may start later. Until then, every call of the graph rejects with an `unavailable`
 * AppError.
 * @returns the graph, and a promise that resolves when it can be used. It rejects with `UnusableStore`.
 */
export function awaitMemgraphGraph(
  options: MemgraphOptions,
  log: ConnectingOptions["log"],
): { graph: CopyableGraph; connected: Promise<void> } {
  const bolt = createBolt(options);
  const connecting = startConnecting({
    name: "The graph store",
    location: bolt.address,
    log,
    prepare: () => prepare(bolt, options),
  });
  return { graph: createGraph(guardBolt(bolt, connecting), options), connected: connecting.connected };
}

/** Refuses everything until the store is connected. */
function guardBolt(bolt: Bolt, { requireReady, stop }: Connecting): Bolt {
  const once =
    <Args extends unknown[], T>(ask: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      requireReady();
      return ask(...args);
    };
  return {
    address: bolt.address,
    read: once(bolt.read),
    readMain: once(bolt.readMain),
    readTogether: async (work) => once(() => bolt.readTogether(work))(),
    write: async (work) => once(() => bolt.write(work))(),
    define: once(bolt.define),
    check: once(bolt.check),
    async close() {
      const stopped = stop();
      await bolt.close();
      await stopped;
    },
  };
}

async function prepare(bolt: Bolt, { owner }: MemgraphOptions): Promise<void> {
  const id = await owner?.();
  for (const statement of await readSchema()) await bolt.define(statement);
  if (id !== undefined) await bolt.write((run) => claimStore(run, id, bolt.address));
  await bolt.write((run) => checkFormat(run, bolt.address));
}

function createGraph(bolt: Bolt, { lineageMiB = DEFAULT_LINEAGE_MIB, resume }: MemgraphOptions): CopyableGraph {
  const turns = createFairQueue(TURNS);
  const loading: Pick<Bolt, "readMain" | "readTogether"> = {
    ...bolt,
    readMain: (...args) => turns.run(THE_SERVICE, () => bolt.readMain(...args)),
  };
  const lineageOf = createLineageFollowers(
    async (workspace, maxBytes) => (lineageMiB === 0 ? null : loadLineage(loading, workspace, maxBytes)),
    lineageMiB * MIB,
  );
  const parts = { bolt, turns, resume, lineageOf };
  const inLine = createWriteLine(bolt.write);

  /** What a connector writes, in one transaction. */
  const write = <T>(stamp: CrawlStamp, work: (store: RowStore) => Promise<T>): Promise<T> =>
    bolt.write((run) => work(createRowStore(run, stamp.workspace, authorOf(stamp))));

  const writeInLine = <T>(
    workspace: WorkspaceId,
    author: Author | null,
    work: (store: RowStore, run: Run) => Promise<T>,
  ): Promise<T> => inLine(workspace, (run) => work(createRowStore(run, workspace, author), run));

  /** The same as `write` for a write that may change the terms or the lineage of the workspace. */
  const crawl = <T>(stamp: CrawlStamp, work: (store: RowStore) => Promise<T>): Promise<T> =>
    writeInLine(stamp.workspace, authorOf(stamp), work);

  return {
    // Its own reads run in the name of the service.
    ...createReader(parts, THE_SERVICE),
    readerFor: (caller) => createReader(parts, caller),
    writeNodes: (stamp, scope, nodes) => crawl(stamp, (store) => writeNodes(store, stamp, scope, lastOfEach(nodes))),
    async writeEdges(stamp, scope, edges) {
      const isRecorded = await crawl(stamp, (store) => writeEdges(store, stamp, scope, edges.map(toEdgeText)));
      return edges.filter((_, i) => isRecorded[i] !== true);
    },
    async writeReferences(stamp, scope, references) {
      const isRecorded = await crawl(stamp, (store) => writeReferences(store, stamp, scope, references));
      return references.filter((_, i) => isRecorded[i] !== true);
    },
    writeChecks: (stamp, scope, checks) =>
      write(stamp, (store) => writeChecks(store, stamp, scope, lastOfEach(checks))),
    sweep: (stamp, scope) => crawl(stamp, (store) => sweepStep(store, stamp, scope)),
    markIncomplete: (stamp, scope) => write(stamp, (store) => markIncomplete(store, stamp, scope)),
    listScopes: (stamp) => listScopes(bolt.read, stamp),
    countLosses: (...args) => countLosses(bolt.read, ...args),
    tally: (stamp) => tally(bolt.read, stamp),
    renameConnector: (stamp, after) => crawl(stamp, (store) => renameConnector(store, stamp, after)),
    removeConnector: (stamp) => crawl(stamp, (store) => removeStep(store, stamp)),
    curate: (workspace, id, change, edit, seen) =>
      writeInLine(workspace, personAt(edit.by, edit.at), async (store, run) => {
        const isThere = await curate(store, id, change, edit, seen);
        return isThere ? ((await loadNodes(run, workspace, [id]))[0] ?? null) : null;
      }),
    stateByHand: (stamp, ...args) => crawl(stamp, (store) => stateByHand(store, stamp, ...args)),
    certify: (workspace, id, change) =>
      writeInLine(workspace, personAt(change.step?.actor ?? "", change.at), (store) => certify(store, id, change)),
    sweepHistory: (...args) => bolt.write((run) => sweepHistory(run, ...args)),
    copyOut: (...args) => copyOut(bolt.readMain, ...args),
    countRows: (...args) => countRows(bolt.readMain, ...args),
    copyIn: (workspace, ...args) => writeInLine(workspace, null, (store) => copyIn(store, workspace, ...args)),
    checkWrites: () => bolt.write(tryWrite),
    close: () => bolt.close(),
  };
}

/** Writes a node that nothing else reads. It exists only once, however often this runs. */
async function tryWrite(run: Run): Promise<void> {
  await run("MERGE (probe:WriteProbe {id: 'health'}) SET probe.tries = coalesce(probe.tries, 0) + 1", {});
}
