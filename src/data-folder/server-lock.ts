/** Ensures that only one server uses a data folder. The command line may use it at the same time. */
import { unavailable } from "../errors.ts";
import { type FileLock, isLocked, takeLock } from "../sqlite/lock.ts";
import type { DataFolder } from "./folder.ts";

/**
 * Makes this process the folder's only server, until it releases the lock or ends.
 * @throws AppError `unavailable` if another server uses the folder
 */
export function becomeServer(folder: DataFolder): FileLock {
  const lock = takeLock(folder.serverLock);
  if (lock !== null) return lock;
  throw unavailable(
    `Another Tributary server uses the data folder ${folder.path}. Stop it first, or set DATA_DIR to another folder.`,
  );
}

/** Whether a server, in this process or another, uses the folder now. */
export function isServerRunning(folder: DataFolder): boolean {
  return isLocked(folder.serverLock);
}
