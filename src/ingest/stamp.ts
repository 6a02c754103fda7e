/** The stamp of a connector's writes to the graph. */
import type { Clock } from "../clock.ts";
import type { ConnectorType } from "../connectors/connector.ts";
import type { CrawlStamp } from "../graph/catalog-writes.ts";
import type { Connector } from "../metadata/records.ts";

/**
 * @param type null or undefined for a type that this version does not know; it gets the lowest precedence
 * @param sync the sync; for other work a text as its id, and 0 as its run
 */
export function stampOf(
  { id, workspaceId, name, createdAt }: Connector,
  type: Pick<ConnectorType, "precedence" | "lineagePrecedence"> | null | undefined,
  { id: syncId, run, runsByScope = false }: { id: string; run: number; runsByScope?: boolean },
  clock: Clock,
): CrawlStamp {
  return {
    workspace: workspaceId,
    connectorId: id,
    connectorName: name,
    precedence: type?.precedence ?? 0,
    lineagePrecedence: type?.lineagePrecedence ?? 0,
    connectorCreatedAt: createdAt,
    syncId,
    run,
    runsByScope,
    at: clock.now().toISOString(),
  };
}
