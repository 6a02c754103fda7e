/** The connector types that there are. */
import type { ConnectorType } from "./connector.ts";
import { dbtConnector } from "./dbt/connector.ts";

export const connectorTypes: readonly ConnectorType[] = [dbtConnector];

/** The type of this word, or null. */
export function findConnectorType(type: string): ConnectorType | null {
  return connectorTypes.find((each) => each.type === type) ?? null;
}
