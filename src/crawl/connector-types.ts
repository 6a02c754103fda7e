/** How the crawl finds the code behind a connector's type. */
import type { ConnectorType } from "../connectors/connector.ts";

/** Answers the type of this name, or undefined or null where there is none. */
export type FindConnectorType = (type: string) => ConnectorType | undefined | null;
