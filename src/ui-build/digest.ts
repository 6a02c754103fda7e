/** The digest of the workspace UI's sources. It tells whether a build is up to date; times do not survive `git clone`. */
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * @param inputs files, and folders with all that is in them
 * @returns 32 hexadecimal digits, which depend on the names and contents of all files
 */
export async function digestFiles(inputs: readonly string[]): Promise<string> {
  const digest = createHash("sha256");
  for (const input of inputs) {
    for (const name of await listFiles(input)) {
      const content = await readFile(join(input, name));
      digest.update(`${name}\0${content.length}\0`).update(content);
    }
  }
  return digest.digest("hex").slice(0, 32);
}

/** The files of a folder by their names in it, in order; for a file, an empty name. */
async function listFiles(input: string): Promise<string[]> {
  if (!(await stat(input)).isDirectory()) return [""];
  const entries = await readdir(input, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(input.length))
    .toSorted();
}
