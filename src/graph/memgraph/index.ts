/** The graph store on a Memgraph server. */
import { type Caller, THE_SERVICE } from "../../work/caller.ts";
import { createFairQueue } from "../../work/fair-queue.ts";
import type { CatalogGraph, GraphReader } from "../catalog-graph.ts";
import type { CopyableGraph } from "../graph-copy.ts";
import { type Connecting, type ConnectingOptions, startConnecting } from "../../work/connecting.ts";
import { type Bolt, createBolt, type Run } from "./bolt.ts";
import { writeChecks } from "./checks.ts";
import { copyIn } from "./copy-in.ts";
import { copyOut } from "./copy-out.ts";
import { markIncomplete } from "./coverage.ts";
import { writeEdges } from "./edges.ts";
import { MemgraphReader, type ReaderParts } from "./reader.ts";
import { removeConnector } from "./remove-connector.ts";
import { renameConnector } from "./rename-connector.ts";
import { writeReferences } from "./references.ts";
import { readSchema } from "./schema.ts";
import { listScopes } from "./sources.ts";
import { stateByHand } from "./state-by-hand.ts";
import { claimStore } from "./store-node.ts";
import { countLosses, sweep, tally } from "./sweep.ts";
import { certify } from "./trails.ts";
import { upgradeStep } from "./upgrade.ts";
import { createWriteLine } from "./write-line.ts";
import { curate, writeNodes } from "./write-nodes.ts";

/**
 * How many reads run at once, for all holders and for one. The driver keeps 100 connections, and writes need some of
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

  writeNodes: CatalogGraph["writeNodes"] = (stamp, ...args) =>
    this.#inLine(stamp.workspace, (run) => writeNodes(run, stamp, ...args));

  writeEdges: CatalogGraph["writeEdges"] = (...args) => this.#bolt.write((run) => writeEdges(run, ...args));

  writeReferences: CatalogGraph["writeReferences"] = (...args) =>
    this.#bolt.write((run) => writeReferences(run, ...args));

  writeChecks: CatalogGraph["writeChecks"] = (...args) => this.#bolt.write((run) => writeChecks(run, ...args));

  sweep: CatalogGraph["sweep"] = (stamp, scope) => this.#inLine(stamp.workspace, (run) => sweep(run, stamp, scope));

  markIncomplete: CatalogGraph["markIncomplete"] = (...args) => this.#bolt.write((run) => markIncomplete(run, ...args));

  listScopes: CatalogGraph["listScopes"] = (stamp) => listScopes(this.#bolt.read, stamp);

  countLosses: CatalogGraph["countLosses"] = (...args) => countLosses(this.#bolt.read, ...args);

  tally: CatalogGraph["tally"] = (stamp) => tally(this.#bolt.read, stamp);

  renameConnector: CatalogGraph["renameConnector"] = (stamp) =>
    this.#inLine(stamp.workspace, (run) => renameConnector(run, stamp));

  removeConnector: CatalogGraph["removeConnector"] = (stamp) =>
    this.#inLine(stamp.workspace, (run) => removeConnector(run, stamp));

  curate: CatalogGraph["curate"] = (workspace, ...args) =>
    this.#inLine(workspace, (run) => curate(run, workspace, ...args));

  stateByHand: CatalogGraph["stateByHand"] = (stamp, ...args) =>
    this.#inLine(stamp.workspace, (run) => stateByHand(run, stamp, ...args));

  certify: CatalogGraph["certify"] = (workspace, ...args) =>
    this.#inLine(workspace, (run) => certify(run, workspace, ...args));

  copyOut: CopyableGraph["copyOut"] = (...args) => copyOut(this.#bolt.readMain, ...args);

  copyIn: CopyableGraph["copyIn"] = (workspace, ...args) =>
    this.#inLine(workspace, (run) => copyIn(run, workspace, ...args));

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
