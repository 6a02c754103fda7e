/** All connector types. */
import type { Settings } from "../settings.ts";
import type { ConnectorType } from "./connector.ts";
import { createDbtConnector } from "./dbt/connector.ts";
import { DEFAULT_NETWORK } from "./dbt/download.ts";

/** The settings that limit what a crawl may read. */
type SourceSettings = Pick<Settings, "privateSources" | "insecureHosts" | "maxArtifactBytes">;

/** The types with default settings. Use these for names and options, not to crawl. */
export const connectorTypes: readonly ConnectorType[] = [createDbtConnector()];

/** Finds a type by name, with default settings. Returns null if there is none. */
export function findConnectorType(type: string): ConnectorType | null {
  return connectorTypes.find((each) => each.type === type) ?? null;
}

/** Creates a `findConnectorType` whose types crawl within the given settings. */
export function createConnectorFinder({ maxArtifactBytes, ...sources }: SourceSettings): typeof findConnectorType {
  const { privateSources, insecureHosts } = sources;
  const types = [createDbtConnector({ ...DEFAULT_NETWORK, privateSources, insecureHosts, maxBytes: maxArtifactBytes })];
  return (type) => types.find((each) => each.type === type) ?? null;
}
