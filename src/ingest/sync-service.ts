/** Requests a crawl. If somebody requests it again soon, they get the same sync. */
import type { Origin } from "../auth/origin.ts";
import type { Clock } from "../clock.ts";
import type { SyncMode } from "../catalog/crawl.ts";
import { notFound } from "../errors.ts";
import type { ConnectorId, SyncId, WorkspaceId } from "../ids.ts";
import type { Connector, Sync, TriggeredSync } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { CrawlerQueue } from "../queue/crawler-queue.ts";
import { cancelSync } from "./cancel-sync.ts";
import type { FindConnectorType } from "./connector-types.ts";

/** Within this time, a repeated request returns the earlier sync. */
const REPEAT_WINDOW_MS = 5 * 60 * 1_000;
const RUNS_TO_ESTIMATE_BY = 5;

interface TriggerRequest {
  workspaceId: WorkspaceId;
  connectorId: ConnectorId;
  /** Incremental if absent. A connector's first crawl is always full. */
  mode?: SyncMode | undefined;
  /** Starts a new sync, even if one was requested before. */
  force?: boolean | undefined;
}

export interface SyncService {
  /** @throws AppError `not_found` if the workspace does not have the connector, `conflict` if it is disabled */
  trigger(request: TriggerRequest): Promise<TriggeredSync>;
  /** See `cancelSync`. */
  cancel(origin: Origin, id: SyncId): Promise<Sync>;
}

export interface SyncServiceOptions {
  store: MetadataStore;
  queue: Pick<CrawlerQueue, "nudge">;
  findConnectorType: FindConnectorType;
  clock: Clock;
}

export function createSyncService({ store, queue, findConnectorType, clock }: SyncServiceOptions): SyncService {
  /** Seconds, at least 1. They are estimated from the connector's earlier syncs, else from the size of its source. */
  async function estimateSeconds(connector: Connector): Promise<number> {
    const runs = await store.syncs.listRecent(connector.workspaceId, connector.id, RUNS_TO_ESTIMATE_BY, "completed");
    const seconds = runs.length > 0 ? median(runs.map(durationSeconds)) : await guessSeconds(connector);
    return Math.max(1, Math.round(seconds));
  }

  async function guessSeconds({ type: name, options }: Connector): Promise<number> {
    const type = findConnectorType(name);
    const parsed = await type?.options.safeParseAsync(options);
    if (!type || !parsed?.success) return 1;
    // If the source cannot be read now, the crawl fails at once and says why.
    return type.pull?.estimateSeconds(parsed.data).catch(() => 1) ?? 1;
  }

  return {
    cancel: (origin, id) => cancelSync({ store, queue }, origin, id),
    async trigger({ workspaceId, connectorId, mode = "incremental", force = false }) {
      const connector = await store.connectors.findById(workspaceId, connectorId);
      if (connector === null) throw notFound("connector", connectorId);
      const estimatedDurationSeconds = await estimateSeconds(connector);
      const queuedAt = clock.now();
      const repeatOf = force ? null : new Date(queuedAt.getTime() - REPEAT_WINDOW_MS);
      const sync = await store.syncs.enqueue({
        workspaceId,
        connectorId,
        mode,
        queuedAt,
        repeatOf,
        estimatedDurationSeconds,
      });
      queue.nudge();
      return sync;
    },
  };
}

function durationSeconds({ startedAt, completedAt }: Sync): number {
  return startedAt === null || completedAt === null ? 0 : (Date.parse(completedAt) - Date.parse(startedAt)) / 1_000;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  return (lower + upper) / 2;
}
