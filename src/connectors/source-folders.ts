/** The folders on this machine that connectors may read from. */
import { readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The sample's artifacts. They are part of the program, so they may always be read. */
export const SAMPLE_FOLDER = fileURLToPath(new URL("../../samples/shop", import.meta.url));

/** The end of a sentence that begins with an option or an artifact. It does not name the folders. */
export const OUTSIDE_FOLDERS =
  "is outside the folders that connectors may read: add its folder to CONNECTOR_FOLDERS on the server";

/** As many links as Linux follows in one path. */
const MAX_LINKS = 40;

/**
 * Finds the location of a file, without symbolic links. Read the file there: a link may change later.
 * Returns null if the location is not in a permitted folder, whether the file exists or not.
 */
export type LocateFile = (path: string) => Promise<string | null>;

/** Permits every path, and leaves it as it is. */
export const locateAnywhere: LocateFile = async (path) => resolve(path);

/**
 * @param listPermitted returns absolute paths of folders and files; it is called at each call, links among them are followed,
 *   and they need not exist yet
 * @param dataFolder nothing in it is ever permitted
 */
export function createFileLocator(listPermitted: () => readonly string[], dataFolder: string): LocateFile {
  return async (path) => {
    const [location = path, ...permitted] = await Promise.all(
      [path, ...listPermitted()].map((each) => withoutLinks(resolve(each))),
    );
    const isPermitted = permitted.some((folder) => isWithin(folder, location));
    return isPermitted && !(await isInFolder(location, dataFolder)) ? location : null;
  };
}

/** Compares folders and not names, because one folder has several names if case does not count, or if it is mounted twice. */
async function isInFolder(path: string, folder: string): Promise<boolean> {
  const there = await identityOf(folder);
  if (there === null) return false;
  for (let at = path; ; at = dirname(at)) {
    if ((await identityOf(at)) === there) return true;
    if (dirname(at) === at) return false;
  }
}

async function identityOf(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found && `${found.dev} ${found.ino}`;
}

function isWithin(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

/** Follows all links of an absolute path, also of one to a file that does not exist. */
async function withoutLinks(path: string, linksLeft = MAX_LINKS): Promise<string> {
  const real = await realpath(path).catch(() => null);
  const folder = dirname(path);
  if (real !== null || folder === path) return real ?? path;
  const realFolder = await withoutLinks(folder, linksLeft);
  const target = await readlink(join(realFolder, basename(path))).catch(() => null);
  if (target === null || linksLeft === 0) return join(realFolder, basename(path));
  return withoutLinks(resolve(realFolder, target), linksLeft - 1);
}
