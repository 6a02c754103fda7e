/** The one place where use cases are put together. REST, GraphQL and the command line take what they need from here. */
import type { Logger } from "pino";

import packageJson from "../package.json" with { type: "json" };
import { type Agent, createAgent } from "./agent/agent.ts";
import { createWriter, type Writer, type WriterParts } from "./agent/model/writer.ts";
import type { AuthParts } from "./auth/change.ts";
import { createRefusalTrail, type RefusalTrail } from "./auth/refusals.ts";
import type { Clock, RandomBytes } from "./clock.ts";
import { createConnectorFinder } from "./connectors/registry.ts";
import type { FindConnectorType } from "./crawl/connector-types.ts";
import { type ConnectorService, createConnectorService } from "./crawl/connector-service.ts";
import { createCrawlRunner } from "./crawl/run-crawl.ts";
import { createSyncService, type SyncService } from "./crawl/sync-service.ts";
import { createCursors, type Cursors } from "./cursors.ts";
import type { CatalogGraph } from "./graph/catalog-graph.ts";
import { createHealthCheck, type HealthReport } from "./health.ts";
import type { MetadataStore } from "./metadata/store.ts";
import type { CrawlerQueue } from "./queue/crawler-queue.ts";
import { createLocalQueue } from "./queue/local.ts";
import type { ModelSettings, Settings } from "./settings.ts";
import { createSqlLineage, type SqlLineage } from "./sql-lineage/thread.ts";
import { type Keep, openGraph, openMetadata } from "./stores.ts";
import { createWhatIf, type WhatIf } from "./what-if/what-if.ts";
import { type BudgetLimits, limitsFor } from "./work/budget.ts";
import { createHeldRows, type HeldRows } from "./work/held-rows.ts";
import { createTurns, type Turns } from "./work/turns.ts";
import { createUsage } from "./work/usage.ts";

/** Rows in the memory of all requests under way: at most two gigabytes or so, of the four that Node uses unless told. */
const MAX_HELD_ROWS = 4_000_000;

/** What the service is made of. Each part is made once. */
export interface Services {
  graph: CatalogGraph;
  /** Resolves when the graph can be used. A store on another machine may not be there yet; requests are refused until it is. */
  connected: Promise<void>;
  metadata: MetadataStore;
  findConnectorType: FindConnectorType;
  /** Runs the syncs that are queued, once it is started. */
  queue: CrawlerQueue;
  syncs: SyncService;
  connectors: ConnectorService;
  agent: Agent;
  sqlLineage: Pick<SqlLineage, "resolve">;
  whatIf: WhatIf;
  /** What the use cases of `auth/` work with. */
  auth: AuthParts;
  refusals: RefusalTrail;
  cursors: Cursors;
  health: () => Promise<HealthReport>;
  /** The most nodes that a lineage result holds. */
  maxLineageNodes: number;
  /** What one request may cost. */
  limits: BudgetLimits;
  heldRows: HeldRows;
  turns: Turns;
  log: Logger;
}

export interface ServiceParts {
  settings: Settings;
  keep: Keep;
  clock: Clock;
  random: RandomBytes;
  log: Logger;
  /** Gives a signal that comes after so many milliseconds. */
  deadline: (ms: number) => AbortSignal;
  /** Is told how to let go of each part that was opened, in the order of opening. */
  whenClosed: (what: string, letGo: () => void | Promise<void>) => void;
  /** Whether to wait for a graph store on another machine, as the server does. */
  waits?: boolean;
}

/**
 * Opens the stores, and puts the use cases together over them. Nothing runs before it is asked to.
 * @throws AppError `unavailable`, saying why a store cannot be opened
 */
export async function openServices(parts: ServiceParts): Promise<Services> {
  const { settings, keep, clock, random, log, whenClosed, waits = false } = parts;
  const { maxAnswerBytes, maxLineageNodes } = settings;
  const usage = createUsage();
  const metadata = await openMetadata(keep, { clock, random });
  whenClosed("the metadata store", () => metadata.close());
  const { graph, connected } = await openGraph(settings, keep, { usage, log, waits });
  whenClosed("the graph store", () => graph.close());
  const sqlLineage = createSqlLineage({ usage });
  whenClosed("the reader of SQL", () => sqlLineage.close());

  const findConnectorType = createConnectorFinder(settings);
  const crawling = { graph, store: metadata, sqlLineage, findConnectorType, clock };
  const queue = createLocalQueue({ store: metadata, run: createCrawlRunner({ ...crawling, log }), clock, log });
  whenClosed("crawls", () => queue.stop());

  const connectors = createConnectorService({ ...crawling, queue, log });
  whenClosed("changes of connectors", () => connectors.stop());

  const turns = createTurns({ usage });
  const auth = { store: metadata, clock, random };
  const writer = settings.model && (await openWriter(settings.model, parts));
  return {
    graph,
    connected,
    metadata,
    findConnectorType,
    queue,
    syncs: createSyncService({ store: metadata, queue, findConnectorType, clock }),
    connectors,
    agent: createAgent({ graph, metadata, maxLineageNodes, random, writer }),
    sqlLineage,
    whatIf: createWhatIf({ ...crawling, turns, maxAffected: maxLineageNodes }),
    auth,
    refusals: createRefusalTrail({ ...auth, log }),
    cursors: createCursors(keep.secretKey, clock),
    health: createHealthCheck({ graph, metadata, queue, clock, log, version: packageJson.version }),
    maxLineageNodes,
    limits: limitsFor({ maxLineageNodes, maxAnswerBytes }),
    heldRows: createHeldRows({ all: MAX_HELD_ROWS, ofOne: MAX_HELD_ROWS / 4 }),
    turns,
    log,
  };
}

/** The SDK is loaded only where there is a model to ask. */
async function openWriter(
  settings: ModelSettings,
  { deadline, random, log }: Pick<WriterParts, "deadline" | "random" | "log">,
): Promise<Writer> {
  const { createOpenAiCompatible } = await import("./agent/model/openai-compatible.ts");
  const model = createOpenAiCompatible(settings);
  return createWriter({ deadline, random, log, model, timeoutMs: settings.timeoutMs });
}
