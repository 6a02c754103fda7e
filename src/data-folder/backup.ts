/** A copy of the data folder in a folder of its own, and how it comes back. */
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";

import { z } from "zod";

import { AppError, unavailable } from "../errors.ts";
import { copyTogether } from "../sqlite/copy.ts";
import { type DataFolder, toFolderError } from "./folder.ts";
import { isServerRunning } from "./server-lock.ts";

/** In a backup, the list of its files. It is written last: a folder without it is no whole backup. */
const CONTENTS = "backup.json";
const FORMAT = 1;

/** The files of a data folder by their names in a backup. They come back in this order; see `restore`. */
const FILES = ["metadata.sqlite", "graph.sqlite", "secret.key"] as const;
type FileName = (typeof FILES)[number];

const contentsShape = z.object({
  format: z.number(),
  createdAt: z.iso.datetime(),
  files: z.array(z.object({ name: z.enum(FILES), bytes: z.number(), sha256: z.string() })),
});
/** What a backup contains. */
export type Contents = z.output<typeof contentsShape>;

/**
 * Copies the stores and the secret key into a new folder, also while a server uses them.
 * @param target a path at which there is nothing yet
 * @param names which files to copy. A secret key that the settings contain is not a file.
 * @throws AppError `conflict` if the target exists, `unavailable` if something cannot be read or written
 */
export async function backUp(
  folder: DataFolder,
  target: string,
  { names, now }: { names: readonly FileName[]; now: Date },
): Promise<Contents> {
  const path = resolve(target);
  if (existsSync(path)) throw new AppError("conflict", `${target} exists already. Name a folder that does not exist.`);
  let aside: string | undefined;
  try {
    await mkdir(dirname(path), { recursive: true });
    aside = await mkdtemp(`${path}.unfinished-`);
    const contents = await copyInto(aside, folder, { names, now });
    await rename(aside, path);
    return contents;
  } catch (error) {
    if (aside !== undefined) await rm(aside, { recursive: true, force: true });
    throw toBackupError(error, target);
  }
}

async function copyInto(
  aside: string,
  folder: DataFolder,
  { names, now }: { names: readonly FileName[]; now: Date },
): Promise<Contents> {
  const paths = pathsOf(folder);
  const stores = [
    // The graph's snapshot is the later one. So a sync that the metadata store calls completed is in the graph.
    { name: "metadata.sqlite", from: { name: "The metadata store", path: folder.metadata } },
    { name: "graph.sqlite", from: { name: "The graph store", path: folder.graph } },
  ] as const;
  const copied = stores.filter(({ name }) => names.includes(name));
  await copyTogether(copied.map(({ name, from }) => ({ from, to: join(aside, name) })));
  if (names.includes("secret.key")) await copyFile(paths["secret.key"], join(aside, "secret.key"));
  const files = [];
  for (const name of names) files.push(await describe(aside, name));
  const contents: Contents = { format: FORMAT, createdAt: now.toISOString(), files };
  await writeFile(join(aside, CONTENTS), `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600, flush: true });
  return contents;
}

async function describe(folder: string, name: FileName): Promise<Contents["files"][number]> {
  const path = join(folder, name);
  await fsyncFile(path);
  return { name, bytes: (await stat(path)).size, sha256: await hashFile(path) };
}

/** Waits until a file is on the disk, and makes it private to its owner. */
async function fsyncFile(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.chmod(0o600);
  await file.sync();
}

/**
 * Reads what a backup contains, and checks that all of it is there and unchanged.
 * @throws AppError `bad_request` if the folder is not a whole backup
 */
async function readBackup(path: string): Promise<Contents> {
  const contents = await readContents(path);
  for (const { name, bytes, sha256 } of contents.files) {
    const file = join(path, name);
    const isSame = existsSync(file) && (await stat(file)).size === bytes && (await hashFile(file)) === sha256;
    if (!isSame) throw new AppError("bad_request", `The backup ${path} is damaged: ${name} is not as it was written.`);
  }
  return contents;
}

async function readContents(path: string): Promise<Contents> {
  let text: string;
  try {
    text = await readFile(join(path, CONTENTS), "utf8");
  } catch (error) {
    throw new AppError("bad_request", `${path} is no backup: it has no readable ${CONTENTS}.`, { cause: error });
  }
  try {
    const contents = contentsShape.parse(JSON.parse(text));
    if (contents.format === FORMAT) return contents;
  } catch (error) {
    throw new AppError("bad_request", `The backup ${path} is damaged: ${CONTENTS} cannot be read.`, { cause: error });
  }
  throw new AppError("bad_request", `The backup ${path} was written by another version of Tributary.`);
}

/**
 * Puts a backup's files into a data folder that has none of them. Nothing is changed if anything is wrong.
 * @throws AppError `conflict` if the folder has data or a server uses it; `bad_request` if the backup is not whole;
 *   `unavailable` if something cannot be written
 */
export async function restore(path: string, folder: DataFolder): Promise<Contents> {
  if (isServerRunning(folder)) {
    throw new AppError("conflict", `A server uses the data folder ${folder.path}. Stop it first.`);
  }
  const present = (await readdir(folder.path)).filter((name) => FILES.some((file) => name.startsWith(file)));
  if (present.length > 0) {
    throw new AppError(
      "conflict",
      `The data folder ${folder.path} has data already: ${present.join(", ")}. Move it away, or set DATA_DIR to another.`,
    );
  }
  const contents = await readBackup(path);
  const paths = pathsOf(folder);
  // The key comes last. Without it, no server starts on a part of the files.
  const names = FILES.filter((name) => contents.files.some((file) => file.name === name));
  const asideOf = (name: FileName): string => `${paths[name]}.restored`;
  try {
    for (const name of names) {
      await copyFile(join(path, name), asideOf(name));
      await fsyncFile(asideOf(name));
    }
    for (const name of names) await rename(asideOf(name), paths[name]);
    return contents;
  } catch (error) {
    for (const name of names) await rm(asideOf(name), { force: true });
    throw toFolderError(error, folder.path);
  }
}

const pathsOf = ({ metadata, graph, secretKey }: DataFolder): Record<FileName, string> => ({
  "metadata.sqlite": metadata,
  "graph.sqlite": graph,
  "secret.key": secretKey,
});

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function toBackupError(error: unknown, target: string): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !("code" in error)) return error;
  return unavailable(`The backup ${target} cannot be written: ${error.message}.`, error);
}
