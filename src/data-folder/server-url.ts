/**
 * Notes the address of the server in its data folder. A command on the same machine needs it to print links, because the
 * port and the public address may be set only for the process of the server.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";

import { type DataFolder, toFolderError } from "./folder.ts";
import { isServerRunning } from "./server-lock.ts";

/**
 * Writes the note. Call it only for the only server of a folder.
 * @returns a function that removes the note
 * @throws AppError `unavailable` if the folder cannot be written
 */
export function noteServerUrl({ path, serverUrl }: DataFolder, url: string): () => void {
  try {
    writeFileSync(serverUrl, `${url}\n`, { mode: 0o600 });
  } catch (error) {
    throw toFolderError(error, path);
  }
  return () => rmSync(serverUrl, { force: true });
}

/** The origin of the folder's only server. Null if none runs, or if several servers may share the folder. */
export function findServerUrl(folder: DataFolder): string | null {
  // A server that was killed leaves the note.
  if (!isServerRunning(folder)) return null;
  try {
    const text = readFileSync(folder.serverUrl, "utf8").trim();
    return URL.canParse(text) ? text : null;
  } catch {
    // The server does not listen yet. Links then begin as the settings say.
    return null;
  }
}
