/** Creates all use cases. REST, GraphQL and the command line take them from here. */
import type { Logger } from "pino";

import packageJson from "../package.json" with { type: "json" };
import { createAgent } from "./agent/agent.ts";
import { type Chooser, type ChooserParts, createChooser } from "./agent/choose-plan.ts";
import { createAuditSweeper } from "./auth/audit-sweeper.ts";
import { createLoginParts, type LoginParts } from "./auth/logins/login-parts.ts";
import { createRefusalTrail, type RefusalTrail } from "./auth/refusals.ts";
import type { Sso } from "./auth/sso/sso.ts";
import { type Clock, type Countdown, type RandomBytes, systemCountdown } from "./clock.ts";
import { createConnectorFinder } from "./connectors/registry.ts";
import { createFileLocator, SAMPLE_FOLDER } from "./connectors/source-folders.ts";
import { readPermittedPaths } from "./data-folder/permitted-paths.ts";
import { createConnectorService } from "./ingest/connector-service.ts";
import { createHistorySweeper } from "./ingest/history-sweeper.ts";
import { createReceiver } from "./ingest/receive.ts";
import { createCrawlRunner } from "./ingest/run-crawl.ts";
import { createScheduler } from "./ingest/scheduler.ts";
import { createSyncService } from "./ingest/sync-service.ts";
import { createCursors } from "./cursors.ts";
import type { CatalogGraph } from "./graph/catalog-graph.ts";
import { createHealthCheck } from "./telemetry/health.ts";
import { createHeartbeat } from "./ingest/queue/heartbeat.ts";
import { createLocalQueue } from "./ingest/queue/local.ts";
import { openNotices } from "./notices/open-notices.ts";
import type { ModelSettings, Settings, SsoSettings } from "./settings/settings.ts";
import { createSqlLineage, type SqlLineage } from "./sql-lineage/thread.ts";
import { type DataFolderKeys, openGraph, openLimits, openMetadata } from "./stores.ts";
import { createSavedImpacts } from "./what-if/saved-impacts.ts";
import { createWhatIf } from "./what-if/what-if.ts";
import type { Metrics } from "./telemetry/metrics.ts";
import type { Tracer } from "./telemetry/traces/tracer.ts";
import { countLimits, observeCrawls, observeGraph } from "./telemetry/wrap.ts";
import { observeByAll } from "./work/observe.ts";
import { toBudgetLimits } from "./work/budget.ts";
import { createLargeRequests } from "./work/large-requests.ts";
import { createRowMemoryLimit } from "./work/row-memory-limit.ts";
import { createEventLoopScheduler } from "./work/event-loop-scheduler.ts";
import { createUsage, type Usage } from "./work/usage.ts";

/** Rows in memory for all running requests: about two of the four gigabytes that Node uses by default. */
const MAX_HELD_ROWS = 4_000_000;

/** The parts of the service. Each is created once. */
export type Services = Awaited<ReturnType<typeof openServices>>;

export interface ServiceParts {
  settings: Settings;
  keep: DataFolderKeys;
  clock: Clock;
  random: RandomBytes;
  log: Logger;
  /** Returns a signal that aborts after this many milliseconds. */
  deadline: (ms: number) => AbortSignal;
  countdown?: Countdown;
  /** Called for each part that was opened, in order, with a function that closes it. */
  whenClosed: (what: string, closeIt: () => void | Promise<void>) => void;
  /** Returns the origin at which people reach the service. Default: the one of the settings. */
  publicUrl?: () => string;
  /** Null: nobody reads metrics. */
  metrics?: Metrics | null;
  /** Null: nothing is traced. */
  tracer?: Tracer | null;
  /** The stores on other machines that may come later. Default: none, so that a command fails at once. */
  waitsFor?: "both" | "graph";
  /** Reads SQL. Default: threads of its own, which end with the service. */
  sqlLineage?: Pick<SqlLineage, "resolve">;
  /** Whether this process crawls, and applies what it receives. If not, it leaves that to workers. */
  works?: boolean;
  /** Whether requests are counted together with other servers, as `LIMITS_URL` says. */
  sharesLimits?: boolean;
}

