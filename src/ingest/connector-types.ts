/** How a crawl finds the code for a connector's type. */
import type { ConnectorType } from "../connectors/connector.ts";

/** Returns the type with this name; undefined or null if there is none. */
export type FindConnectorType = (type: string) => ConnectorType | undefined | null;
