/** At most one server works on a data folder; the command line works beside it. */
import { unavailable } from "../errors.ts";
import { type FileLock, isLocked, takeLock } from "../sqlite/lock.ts";
import type { DataFolder } from "./folder.ts";

/**
 * Makes this process the folder's one server, until it releases the lock or dies.
 * @throws AppError `unavailable` where another server is at work
 */
export function becomeServer(folder: DataFolder): FileLock {
  const lock = takeLock(folder.serverLock);
  if (lock !== null) return lock;
  throw unavailable(
    `Another Tributary server works on the data folder ${folder.path}. Stop it first, or name another folder by DATA_DIR.`,
  );
}

/** Whether a server, in this process or another, works on the folder now. */
export function isServerRunning(folder: DataFolder): boolean {
  return isLocked(folder.serverLock);
}
