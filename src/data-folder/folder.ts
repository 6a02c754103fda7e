/** The folder that holds everything the service keeps on its own machine. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

import { AppError, unavailable } from "../errors.ts";
import { closeToOthers } from "./close-to-others.ts";

/** Paths of what lies in the folder, whether it is there yet or not. */
export interface DataFolder {
  path: string;
  graph: string;
  metadata: string;
  secretKey: string;
  serverLock: string;
  /** Whether other users can enter the folder or read what is kept there, which cannot or should not be changed from here. */
  isOpenToOthers: boolean;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file",
  ENOENT: "no folder can be made there",
};

/**
 * Makes the folder if there is none, for this user alone, and takes the rights of others away from one that is there.
 * @param makes whether to make it; else there has to be one
 * @throws AppError `unavailable`, saying why the folder cannot be used, and `not_found` where there is none
 */
export function openDataFolder(path: string, makes = true): DataFolder {
  let isOpenToOthers = false;
  try {
    if (!makes && !existsSync(path)) throw absent(path);
    makeFolder(path);
    if (!statSync(path).isDirectory()) throw unavailable(`The data folder ${path} is a file. DATA_DIR names another.`);
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
    isOpenToOthers,
  };
}

function absent(path: string): AppError {
  const ways =
    "npm start and tributary workspace create make one, DATA_DIR names another, and --server asks a service.";
  return new AppError("not_found", `There is no data folder ${path}: ${ways}`);
}

/** Not by Node's `recursive`, which never ends where a parent is there but cannot hold a folder, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
}

/** An error of the file system, as one that says what is wrong with the data folder. */
export function toFolderError(error: unknown, path: string): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !("code" in error)) return error;
  const reason = REASONS[String(error.code)] ?? error.message;
  return unavailable(`The data folder ${path} cannot be used: ${reason}. DATA_DIR names another.`, error);
}
