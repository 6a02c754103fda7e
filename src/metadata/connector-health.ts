/** The health of a connector, worked out from its syncs or from what was sent to it. */
import type { Reception } from "./receptions.ts";
import type { Connector, Sync } from "./records.ts";

export type ConnectorHealth = "healthy" | "degraded" | "unhealthy" | "unknown" | "disabled";

/**
 * A sync that completed with warnings only is healthy. If not all errors are kept, warnings are dropped first, so the
 * kept ones are enough to decide.
 * @param lastFinished the newest sync that completed or failed, or had a try that failed; null if there is none
 * @param reception of a connector that has received messages; null if it has not
 */
export function connectorHealth(
  { disabledAt, removingAt }: Pick<Connector, "disabledAt" | "removingAt">,
  lastFinished: Sync | null,
  reception: Pick<Reception, "failed"> | null = null,
): ConnectorHealth {
  if (disabledAt !== null || removingAt !== null) return "disabled";
  if (reception !== null) return reception.failed ? "degraded" : "healthy";
  if (lastFinished === null) return "unknown";
  if (lastFinished.status !== "completed") return "unhealthy";
  return lastFinished.errors.some(({ severity }) => severity === "error") ? "degraded" : "healthy";
}

/** Whether a sync completed, failed, or failed and is tried again. A cancelled sync says nothing about its connector. */
export function isFinished({ status, failedTries }: Sync): boolean {
  return status === "completed" || status === "failed" || (status !== "cancelled" && failedTries > 0);
}
