/** Requests a crawl. If somebody requests it again soon, they get the same sync. */
import type { Origin } from "../auth/origin.ts";
import type { Clock } from "../clock.ts";
import type { SyncMode } from "../catalog/crawl.ts";
import { notFound } from "../errors.ts";
import type { ConnectorId, SyncId, WorkspaceId } from "../ids.ts";
import type { TriggeredSync } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { CrawlerQueue } from "./queue/crawler-queue.ts";
import { cancelSync } from "./cancel-sync.ts";
import { requireSource } from "./connector-options.ts";
import type { FindConnectorType } from "./connector-types.ts";
import { createEstimator } from "./estimate.ts";

/** Within this time, a repeated request returns the earlier sync. */
const REPEAT_WINDOW_MS = 5 * 60 * 1_000;

interface TriggerRequest {
  workspaceId: WorkspaceId;
  connectorId: ConnectorId;
  /** Incremental if absent. A connector's first crawl is always full. */
  mode?: SyncMode | undefined;
  /** Starts a new sync, even if one was requested before. */
  force?: boolean | undefined;
  /** Lets the crawl remove any share of what the connector stated. It also starts a new sync. */
  confirmRemoval?: boolean | undefined;
}

export interface SyncServiceOptions {
  store: MetadataStore;
  queue: Pick<CrawlerQueue, "nudge">;
  findConnectorType: FindConnectorType;
  clock: Clock;
}

export function createSyncService({ store, queue, findConnectorType, clock }: SyncServiceOptions) {
  const estimateSeconds = createEstimator({ store, findConnectorType });

  return {
    /** See `cancelSync`. */
    cancel: (origin: Origin, id: SyncId) => cancelSync({ store, queue }, origin, id),
    /**
     * @throws AppError `not_found` if the workspace does not have the connector, `conflict` if it is disabled or if others
     * send to it
     */
    async trigger({
      workspaceId,
      connectorId,
      mode = "incremental",
      force = false,
      confirmRemoval = false,
    }: TriggerRequest): Promise<TriggeredSync> {
      const connector = await store.connectors.findById(workspaceId, connectorId);
      if (connector === null) throw notFound("connector", connectorId);
      requireSource(connector, findConnectorType(connector.type));
      const estimatedDurationSeconds = await estimateSeconds(connector);
      const queuedAt = clock.now();
      const repeatOf = force || confirmRemoval ? null : new Date(queuedAt.getTime() - REPEAT_WINDOW_MS);
      const sync = await store.syncs.enqueue({
        workspaceId,
        connectorId,
        mode,
        queuedAt,
        repeatOf,
        confirmRemoval,
        estimatedDurationSeconds,
      });
      queue.nudge();
      return sync;
    },
  };
}