function startSqlLineage(usage: Usage, whenClosed: ServiceParts["whenClosed"]): SqlLineage {
  const started = createSqlLineage({ usage });
  whenClosed("the reader of SQL", () => started.close());
  return started;
}

/**
 * Opens the stores and creates the use cases. Starts no work.
 * @throws AppError `unavailable` if a store cannot be opened
 */
export async function openServices(parts: ServiceParts) {
  const { settings, keep, clock, random, log, whenClosed, waitsFor, works = true, sharesLimits = false } = parts;
  const { countdown = systemCountdown, metrics = null, tracer = null } = parts;
  const isObserved = metrics !== null || tracer !== null;
  const observe = observeByAll([metrics, tracer].flatMap((each) => each?.observe ?? []));
  const { maxAnswerBytes, maxLineageNodes } = settings;
  const usage = createUsage();
  const turns = createEventLoopScheduler({ usage });
  const { metadata, connected: connectedMetadata } = await openMetadata(settings, keep, {
    clock,
    random,
    log,
    waits: waitsFor === "both",
  });
  whenClosed("the metadata store", () => metadata.close());
  const { graph: opened, connected: connectedGraph } = await openGraph(settings, keep, {
    usage,
    resume: turns.resume,
    log,
    waits: waitsFor !== undefined,
    metadata,
    metadataConnected: connectedMetadata,
  });
  const graph: CatalogGraph = isObserved ? observeGraph(opened, observe) : opened;
  whenClosed("the graph store", () => graph.close());
  /**
   * Resolves when both stores can be used. A store on another machine may start later; requests are refused until then.
   * Rejects with `UnusableStore` if waiting does not help.
   */
  const connected = waitForBoth(connectedMetadata, connectedGraph);
  // A caller that awaits it gets the error. A command does not wait.
  connected.catch(() => {});
  const sqlLineage = parts.sqlLineage ?? startSqlLineage(usage, whenClosed);

  const listPermitted = (): readonly string[] => [
    ...(settings.connectorFolders ?? readPermittedPaths(keep.folder)),
    SAMPLE_FOLDER,
  ];
  const findConnectorType = createConnectorFinder(settings, createFileLocator(listPermitted, keep.folder.path));
  const crawling = { graph, store: metadata, sqlLineage, findConnectorType, clock };
  /** Runs queued syncs after `start`. */
  const queue = createLocalQueue({
    store: metadata,
    run: observeCrawls(createCrawlRunner({ ...crawling, log }), observe),
    clock,
    log,
  });
  whenClosed("crawls", () => queue.stop());

  /** Tells other processes that this one works. */
  const heartbeat = createHeartbeat({ store: metadata, log });
  whenClosed("the sign of life", () => heartbeat.stop());

  /** Queues syncs by the connectors' schedules after `start`. */
  const scheduler = createScheduler({ store: metadata, queue, findConnectorType, clock, log });
  whenClosed("schedules", () => scheduler.stop());

  const auditSweeper = createAuditSweeper({ store: metadata, clock, log });
  const historySweeper = createHistorySweeper({ graph, store: metadata, days: settings.historyDays, clock, log });
  /** They delete audit events and history that are too old, after `start`. */
  const sweepers = [auditSweeper, historySweeper];
  for (const sweeper of sweepers) whenClosed("sweeping", () => sweeper.stop());

  const connectors = createConnectorService({ ...crawling, queue, log });
  whenClosed("changes of connectors", () => connectors.stop());

  /** Deletes what is too old, after `start`. */
  const savedImpacts = createSavedImpacts({ store: metadata, turns, clock, log });
  whenClosed("saved impacts", () => savedImpacts.sweeper.stop());

  /** Takes what others send. After `start` it also applies what waits. */
  const receiver = createReceiver({ ...crawling, turns, countdown, log, writes: works });
  whenClosed("received events", () => receiver.stop());

  /** The parts that the use cases of `auth/` need. */
  const auth = { store: metadata, clock, random };
  const limits = await openLimits(settings, keep, { together: sharesLimits, clock, random, countdown, log });
  whenClosed("the limits store", () => limits.close());
  /** Where requests and failures are counted. */
  const counts = metrics === null ? limits : countLimits(limits, metrics);
  /** The parts that the use cases of people who log in need, passwords, links and sessions. */
  const logins = createLoginParts(auth, { ...parts, secretKey: keep.secretKey, counts });
  const { publicUrl } = logins;
  const { noticeRules, notices } = await openNotices({ ...parts, graph, store: metadata, publicUrl });
  whenClosed("notices", () => notices.stop());
  const refusals = createRefusalTrail({ ...auth, log });
  const chooser = settings.model && (await openChooser(settings.model, parts));
  return {
    graph,
    connected,
    metadata,
    findConnectorType,
    queue,
    heartbeat,
    scheduler,
    sweepers,
    syncs: createSyncService({ store: metadata, queue, findConnectorType, clock }),
    connectors,
    /** What the use cases of `notices/` need. */
    noticeRules,
    /** Sends notices, after `start`. */
    notices,
    receiver,
    agent: createAgent({ clock, random, chooser }),
    sqlLineage,
    whatIf: createWhatIf({
      ...crawling,
      // It reads the files of the request, and none that the options name.
      findConnectorType: createConnectorFinder(settings, null),
      turns,
      maxAffected: maxLineageNodes,
    }),
    savedImpacts,
    auth,
    logins,
    /** Null: people log in with passwords only. */
    sso: settings.sso && (await openSso(logins, settings.sso, { ...parts, refusals })),
    refusals,
    cursors: createCursors(keep.secretKey, clock),
    health: createHealthCheck({
      graph,
      metadata,
      queue,
      limits: counts,
      isServed: async () => works || (await metadata.workers.countAlive()) > 0,
      clock,
      log,
      version: packageJson.version,
    }),
    /** The largest number of nodes in a lineage result. */
    maxLineageNodes,
    /** The budget of one request. */
    budgetLimits: toBudgetLimits({ maxLineageNodes, maxAnswerBytes }),
    largeRequests: createLargeRequests(),
    heldRows: createRowMemoryLimit({ all: MAX_HELD_ROWS, ofOne: MAX_HELD_ROWS / 4 }),
    counts,
    turns,
    observe,
    log,
  };
}

