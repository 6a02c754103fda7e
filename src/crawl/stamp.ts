/** What a connector's writes to the graph are stamped with. */
import type { Clock } from "../clock.ts";
import type { ConnectorType } from "../connectors/connector.ts";
import type { CrawlStamp } from "../graph/catalog-writes.ts";
import type { Connector } from "../metadata/records.ts";

/**
 * @param type null for a type that this version does not know: its word then counts least
 * @param syncId of the sync, or what else writes
 */
export function stampOf(
  { id, workspaceId, name, createdAt }: Connector,
  type: Pick<ConnectorType, "precedence" | "lineagePrecedence"> | null | undefined,
  syncId: string,
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
    at: clock.now().toISOString(),
  };
}
