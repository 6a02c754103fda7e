/** Permits the paths that a command names. A person who may write to the data folder may also read files on this machine. */
import { resolve } from "node:path";

import { isPath } from "../connectors/http/find-url.ts";
import { openDataFolder } from "../data-folder/folder.ts";
import { permitPaths } from "../data-folder/permitted-paths.ts";
import { findServerUrl } from "../data-folder/server-url.ts";
import { AppError } from "../errors.ts";
import { isLoopback } from "../addresses/loopback.ts";
import { readSettings } from "../settings/settings.ts";
import { type ClientOptions, toServer } from "./client.ts";
import { printError } from "./print.ts";

/**
 * Permits connectors to read the paths among these options, before the work begins. Permits nothing if the command goes to a
 * service that does not run on the data folder, or if CONNECTOR_FOLDERS lists the folders.
 * @param given a connector's options
 */
export async function withNamedPaths<T>(
  options: ClientOptions,
  given: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const unused = await permitNamedPaths(options, given);
  try {
    return await work();
  } catch (error) {
    // A service on another machine says itself what it may read. One on this machine may use another data folder.
    if (unused !== null)
      printError(
        `${unused.server} does not use the data folder ${resolve(unused.dataDir)}. If it runs on this machine, set DATA_DIR to ` +
          "its data folder: then this command permits it to read the paths that you name.",
      );
    throw error;
  }
}

/** @returns the service on this machine for which nothing was permitted, and the data folder; null if there is none */
async function permitNamedPaths(
  options: ClientOptions,
  given: Readonly<Record<string, string>>,
): Promise<{ server: string; dataDir: string } | null> {
  // Most commands name no option, and start faster without the connectors.
  if (Object.keys(given).length === 0) return null;
  const { connectorTypes } = await import("../connectors/registry.ts");
  const pathOptions = new Set(connectorTypes.flatMap((type) => type.pathOptions ?? []));
  const paths = Object.entries(given).flatMap(([key, value]) =>
    pathOptions.has(key) && isPath(value) ? [resolve(value)] : [],
  );
  const { connectorFolders, dataDir } = readSettings();
  if (paths.length === 0 || connectorFolders !== null) return null;
  const asked = toServer(options)?.server ?? null;
  const unused = asked !== null && URL.canParse(asked) && isLocal(new URL(asked)) ? { server: asked, dataDir } : null;
  try {
    const folder = openDataFolder(dataDir, false);
    if (asked !== null && !isSameService(findServerUrl(folder), asked)) return unused;
    permitPaths(folder, paths);
    return null;
  } catch (error) {
    // Without a data folder, this is another machine.
    if (asked === null || !(error instanceof AppError)) throw error;
    return unused;
  }
}

function isSameService(noted: string | null, asked: string): boolean {
  if (noted === null || !URL.canParse(asked)) return false;
  const [one, other] = [new URL(noted), new URL(asked)];
  return one.origin === other.origin || (one.port === other.port && isLocal(one) && isLocal(other));
}

function isLocal({ hostname }: URL): boolean {
  return isLoopback(hostname) || hostname === "0.0.0.0";
}
