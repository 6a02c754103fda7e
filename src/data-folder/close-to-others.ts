/**
 * Makes the data folder private to its owner: the stores contain access rights, and the key decrypts connectors'
 * secrets.
 */
import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const OTHERS = 0o077;
const STICKY = 0o1000;
/** All files that Tributary and SQLite write into the folder. */
const OURS =
  /^((graph|metadata)\.sqlite(-wal|-shm|-journal|\.restored)?|secret\.key(\.([0-9a-f]+|restored))?|server\.(lock|url))$/;
/** A folder that file systems have at their root. */
const OF_THE_FILE_SYSTEM = "lost+found";

/**
 * Removes all rights of other users on our files, and on the folder if it contains nothing else. A folder that contains
 * other files, such as `/tmp`, keeps its rights.
 * @returns whether other users can still enter the folder or read our files
 */
export function closeToOthers(folder: string): boolean {
  const names = readdirSync(folder);
  const ours = names.filter((name) => OURS.test(name));
  const areClosed = ours.map((name) => closePath(join(folder, name)));
  if ((statSync(folder).mode & OTHERS) === 0) return false;
  const isShared =
    names.length > ours.length + Number(names.includes(OF_THE_FILE_SYSTEM)) || (statSync(folder).mode & STICKY) !== 0;
  if (isShared) return true;
  return !closePath(folder) || areClosed.includes(false);
}

/** @returns whether the path is now private. Only its owner can make it so. */
function closePath(path: string): boolean {
  try {
    const { mode } = statSync(path);
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o777 & ~OTHERS);
    return true;
  } catch (error) {
    // SQLite may have removed the file. Any other error means that another user owns it.
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}
