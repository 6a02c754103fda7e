/** All connector types. */
import type { Settings } from "../settings.ts";
import { createAirflowConnector } from "./airflow/connector.ts";
import type { ConnectorType } from "./connector.ts";
import { createDbtConnector } from "./dbt/connector.ts";
import { DEFAULT_NETWORK } from "./dbt/download.ts";
import { DEFAULT_API_NETWORK } from "./http/api-client.ts";
import { createMetabaseConnector } from "./metabase/connector.ts";
import { openLineageConnector } from "./openlineage/connector.ts";
import { withinFolders } from "./path-options.ts";
import { DEFAULT_NETWORK as DEFAULT_DATABASE_NETWORK } from "./postgres/checked-socket.ts";
import { createPostgresConnector } from "./postgres/connector.ts";
import type { LocateFile } from "./source-folders.ts";

/** The settings that limit what a crawl may read. */
type SourceSettings = Pick<Settings, "privateSources" | "insecureHosts" | "maxArtifactBytes">;

/** The types with default settings. Use these for names and options, not to crawl. */
export const connectorTypes: readonly ConnectorType[] = [
  createDbtConnector(),
  createPostgresConnector(),
  createAirflowConnector(),
  createMetabaseConnector(),
  openLineageConnector,
];

/** Finds a type by name, with default settings. Returns null if there is none. */
export function findConnectorType(type: string): ConnectorType | null {
  return connectorTypes.find((each) => each.type === type) ?? null;
}

/**
 * Creates a `findConnectorType` whose types take options and crawl within the given settings.
 * @param locateFile null permits every path
 */
export function createConnectorFinder(
  settings: SourceSettings,
  locateFile: LocateFile | null,
): typeof findConnectorType {
  const { privateSources, insecureHosts, maxArtifactBytes: maxBytes } = settings;
  const limits = { privateSources, insecureHosts, ...(locateFile === null ? {} : { locateFile }) };
  const within = <Options extends object>(type: ConnectorType<Options>): ConnectorType =>
    locateFile === null ? type : withinFolders(type, locateFile);
  const types: readonly ConnectorType[] = [
    within(createDbtConnector({ ...DEFAULT_NETWORK, ...limits, maxBytes })),
    within(createPostgresConnector({ ...DEFAULT_DATABASE_NETWORK, ...limits })),
    createAirflowConnector({ ...DEFAULT_API_NETWORK, privateSources, insecureHosts }),
    createMetabaseConnector({ ...DEFAULT_API_NETWORK, privateSources, insecureHosts }),
    openLineageConnector,
  ];
  return (type) => types.find((each) => each.type === type) ?? null;
}
