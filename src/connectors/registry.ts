/** All connector types. To add one, write its folder and add a line to `CREATORS`. */
import type { Settings } from "../settings/settings.ts";
import { createAirflowConnector } from "./airflow/connector.ts";
import type { ConnectorType, SourceLimits } from "./connector.ts";
import { createDbtConnector } from "./dbt/connector.ts";
import { createMetabaseConnector } from "./metabase/connector.ts";
import { openLineageConnector } from "./openlineage/connector.ts";
import { withinFolders } from "./path-options.ts";
import { createPostgresConnector } from "./postgres/connector.ts";
import type { LocateFile } from "./source-folders.ts";

/** In the order in which people see them. */
const CREATORS: readonly ((limits: SourceLimits) => ConnectorType)[] = [
  createDbtConnector,
  createPostgresConnector,
  createAirflowConnector,
  createMetabaseConnector,
  () => openLineageConnector,
];

/** The types with default settings. Use these for names and options, not to crawl. */
export const connectorTypes: readonly ConnectorType[] = CREATORS.map((create) => create({}));

/** Finds a type by name, with default settings. Returns null if there is none. */
export function findConnectorType(type: string): ConnectorType | null {
  return connectorTypes.find((each) => each.type === type) ?? null;
}

/**
 * Creates a `findConnectorType` whose types take options and crawl within the given settings.
 * @param locateFile null permits every path
 */
export function createConnectorFinder(
  {
    privateSources,
    insecureHosts,
    maxArtifactBytes,
  }: Pick<Settings, "privateSources" | "insecureHosts" | "maxArtifactBytes">,
  locateFile: LocateFile | null,
): typeof findConnectorType {
  const limits = { privateSources, insecureHosts, maxArtifactBytes, ...(locateFile !== null && { locateFile }) };
  const types = CREATORS.map((create) => {
    const type = create(limits);
    return locateFile === null ? type : withinFolders(type, locateFile);
  });
  return (type) => types.find((each) => each.type === type) ?? null;
}
