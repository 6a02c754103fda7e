/** Asks for a crawl; whoever asks again soon after gets the same one. */
import type { Origin } from "../auth/origin.ts";
import type { Clock } from "../clock.ts";
import type { SyncMode } from "../catalog/crawl.ts";
import { notFound } from "../errors.ts";
import type { Connector, Sync, TriggeredSync } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { CrawlerQueue } from "../queue/crawler-queue.ts";
import { cancelSync } from "./cancel-sync.ts";
import type { FindConnectorType } from "./connector-types.ts";

/** Within this time a repeat answers the sync that was asked for before. */
const REPEAT_WINDOW_MS = 5 * 60 * 1_000;
const RUNS_TO_ESTIMATE_BY = 5;

interface TriggerRequest {
  workspaceId: string;
  connectorId: string;
  /** Incremental unless told; a connector's first crawl is full in any case. */
  mode?: SyncMode | undefined;
  /** Starts anew, whatever was asked for before. */
  force?: boolean | undefined;
}

export interface SyncService {
  /**
   * @throws AppError `not_found` for a connector that the workspace does not have, `conflict` for one that is disabled
   */
  trigger(request: TriggerRequest): Promise<TriggeredSync>;
  /** See `cancelSync`. */
  cancel(origin: Origin, id: string): Promise<Sync>;
}

export interface SyncServiceOptions {
  store: MetadataStore;
  queue: Pick<CrawlerQueue, "nudge">;
  findConnectorType: FindConnectorType;
  clock: Clock;
}

export function createSyncService({ store, queue, findConnectorType, clock }: SyncServiceOptions): SyncService {
  /** Seconds, at least 1: by the connector's own runs, else by its input's size. */
  async function estimateSeconds(connector: Connector): Promise<number> {
    const runs = await store.syncs.listRecent(connector.workspaceId, connector.id, RUNS_TO_ESTIMATE_BY, "completed");
    const seconds = runs.length > 0 ? median(runs.map(durationSeconds)) : await guessSeconds(connector);
    return Math.max(1, Math.round(seconds));
  }

  async function guessSeconds({ type: name, options }: Connector): Promise<number> {
    const type = findConnectorType(name);
    const parsed = await type?.options.safeParseAsync(options);
    if (!type || !parsed?.success) return 1;
    // A source that cannot be looked at fails its crawl at once, and says why there.
    return type.estimateSeconds(parsed.data).catch(() => 1);
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
