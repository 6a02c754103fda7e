/** All connector types. */
import type { Settings } from "../settings.ts";
import type { ConnectorType } from "./connector.ts";
import { createDbtConnector } from "./dbt/connector.ts";
import { DEFAULT_NETWORK } from "./dbt/download.ts";
import { withinFolders } from "./path-options.ts";
import { createFileLocator, SAMPLE_FOLDER } from "./source-folders.ts";

/** The settings that limit what a crawl may read. */
type SourceSettings = Pick<Settings, "privateSources" | "insecureHosts" | "maxArtifactBytes" | "connectorFolders">;

/** The types with default settings. Use these for names and options, not to crawl. */
export const connectorTypes: readonly ConnectorType[] = [createDbtConnector()];

/** Finds a type by name, with default settings. Returns null if there is none. */
export function findConnectorType(type: string): ConnectorType | null {
  return connectorTypes.find((each) => each.type === type) ?? null;
}

/** Creates a `findConnectorType` whose types take options and crawl within the given settings. */
export function createConnectorFinder(settings: SourceSettings): typeof findConnectorType {
  const { privateSources, insecureHosts, maxArtifactBytes, connectorFolders } = settings;
  const network = { ...DEFAULT_NETWORK, privateSources, insecureHosts, maxBytes: maxArtifactBytes };
  const types = connectorFolders === null ? [createDbtConnector(network)] : createLimited(network, connectorFolders);
  return (type) => types.find((each) => each.type === type) ?? null;
}

function createLimited(network: typeof DEFAULT_NETWORK, folders: readonly string[]): ConnectorType[] {
  const locateFile = createFileLocator([...folders, SAMPLE_FOLDER]);
  return [withinFolders(createDbtConnector({ ...network, locateFile }), locateFile)];
}
