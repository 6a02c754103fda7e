/** Runs one crawl: writes the connector's events to the graph, and returns how the crawl went. */
import type { BaseLogger } from "pino";

import { listMetrics } from "../metrics/list-metrics.ts";
import { recheckCertifications } from "../metrics/recheck-certifications.ts";
import type { AspectReader } from "../catalog/aspect.ts";
import type { CatalogNode } from "../catalog/asset.ts";
import {
  type ConnectorType,
  type CrawlContext,
  CrawlFailure,
  type FindPipelines,
  type Pull,
} from "../connectors/connector.ts";
import { type CrawlError, crawlError, MAX_UNKEPT_KINDS, type Unkept } from "../catalog/crawl.ts";
import { parseSearch } from "../catalog/search.ts";
import { excerpt } from "../characters.ts";
import { AppError } from "../errors.ts";
import type { WorkspaceId } from "../ids.ts";
import type { CrawlTally } from "../graph/catalog-writes.ts";
import type { Connector, CrawlOutcome, CrawlProgress, Sync, Workspace } from "../metadata/records.ts";
import { type RunCrawl, SyncCancelled } from "./queue/crawler-queue.ts";
import type { SqlLineage } from "../sql-lineage/thread.ts";
import type { Caller } from "../work/caller.ts";
import { createErrorList } from "./error-list.ts";
import { findCheckpoint, saveCheckpoint } from "./checkpoint.ts";
import { type ConnectorParts, syncName } from "./sync-name.ts";
import { createScopeWriter, type ScopeWriter, SWEEP_HELD } from "./scope-writer.ts";
import { stampOf } from "./stamp.ts";
import { createStatementReader } from "./statement-reader.ts";

/** How many connectors are searched for others of the same type. */
const MANY = 1_000;

/** How many pipelines of one name a connector is told of. */
const MOST_NAMESAKES = 10;

/** Characters of a name of something that is not kept. */
const MAX_SHOWN = 300;

/** What is needed to write what a connector states. */
export interface IngestParts extends ConnectorParts {
  sqlLineage: Pick<SqlLineage, "resolve">;
  log: Pick<BaseLogger, "error" | "warn" | "info">;
}

/** What a sync needs, loaded. */
interface Job {
  workspace: Workspace;
  connector: Connector;
  type: ConnectorType;
  pull: Pull<unknown>;
  /** As the type's schema parsed them. */
  options: unknown;
}

/**
 * Makes the function that the queue calls for each sync. Every step may be repeated, also by another worker, because
 * the graph counts by the sync's id. The queue writes the end of the sync, as the last step.
 */
