/** The graph store on a Memgraph server. */
import type { WorkspaceId } from "../../ids.ts";
import { type Caller, THE_SERVICE } from "../../work/caller.ts";
import { createFairQueue } from "../../work/fair-queue.ts";
import type { CatalogGraph, GraphReader } from "../catalog-graph.ts";
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
import type { RowStore } from "../rows.ts";
import { type Bolt, createBolt, type Run } from "./bolt.ts";
import { copyOut } from "./copy-out.ts";
import { countLosses, tally } from "./crawl-result.ts";
import { sweepHistory } from "./history.ts";
import { loadNodes } from "./read-nodes.ts";
import { MemgraphReader, type ReaderParts } from "./reader.ts";
import { createRowStore } from "./row-store.ts";
import { readSchema } from "./schema.ts";
import { listScopes } from "./sources.ts";
import { claimStore } from "./store-node.ts";
import { upgradeStep } from "./upgrade.ts";
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
}

/**
 * Connects to Memgraph and makes sure that its indexes and constraints exist.
 * @throws AppError `unavailable` if the server cannot be reached or refuses the credentials; `UnusableStore` if the graph
 * belongs to another metadata store
 */
export async function openMemgraphGraph(options: MemgraphOptions): Promise<CopyableGraph> {
  const bolt = createBolt(options);
  try {
    await prepare(bolt, options);
  } catch (error) {
    await bolt.close();
    throw error;
  }
  return new MemgraphGraph(bolt);
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
  return { graph: new MemgraphGraph(guardBolt(bolt, connecting)), connected: connecting.connected };
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
  while (!(await bolt.write(upgradeStep)));
}

/** A graph whose own reads run in the name of the service. */
class MemgraphGraph extends MemgraphReader implements CopyableGraph {
  readonly #bolt: Bolt;
  readonly #parts: ReaderParts;
  readonly #inLine: ReturnType<typeof createWriteLine>;

  constructor(bolt: Bolt) {
    const parts = { bolt, turns: createFairQueue(TURNS) };
    super(parts, THE_SERVICE);
    this.#bolt = bolt;
    this.#parts = parts;
    this.#inLine = createWriteLine(bolt.write);
  }

  readerFor(caller: Caller): GraphReader {
    return new MemgraphReader(this.#parts, caller);
  }

  /** What a connector writes, in one transaction. */
  #write<T>(stamp: CrawlStamp, work: (store: RowStore) => Promise<T>): Promise<T> {
    return this.#bolt.write((run) => work(createRowStore(run, stamp.workspace, authorOf(stamp))));
  }

  /** The same for a write that may change the terms of the workspace. */
  #crawl<T>(stamp: CrawlStamp, work: (store: RowStore) => Promise<T>): Promise<T> {
    return this.#writeInLine(stamp.workspace, authorOf(stamp), work);
  }

  #writeInLine<T>(
    workspace: WorkspaceId,
    author: Author | null,
    work: (store: RowStore, run: Run) => Promise<T>,
  ): Promise<T> {
    return this.#inLine(workspace, (run) => work(createRowStore(run, workspace, author), run));
  }

  writeNodes: CatalogGraph["writeNodes"] = (stamp, scope, nodes) =>
    this.#crawl(stamp, (store) => writeNodes(store, stamp, scope, lastOfEach(nodes)));

  writeEdges: CatalogGraph["writeEdges"] = async (stamp, scope, edges) => {
    const isRecorded = await this.#write(stamp, (store) => writeEdges(store, stamp, scope, edges.map(toEdgeText)));
    return edges.filter((_, i) => isRecorded[i] !== true);
  };

  writeReferences: CatalogGraph["writeReferences"] = async (stamp, scope, references) => {
    const isRecorded = await this.#write(stamp, (store) => writeReferences(store, stamp, scope, references));
    return references.filter((_, i) => isRecorded[i] !== true);
  };

  writeChecks: CatalogGraph["writeChecks"] = (stamp, scope, checks) =>
    this.#write(stamp, (store) => writeChecks(store, stamp, scope, lastOfEach(checks)));

  sweep: CatalogGraph["sweep"] = (stamp, scope) => this.#crawl(stamp, (store) => sweepStep(store, stamp, scope));

  markIncomplete: CatalogGraph["markIncomplete"] = (stamp, scope) =>
    this.#write(stamp, (store) => markIncomplete(store, stamp, scope));

  listScopes: CatalogGraph["listScopes"] = (stamp) => listScopes(this.#bolt.read, stamp);

  countLosses: CatalogGraph["countLosses"] = (...args) => countLosses(this.#bolt.read, ...args);

  tally: CatalogGraph["tally"] = (stamp) => tally(this.#bolt.read, stamp);

  renameConnector: CatalogGraph["renameConnector"] = (stamp, after) =>
    this.#crawl(stamp, (store) => renameConnector(store, stamp, after));

  removeConnector: CatalogGraph["removeConnector"] = (stamp) => this.#crawl(stamp, (store) => removeStep(store, stamp));

  curate: CatalogGraph["curate"] = (workspace, id, change, edit) =>
    this.#writeInLine(workspace, personAt(edit.by, edit.at), async (store, run) => {
      const isThere = await curate(store, id, change, edit);
      return isThere ? ((await loadNodes(run, workspace, [id]))[0] ?? null) : null;
    });

  stateByHand: CatalogGraph["stateByHand"] = (stamp, ...args) =>
    this.#crawl(stamp, (store) => stateByHand(store, stamp, ...args));

  certify: CatalogGraph["certify"] = (workspace, id, change) =>
    this.#writeInLine(workspace, personAt(change.step?.actor ?? "", change.at), (store) => certify(store, id, change));

  sweepHistory: CatalogGraph["sweepHistory"] = (...args) => this.#bolt.write((run) => sweepHistory(run, ...args));

  copyOut: CopyableGraph["copyOut"] = (...args) => copyOut(this.#bolt.readMain, ...args);

  copyIn: CopyableGraph["copyIn"] = (workspace, ...args) =>
    this.#writeInLine(workspace, null, (store) => copyIn(store, workspace, ...args));

  checkWrites(): Promise<void> {
    return this.#bolt.write(tryWrite);
  }

  close(): Promise<void> {
    return this.#bolt.close();
  }
}

/** Writes a node that nothing else reads. It exists only once, however often this runs. */
async function tryWrite(run: Run): Promise<void> {
  await run("MERGE (probe:WriteProbe {id: 'health'}) SET probe.tries = coalesce(probe.tries, 0) + 1", {});
}
