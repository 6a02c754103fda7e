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

/**
 * Permits connectors to read the paths among these options. Does nothing if the command goes to a service that does not run
 * on the data folder, or if CONNECTOR_FOLDERS lists the folders.
 * @param given a connector's options
 */
export async function permitNamedPaths(options: ClientOptions, given: Readonly<Record<string, string>>): Promise<void> {
  // Most commands name no option, and start faster without the connectors.
  if (Object.keys(given).length === 0) return;
  const { connectorTypes } = await import("../connectors/registry.ts");
  const pathOptions = new Set(connectorTypes.flatMap((type) => type.pathOptions ?? []));
  const paths = Object.entries(given).flatMap(([key, value]) =>
    pathOptions.has(key) && isPath(value) ? [resolve(value)] : [],
  );
  const { connectorFolders, dataDir } = readSettings();
  if (paths.length === 0 || connectorFolders !== null) return;
  const server = toServer(options);
  try {
    const folder = openDataFolder(dataDir, false);
    if (server === null || isSameService(findServerUrl(folder), server.server)) permitPaths(folder, paths);
  } catch (error) {
    // Without a data folder, this is another machine. The service then says what it may read.
    if (server === null || !(error instanceof AppError)) throw error;
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