export function createCrawlRunner(options: IngestParts): RunCrawl {
  const { graph, store, findConnectorType, clock, log } = options;
  const reader = createStatementReader(options.sqlLineage, store.lineageAnswers);

  async function getJob({ workspaceId, connectorId }: Sync): Promise<Job> {
    const workspace = await store.workspaces.findById(workspaceId);
    const connector = await store.connectors.findById(workspaceId, connectorId);
    if (workspace === null || connector === null)
      throw failure("unknown_connector", "The connector does not exist any more.");
    const type = findConnectorType(connector.type);
    if (!type) throw failure("unknown_connector_type", `There is no connector type named ${connector.type}.`);
    const { pull } = type;
    if (pull === undefined) {
      throw failure("nothing_to_read", `A connector of type ${type.type} has no source to read: others send to it.`);
    }
    const parsed = await type.options.safeParseAsync(connector.options);
    if (!parsed.success) {
      const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
      throw failure("invalid_options", `The connector's options are not valid: ${faults.join("; ")}.`);
    }
    return { workspace, connector, type, pull, options: parsed.data };
  }

  async function findPeers({ id, type, workspaceId }: Connector): Promise<Set<string>> {
    const { items } = await store.connectors.list(workspaceId, { after: null, limit: MANY });
    return new Set(items.filter((each) => each.type === type && each.id !== id).map(({ name }) => name));
  }

  async function wasHeldBack({ id, workspaceId }: Connector): Promise<boolean> {
    const [last] = await store.syncs.listRecent(workspaceId, id, 1, "completed");
    return last?.errors.some(({ code }) => code === SWEEP_HELD) ?? false;
  }

  async function findPipelines(workspace: WorkspaceId, name: string, platform: string): Promise<CatalogNode[]> {
    const query = parseSearch(name);
    if (query === null) return [];
    // An exact name comes first.
    const page = { after: null, limit: MOST_NAMESAKES };
    const { items } = await graph.searchNodes(workspace, { types: ["pipeline"], platform }, query, page);
    return items.map(({ node }) => node).filter((node) => node.name === name);
  }

  /** The result contains no stack trace and no secret. */
  function toCrawlError(error: unknown, sync: Sync): CrawlError {
    if (error instanceof CrawlFailure) return error.error;
    if (error instanceof AppError) {
      const { code, message } = error;
      return crawlError({ code, message, stage: "write", retryable: code === "unavailable" });
    }
    log.error({ err: error, syncId: sync.id }, "a sync failed unexpectedly");
    const message = "The sync stopped because of an internal error.";
    return crawlError({ code: "internal_error", message, stage: "read" });
  }

  const run: RunCrawl = async (sync, signal, onProgress) => {
    const errors = createErrorList(clock, log, { syncId: sync.id });
    let status: CrawlOutcome["status"] = "completed";
    let state: CrawlOutcome["state"] = null;
    let tally: CrawlTally = { discovered: 0, updated: 0 };
    const unkept: Unkept[] = [];
    let writer: ScopeWriter | undefined;
    const isCancelled = (): boolean => signal.aborted && signal.reason instanceof SyncCancelled;
    try {
      const job = await getJob(sync);
      await syncName(options, job.connector);
      const stamp = stampOf(job.connector, job.type, sync, clock);
      const caller: Caller = { tenant: `crawl:${job.connector.id}`, signal };
      let fraction = 0;
      const report = (progress: CrawlProgress): void => {
        fraction = progress.fraction;
        onProgress(progress);
      };
      writer = createScopeWriter({
        graph,
        stamp,
        workspace: job.workspace.name,
        errors,
        reader,
        caller,
        isWholeSource: true,
        peers: await findPeers(job.connector),
        removalShare: sync.confirmRemoval ? 100 : job.connector.removalShare,
        wasHeldBack: await wasHeldBack(job.connector),
        onReading: (done, total) => onProgress({ fraction, label: `Reading SQL: ${done} of ${total}` }),
      });
      const previous = sync.mode === "incremental" ? await findCheckpoint(graph, stamp, job.connector.state) : null;
      // If an earlier run of this sync stopped early, what it stated counts as seen, even if the source has lost it
      // since.
      const resumed = (await graph.tally(stamp)).discovered > 0;
      const certifiedBefore = await listMetrics(graph, stamp.workspace, { signal, certification: "certified" });
      const recheck = (): Promise<void> =>
        recheckCertifications({
          graph,
          audit: store.audit,
          workspace: stamp.workspace,
          actor: `connector ${job.connector.name}`,
          now: clock.now,
          syncId: sync.id,
          certifiedBefore,
          // What a cancelled crawl wrote is kept, so the certifications are checked too.
          ...(isCancelled() ? {} : { signal }),
        });
      let found: Found;
      try {
        found = await crawl(
          job,
          store.aspects.readerOf(job.connector.id),
          { mode: sync.mode, previousState: previous?.state ?? null, signal, now: clock.now },
          (name, platform) => findPipelines(sync.workspaceId, name, platform),
          { writer, unkept, onProgress: report },
        );
      } catch (error) {
        if (!isCancelled()) signal.throwIfAborted();
        // What it wrote until then is kept. The reason of the failure must be reported, so a failure here is only
        // logged.
        await recheck().catch((err: unknown) =>
          log.error({ err, syncId: sync.id }, "certifications could not be checked"),
        );
        throw error;
      } finally {
        tally = await graph.tally(stamp);
      }
      // If the source did not change, nothing was stated, but its assets were still seen.
      if (!found.anything && previous !== null) tally = { discovered: previous.assets, updated: 0 };
      if (found.anything) await recheck();
      await store.lineageAnswers.removeUnused();
      // The state is kept only if the crawl had no warning, because the next crawl must report the warning again. It is
      // not kept if the SQL names relations of other connectors, because these may change while this source does not.
      const isAlike = !resumed && errors.total === 0 && !writer.findsExternalRelations;
      if (found.state !== null && isAlike) state = saveCheckpoint(found.state, stamp, tally);
    } catch (error) {
      if (isCancelled()) status = "cancelled";
      else {
        signal.throwIfAborted();
        status = "failed";
        errors.addLast(toCrawlError(error, sync));
      }
    }
    return {
      status,
      assetsDiscovered: tally.discovered,
      assetsUpdated: tally.updated,
      assetsRemoved: writer?.removed ?? 0,
      errors: errors.kept,
      errorsTotal: errors.total,
      unkept,
      state,
    };
  };
  return logCrawls(run, log);
}

