/**
 * The paths that connectors may read if CONNECTOR_FOLDERS is not set. Only somebody who may write to the data folder can
 * add one. Each machine has its own list, because a path belongs to a machine.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";

import { z } from "zod";

import { type DataFolder, toFolderError } from "./folder.ts";

const listSchema = z.array(z.string());

/** Returns an empty list if there is no such file, or if it cannot be read. */
export function readPermittedPaths({ permittedPaths }: Pick<DataFolder, "permittedPaths">): readonly string[] {
  try {
    return listSchema.parse(JSON.parse(readFileSync(permittedPaths, "utf8")));
  } catch {
    return [];
  }
}

/**
 * @param paths absolute
 * @throws AppError `unavailable` if the folder cannot be written
 */
export function permitPaths(folder: DataFolder, paths: readonly string[]): void {
  const before = readPermittedPaths(folder);
  const after = [...new Set([...before, ...paths])];
  if (after.length === before.length) return;
  try {
    // A server may read the file at any moment.
    const next = `${folder.permittedPaths}.${process.pid}`;
    writeFileSync(next, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600 });
    renameSync(next, folder.permittedPaths);
  } catch (error) {
    throw toFolderError(error, folder.path);
  }
}
