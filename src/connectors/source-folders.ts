/** The folders on this machine that connectors may read from. */
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The sample's artifacts. They are part of the program, so they may always be read. */
export const SAMPLE_FOLDER = fileURLToPath(new URL("../../samples/shop", import.meta.url));

/** The end of a sentence that begins with an option or an artifact. It does not tell the folders. */
export const OUTSIDE_FOLDERS = "is outside the folders that CONNECTOR_FOLDERS lists";

/** As many links as Linux follows in one path. */
const MAX_LINKS = 40;

/**
 * Finds the place of a file, without symbolic links. Read the file there: a link may change later.
 * Returns null if the place is not in a permitted folder, whether the file exists or not.
 */
export type LocateFile = (path: string) => Promise<string | null>;

/** Permits every path, and leaves it as it is. */
export const locateAnywhere: LocateFile = async (path) => resolve(path);

/** @param folders absolute paths; links among them are followed at each call, and they need not exist yet */
export function createFileLocator(folders: readonly string[]): LocateFile {
  return async (path) => {
    const [place, ...permitted] = await Promise.all([path, ...folders].map((each) => withoutLinks(resolve(each))));
    return place !== undefined && permitted.some((folder) => isWithin(folder, place)) ? place : null;
  };
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