interface Found {
  /** Whether the connector began a scope. */
  anything: boolean;
  /** What the connector stored for its next crawl. */
  state: Record<string, string> | null;
}

async function crawl(
  { pull, options }: Job,
  aspects: AspectReader,
  context: CrawlContext,
  findPipelines: FindPipelines,
  to: {
    writer: ScopeWriter;
    unkept: Unkept[];
    onProgress: (progress: CrawlProgress) => void;
  },
): Promise<Found> {
  const { writer } = to;
  const { signal } = context;
  const found: Found = { anything: false, state: null };
  signal.throwIfAborted();
  for await (const event of pull.crawl(options, context, aspects, findPipelines)) {
    signal.throwIfAborted();
    switch (event.kind) {
      case "progress":
        to.onProgress({ fraction: Math.min(1, Math.max(0, event.fraction)), label: event.label });
        break;
      case "state":
        found.state = event.state;
        break;
      case "unkept":
        if (to.unkept.length < MAX_UNKEPT_KINDS) to.unkept.push(toShown(event.unkept));
        break;
      default:
        found.anything ||= event.kind === "begin";
        await writer.take(event);
    }
  }
  await writer.finish();
  return found;
}

/** Names come from outside, and may be long. */
function toShown({ entity, aspect, example, ...rest }: Unkept): Unkept {
  return {
    ...rest,
    entity: excerpt(entity, MAX_SHOWN),
    aspect: excerpt(aspect, MAX_SHOWN),
    example: excerpt(example, MAX_SHOWN),
  };
}

function failure(code: string, message: string): CrawlFailure {
  return new CrawlFailure({ code, message, stage: "connect" });
}

/** A failed crawl is logged as a warning, which the log shows by default. */
export function logCrawls(run: RunCrawl, log: Pick<BaseLogger, "info" | "warn">): RunCrawl {
  return async (sync, signal, onProgress) => {
    const { id: syncId, connectorId, mode } = sync;
    const started = performance.now();
    log.info({ syncId, connectorId, mode }, "a sync begins");
    try {
      const outcome = await run(sync, signal, onProgress);
      const { status, assetsDiscovered, assetsUpdated, assetsRemoved, errors, errorsTotal } = outcome;
      const counts = { assetsDiscovered, assetsUpdated, assetsRemoved, errorsTotal };
      const durationMs = Math.round(performance.now() - started);
      const fields = { syncId, connectorId, ...counts, durationMs };
      if (status === "failed") log.warn({ ...fields, lastError: errors.at(-1)?.message }, "a sync failed");
      else log.info(fields, "a sync is completed");
      return outcome;
    } catch (error) {
      log.info({ syncId, connectorId }, "a sync is given back to the queue");
      throw error;
    }
  };
}
