/** A crawl runner on a scripted connector, and ways to look at the results of its crawls. */
import { columnRef, nodeId } from "../../src/catalog/identity.ts";
import type { CrawlEvent } from "../../src/connectors/connector.ts";
import { createCrawlRunner } from "../../src/ingest/run-crawl.ts";
import type { CatalogGraph } from "../../src/graph/catalog-graph.ts";
import type { NodeId } from "../../src/ids.ts";
import type { CrawlOutcome, CrawlProgress } from "../../src/metadata/records.ts";
import type { LineageRequest } from "../../src/sql-lineage/request.ts";
import { resolveColumns } from "../../src/sql-lineage/resolve-columns.ts";
import type { SqlLineage } from "../../src/sql-lineage/thread.ts";
import { MINUTE_MS } from "./clock.ts";
import { openTestMetadata } from "./metadata-store.ts";
import { createReferenceGraph } from "./reference-graph.ts";
import { createScriptedConnector, tableRef } from "./scripted-connector.ts";
import { enqueue } from "./syncs.ts";

/** @param read reads SQL instead of the real rules */
export async function openCrawlBench(graph: CatalogGraph = createReferenceGraph(), read?: SqlLineage["resolve"]) {
  const metadata = await openTestMetadata();
  const { store, clock, workspace } = metadata;
  const connector = await metadata.addConnector("shop");
  const scripted = createScriptedConnector();
  const logged: unknown[] = [];
  const sqlLineage = { resolve: read ?? (async (request: LineageRequest) => resolveColumns(request)) };
  const log = {
    error: (fault: unknown) => void logged.push(fault),
    warn: (told: unknown) => void logged.push(told),
    info: () => {},
  };
  const runOn = (on: CatalogGraph) =>
    createCrawlRunner({ graph: on, sqlLineage, store, findConnectorType: scripted.find, clock, log });
  const run = runOn(graph);

  /** Queues, runs and ends one sync of these events, as the queue would. */
  async function crawl(
    events: readonly CrawlEvent[] | (() => Generator<CrawlEvent>),
    {
      signal = new AbortController().signal,
      told = [] as CrawlProgress[],
      by = connector,
      confirmRemoval = false,
    } = {},
  ): Promise<CrawlOutcome> {
    scripted.script = () => (typeof events === "function" ? events() : events);
    clock.advance(MINUTE_MS);
    await enqueue(metadata, by, { confirmRemoval });
    const lease = { workerId: "w", now: clock.now(), until: clock.now() };
    const sync = await store.leases.claim(lease);
    if (sync === null) throw new Error("there is no sync to run");
    try {
      const outcome = await run(sync, signal, (progress) => told.push(progress));
      await store.leases.finish(sync.id, "w", outcome, clock.now());
      return outcome;
    } catch (error) {
      await store.leases.release(sync.id, "w");
      throw error;
    }
  }

  /** The same by another connector, which is created at its first crawl. */
  async function crawlAs(name: string, events: readonly CrawlEvent[]): Promise<CrawlOutcome> {
    const by = (await store.connectors.findByName(workspace.id, name)) ?? (await metadata.addConnector(name));
    return crawl(events, { by });
  }

  const idOf = (name: string): NodeId => nodeId(workspace.name, tableRef(name));
  const columnIdOf = (name: string, column: string): NodeId =>
    nodeId(workspace.name, columnRef(tableRef(name), column));
  const find = async (id: NodeId) => (await graph.loadNodes(workspace.id, [id]))[0] ?? null;
  return {
    ...metadata,
    graph,
    sqlLineage,
    connector,
    scripted,
    logged,
    run,
    runOn,
    crawl,
    crawlAs,
    idOf,
    columnIdOf,
    find,
  };
}
