/** The connector types that there are. */
import type { Settings } from "../settings.ts";
import type { ConnectorType } from "./connector.ts";
import { createDbtConnector } from "./dbt/connector.ts";
import { DEFAULT_NETWORK } from "./dbt/download.ts";

/** The settings that say what a crawl may read. */
type SourceSettings = Pick<Settings, "privateSources" | "insecureHosts" | "maxArtifactBytes">;

/** The types with the defaults of all settings, for what they are called and which options they take. */
export const connectorTypes: readonly ConnectorType[] = [createDbtConnector()];

/** The type of this word, with the defaults of all settings, or null. */
export function findConnectorType(type: string): ConnectorType | null {
  return connectorTypes.find((each) => each.type === type) ?? null;
}

/** Gives the types that crawl within the settings, as `findConnectorType` does. */
export function createConnectorFinder({ maxArtifactBytes, ...sources }: SourceSettings): typeof findConnectorType {
  const { privateSources, insecureHosts } = sources;
  const types = [createDbtConnector({ ...DEFAULT_NETWORK, privateSources, insecureHosts, maxBytes: maxArtifactBytes })];
  return (type) => types.find((each) => each.type === type) ?? null;
}
