/** Refuses options of connectors that are paths outside the permitted folders. */
import type { ConnectorType } from "./connector.ts";
import { isPath } from "./http/find-url.ts";
import { type LocateFile, OUTSIDE_FOLDERS } from "./source-folders.ts";

/**
 * Makes a type whose options contain no path that `locateFile` does not permit. Options are checked whenever a connector
 * is added, changed, tested or crawled, so the rule also holds for connectors that were added before it was set.
 */
export function withinFolders(type: ConnectorType, locateFile: LocateFile): ConnectorType {
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
