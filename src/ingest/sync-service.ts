/** Requests a crawl, and cancels one. If somebody requests it again soon, they get the same sync. */
import { change } from "../auth/change.ts";
import type { Origin } from "../auth/origin.ts";
import type { SyncMode } from "../catalog/crawl.ts";
import { notFound } from "../errors.ts";
import type { ConnectorId, SyncId, WorkspaceId } from "../ids.ts";
import type { Sync, TriggeredSync } from "../metadata/records.ts";
import type { LocalQueue } from "./queue/local.ts";
import { requireSource } from "./connector-options.ts";
import { createEstimator } from "./estimate.ts";
import type { ConnectorParts } from "./sync-name.ts";

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

type SyncParts = Omit<ConnectorParts, "graph"> & { queue: Pick<LocalQueue, "nudge"> };

export function createSyncService({ store, queue, findConnectorType, clock }: SyncParts) {
  const estimateSeconds = createEstimator(store, findConnectorType);

  return {
    /**
     * One that waits ends at once; one that runs stops at its next event. What it wrote is kept, and nothing is swept. It may be
     * repeated.
     * @returns the sync after that; a running one ends within two seconds, when its worker learns of it
     * @throws AppError `not_found`; `conflict` if the sync completed or failed
     */
    async cancel(origin: Origin, id: SyncId): Promise<Sync> {
      const workspaceId = origin.workspace.id;
      const sync = await change(store, origin, async ({ syncs }, note) => {
        const before = await syncs.findById(workspaceId, id);
        const after = await syncs.cancel(workspaceId, id);
        if (before === null || after === null) throw notFound("sync", id);
        const isNew = before.status !== "cancelled" && before.cancelRequestedAt === null;
        if (isNew) await note("sync_cancelled", id, { connectorId: after.connectorId, status: before.status });
        return after;
      });
      queue.nudge();
      return sync;
    },
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
