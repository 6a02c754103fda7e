/** The built files of the workspace UI, in memory. */
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";

import { HASHED_FOLDER } from "./places.ts";

export interface BuiltFile {
  /** Its media type. */
  type: string;
  plain: Buffer;
  /** Null if compressing it saves nothing. */
  gzipped: Buffer | null;
  brotli: Buffer | null;
  /** True if its name contains a hash of its content, so that browsers may keep it. */
  isHashed: boolean;
}

/** By their paths, such as `/index.html`. */
export type BuiltFiles = ReadonlyMap<string, BuiltFile>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** @throws Error if the folder cannot be read, or has a file of an unknown type */
export async function readBuiltFiles(folder: string): Promise<BuiltFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll("\\", "/"));
  const contents = new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path))] as const)),
  );
  const files = new Map<string, BuiltFile>();
  for (const [path, plain] of contents) {
    if (/\.(?:gz|br)$/.test(path)) continue;
    const type = TYPES[extname(path)];
    if (type === undefined) throw new Error(`the workspace UI has a file of an unknown type: ${path}`);
    files.set(path, {
      type,
      plain,
      gzipped: contents.get(`${path}.gz`) ?? null,
      brotli: contents.get(`${path}.br`) ?? null,
      isHashed: path.startsWith(`/${HASHED_FOLDER}/`),
    });
  }
  return files;
}
