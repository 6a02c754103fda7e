/** Refuses writes in the name of a connector that was removed. */
import type { CrawlStamp } from "../catalog-writes.ts";
import { removedConnector } from "../removed-connector.ts";
import type { Statements } from "./statements.ts";

/**
 * Must run in the transaction that writes in the connector's name.
 * @throws AppError `conflict` if the removal of the connector has begun
 */
export function refuseRemoved(
  sql: Statements,
  { workspace, connectorId }: Pick<CrawlStamp, "workspace" | "connectorId">,
): void {
  const found = sql.get("SELECT 1 FROM removed_connectors WHERE workspace = $workspace AND connector = $connector", {
    workspace,
    connector: connectorId,
  });
  if (found !== undefined) throw removedConnector();
}
