/** How a connector is doing, told from its runs. */
import type { Connector, Sync } from "./records.ts";

export type ConnectorHealth = "healthy" | "degraded" | "unhealthy" | "unknown" | "disabled";

/**
 * A run that completed with warnings alone is healthy. An error is never left out for a warning where not all are kept,
 * so that the kept ones decide.
 * @param lastFinished the newest run that completed or failed; null when there is none
 */
export function connectorHealth(
  { disabledAt, removingAt }: Pick<Connector, "disabledAt" | "removingAt">,
  lastFinished: Sync | null,
): ConnectorHealth {
  if (disabledAt !== null || removingAt !== null) return "disabled";
  if (lastFinished === null) return "unknown";
  if (lastFinished.status === "failed") return "unhealthy";
  return lastFinished.errors.some(({ severity }) => severity === "error") ? "degraded" : "healthy";
}

/** Whether a run came to an end of its own; a cancelled one says nothing of its connector. */
export function isFinished(sync: Sync): boolean {
  return sync.status === "completed" || sync.status === "failed";
}
