/**
 * Ensures that only one server has its metadata store in a data folder. Servers whose metadata store is elsewhere may
 * share a folder with each other, but not with a server whose metadata store is in it. The command line may use the
 * folder at the same time.
 */
import { type AppError, unavailable } from "../errors.ts";
import { type FileLock, isLocked, shareLock, takeLock } from "../sqlite/lock.ts";
import type { DataFolder } from "./folder.ts";

/**
 * Makes this process the folder's only server, until it releases the lock or ends.
 * @throws AppError `unavailable` if another server uses the folder
 */
export function becomeServer(folder: DataFolder): FileLock {
  const lock = takeLock(folder.serverLock);
  if (lock !== null) return lock;
  throw inUse(folder, "Another Tributary server uses");
}

/**
 * Makes this process one of several servers whose metadata store is elsewhere, until it releases the lock or ends.
 * @throws AppError `unavailable` if a server whose metadata store is in the folder uses it
 */
export function shareFolder(folder: DataFolder): FileLock {
  const lock = shareLock(folder.serverLock);
  if (lock !== null) return lock;
  throw inUse(folder, "A Tributary server with METADATA_URL=sqlite: uses");
}

function inUse({ path }: DataFolder, who: string): AppError {
  return unavailable(
    `${who} the data folder ${path}. Stop it first, set DATA_DIR to another folder, or let all share one METADATA_URL=postgres://….`,
  );
}

/** Whether a server that has its metadata store in the folder runs now, in this process or another. */
export function isServerRunning(folder: DataFolder): boolean {
  return isLocked(folder.serverLock);
}
