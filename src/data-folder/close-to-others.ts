/** Keeps the data folder to its owner: the stores hold who may come in, and the key opens connectors' secrets. */
import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const OTHERS = 0o077;
const STICKY = 0o1000;
/** All that Tributary writes into the folder, with what SQLite keeps beside its files. */
const OURS = /^((graph|metadata)\.sqlite(-wal|-shm|-journal)?|secret\.key(\.[0-9a-f]+)?|server\.lock)$/;
/** What a file system keeps at its root. */
const OF_THE_FILE_SYSTEM = "lost+found";

/**
 * Takes every right of other users away from our files, and from the folder if it holds nothing else. A folder that is
 * shared with other things, such as `/tmp`, is left as it is.
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

/** @returns whether the path is for its owner alone now; only its owner can make it so */
function closePath(path: string): boolean {
  try {
    const { mode } = statSync(path);
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o777 & ~OTHERS);
    return true;
  } catch (error) {
    // SQLite removes its files as it likes, and another user may own the folder.
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}
