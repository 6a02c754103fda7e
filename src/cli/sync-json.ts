/** A sync as the REST API writes it: what triggering one answers, and what a connector's status says of its last run. */
import type { Sync } from "../metadata/records.ts";

export function toTriggerJson(sync: Sync): Record<string, unknown> {
  return {
    sync_id: sync.id,
    connector_id: sync.connectorId,
    status: sync.status,
    mode: sync.mode,
    queued_at: sync.queuedAt,
    estimated_duration_seconds: sync.estimatedDurationSeconds,
  };
}

export function toRunJson(sync: Sync): Record<string, unknown> {
  return {
    ...toTriggerJson(sync),
    started_at: sync.startedAt,
    completed_at: sync.completedAt,
    assets_discovered: sync.assetsDiscovered,
    assets_updated: sync.assetsUpdated,
    errors: sync.errors.map(({ occurredAt, ...error }) => ({ ...error, occurred_at: occurredAt })),
    errors_total: sync.errorsTotal,
  };
}