/**
 * Begins to work as soon as both stores can be used: runs queued syncs, queues those of schedules, writes what was
 * received, deletes audit events, history and saved impacts that are too old, sends notices, and finishes changes of connectors that stopped before the end.
 */
export async function startWork(services: Services): Promise<void> {
  const { connected, queue, heartbeat, scheduler, sweepers, savedImpacts, notices, receiver, connectors, log } =
    services;
  await connected;
  heartbeat.start();
  queue.start();
  scheduler.start();
  for (const sweeper of sweepers) sweeper.start();
  savedImpacts.sweeper.start();
  notices.start();
  receiver.start();
  await connectors
    .resume()
    .catch((err: unknown) => log.error({ err }, "unfinished changes of connectors could not be resumed"));
}

async function waitForBoth(...stores: Promise<void>[]): Promise<void> {
  await Promise.all(stores);
}

/** Loads the client of OpenID Connect only if a provider is configured. */
async function openSso(
  logins: LoginParts,
  settings: SsoSettings,
  { keep, refusals, log }: ServiceParts & { refusals: RefusalTrail },
): Promise<Sso> {
  const { createSso } = await import("./auth/sso/sso.ts");
  return createSso(logins, { settings, secretKey: keep.secretKey, refusals, log });
}

/** Loads the SDK only if a model is configured. */
async function openChooser(
  settings: ModelSettings,
  { deadline, random, log }: Pick<ChooserParts, "deadline" | "random" | "log">,
): Promise<Chooser> {
  const { createOpenAiCompatible } = await import("./agent/model/openai-compatible.ts");
  const model = createOpenAiCompatible(settings);
  return createChooser({ deadline, random, log, model, timeoutMs: settings.timeoutMs });
}
