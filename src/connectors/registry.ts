/** All connector types. To add one, write its folder and add a line to `CREATORS`. */
import type { Settings } from "../settings/settings.ts";
import { createAirflowConnector } from "./airflow/connector.ts";
import type { ConnectorType, SourceLimits } from "./connector.ts";
import { createDataHubFileConnector } from "./datahub/connector.ts";
import { dataHubConnector } from "./datahub/receive.ts";
import { createDbtConnector } from "./dbt/connector.ts";
import { createMetabaseConnector } from "./metabase/connector.ts";
import { openLineageConnector } from "./openlineage/connector.ts";
import { isPath } from "./http/find-url.ts";
import { createPostgresConnector } from "./postgres/connector.ts";
import { type LocateFile, OUTSIDE_FOLDERS } from "./source-folders.ts";

/** In the order in which people see them. */
const CREATORS: readonly ((limits: SourceLimits) => ConnectorType)[] = [
  createDbtConnector,
  createPostgresConnector,
  createAirflowConnector,
  createMetabaseConnector,
  () => dataHubConnector,
  createDataHubFileConnector,
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
  settings: Pick<Settings, "privateSources" | "insecureHosts" | "maxArtifactBytes">,
  locateFile: LocateFile | null,
): typeof findConnectorType {
  const { privateSources, insecureHosts, maxArtifactBytes } = settings;
  const limits = { privateSources, insecureHosts, maxArtifactBytes, ...(locateFile !== null && { locateFile }) };
  const types = CREATORS.map((create) => {
    const type = create(limits);
    return locateFile === null ? type : withinFolders(type, locateFile);
  });
  return (type) => types.find((each) => each.type === type) ?? null;
}

/**
 * Makes a type whose options contain no path that `locateFile` does not permit. Options are checked whenever a connector
 * is added, changed, tested or crawled, so the rule also holds for connectors that were added before it was set.
 */
function withinFolders(type: ConnectorType, locateFile: LocateFile): ConnectorType {
  const { pathOptions } = type;
  if (pathOptions === undefined) return type;
  const options = type.options.superRefine(async (given, context) => {
    const paths = Object.entries(given ?? {}).filter(
      ([key, value]) => pathOptions.includes(key) && typeof value === "string" && isPath(value),
    );
    const locations = await Promise.all(paths.map(([, path]) => locateFile(path)));
    for (const [index, [key]] of paths.entries()) {
      if (locations[index] === null) context.addIssue({ code: "custom", path: [key], message: OUTSIDE_FOLDERS });
    }
  });
  return { ...type, options };
}
