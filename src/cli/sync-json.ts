/** A sync as JSON in the form of the REST API. */
import type { Found } from "./operations.ts";

/** A sync as GraphQL returns it. A sync of the metadata store also fits this type. */
export type SyncState = NonNullable<Found<"SyncProgress">["sync"]>;

export function toTriggerJson(sync: SyncState): Record<string, unknown> {
  return {
    sync_id: sync.id,
    connector_id: sync.connectorId,
    status: sync.status,
    mode: sync.mode,
    queued_at: sync.queuedAt,
    estimated_duration_seconds: sync.estimatedDurationSeconds,
  };
}

export function toRunJson(sync: SyncState): Record<string, unknown> {
  return {
    ...toTriggerJson(sync),
    started_at: sync.startedAt,
    completed_at: sync.completedAt,
    failed_tries: sync.failedTries,
    next_try_at: sync.nextTryAt,
    assets_discovered: sync.assetsDiscovered,
    assets_updated: sync.assetsUpdated,
    errors: sync.errors.map(({ occurredAt, object, ...error }) => ({
      ...error,
      // As the REST API says that there is none.
      object: object ?? "",
      occurred_at: occurredAt,
    })),
    errors_total: sync.errorsTotal,
  };
}
