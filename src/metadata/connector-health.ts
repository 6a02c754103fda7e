/** How a connector is doing, told from its runs. */
import type { Sync } from "./records.ts";

export type ConnectorHealth = "healthy" | "degraded" | "unhealthy" | "unknown" | "disabled";

/** @param lastFinished the newest run that completed or failed; null when there is none */
export function connectorHealth(lastFinished: Sync | null): ConnectorHealth {
  if (lastFinished === null) return "unknown";
  if (lastFinished.status === "failed") return "unhealthy";
  return lastFinished.errorsTotal > 0 ? "degraded" : "healthy";
}

/** Whether a run came to an end of its own; a cancelled one says nothing of its connector. */
export function isFinished(sync: Sync): boolean {
  return sync.status === "completed" || sync.status === "failed";
}
