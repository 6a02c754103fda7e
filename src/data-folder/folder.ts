/** The folder with everything that the service stores on its own machine. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

import { AppError, unavailable } from "../errors.ts";
import { closeToOthers } from "./close-to-others.ts";

/** Paths of the folder and of its files, which may not exist yet. */
export interface DataFolder {
  path: string;
  graph: string;
  metadata: string;
  secretKey: string;
  serverLock: string;
  serverUrl: string;
  permittedPaths: string;
  /** Whether other users can still enter the folder or read our files, because their rights could not be removed. */
  isOpenToOthers: boolean;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file",
  ENOENT: "no folder can be created there",
};

/**
 * Opens the folder, and removes the rights of other users. Creates it if it does not exist.
 * @param makes whether to create it
 * @throws AppError `unavailable` if the folder cannot be used, `not_found` if it does not exist and is not created
 */
export function openDataFolder(path: string, makes = true): DataFolder {
  let isOpenToOthers = false;
  try {
    if (!makes && !existsSync(path)) throw absent(path);
    makeFolder(path);
    if (!statSync(path).isDirectory())
      throw unavailable(`The data folder ${path} is a file. Set DATA_DIR to a folder.`);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    isOpenToOthers = closeToOthers(path);
  } catch (error) {
    throw toFolderError(error, path);
  }
  return {
    path,
    graph: join(path, "graph.sqlite"),
    metadata: join(path, "metadata.sqlite"),
    secretKey: join(path, "secret.key"),
    serverLock: join(path, "server.lock"),
    serverUrl: join(path, "server.url"),
    permittedPaths: join(path, "permitted-paths.json"),
    isOpenToOthers,
  };
}

function absent(path: string): AppError {
  const ways =
    "Create it with npm start or tributary workspace create, set DATA_DIR to another one, or use --server for a service.";
  return new AppError("not_found", `There is no data folder ${path}. ${ways}`);
}

/**
 * Creates the folder and its parents. Node's `recursive` never ends if a parent cannot contain folders, as in /proc.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!existsSync(path)) throw error;
  }
}

/** Converts a file system error into an AppError about the data folder. Returns any other error unchanged. */
export function toFolderError(error: unknown, path: string): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !("code" in error)) return error;
  const reason = REASONS[String(error.code)] ?? error.message;
  return unavailable(`The data folder ${path} cannot be used: ${reason}. You can set DATA_DIR to another one.`, error);
}
