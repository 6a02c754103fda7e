/**
 * Virtual environments of Python with pinned packages, for tests with other people's programs. An environment is made
 * once and kept in the user's cache folder, for later runs too. Whoever needs the space may delete that folder.
 */
import { execFile } from "node:child_process";
import { hash, randomUUID } from "node:crypto";
import { existsSync, readlinkSync } from "node:fs";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { makeOnce } from "./run-folder.ts";

const start = promisify(execFile);

export interface Python {
  /** Path of a program of the environment, such as `datahub`. */
  program(name: string): string;
  /**
   * Runs a program of the environment to its end.
   * @param env added to the environment of this process
   * @returns what it printed, errors included
   * @throws Error with what it printed, if its exit code is not 0
   */
  run(name: string, args: readonly string[], options?: { cwd?: string; env?: Record<string, string> }): Promise<string>;
}

/** An environment, or why there is none. */
export type FoundPython = { python: Python; missing: "" } | { python: null; missing: string };

const MAX_OUTPUT = 64 * 2 ** 20;
const UV = "uv==0.13.9";
/** An installation that takes longer is given up. */
const INSTALL_MS = 540_000;
/** Characters of an error that a test repeats when it is skipped. */
const MAX_REASON = 400;

/**
 * Finds the environment with exactly these packages, or makes it. All test files of a run that need the same one share
 * it, and are told the same reason if there is none.
 * @param packages pinned, as pip takes them: `name==1.2.3`
 */
export async function findPython(packages: readonly string[]): Promise<FoundPython> {
  const names = packages.toSorted();
  const shared = await makeOnce(`python-${digest(names)}`, async (folder) => {
    const found = await openEnvironment(names).catch((error: unknown) => ({ missing: explain(error) }));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "found.json"), JSON.stringify(found));
  });
  const found: unknown = JSON.parse(await readFile(join(shared, "found.json"), "utf8"));
  const { folder, missing } = Object(found);
  if (typeof folder !== "string") return { python: null, missing: `${names.join(" ")}: ${String(missing)}` };
  return { python: toPython(folder), missing: "" };
}

function toPython(folder: string): Python {
  const program = (name: string): string => join(folder, "bin", name);
  return {
    program,
    async run(name, args, { cwd, env } = {}) {
      const options = { cwd, maxBuffer: MAX_OUTPUT, env: { ...process.env, ...env } };
      try {
        const { stdout, stderr } = await start(program(name), args, options);
        return stdout + stderr;
      } catch (error) {
        const { stdout = "", stderr = "", message } = Object(error);
        throw new Error(`${String(message)}\n${String(stdout)}${String(stderr)}`, { cause: error });
      }
    },
  };
}

/**
 * The cache has a link for each list of packages, which is made when the installation is complete. So one that was
 * interrupted is never used, and of two that end at the same time one stays.
 */
async function openEnvironment(names: readonly string[]): Promise<{ folder: string }> {
  const { stdout: version } = await start("python3", ["-c", "import sys; print(sys.version, sys.prefix)"]);
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "tributary-tests/python");
  const link = join(cache, digest([version, ...names]));
  if (existsSync(join(link, "bin/python"))) return { folder: readlinkSync(link) };
  const folder = `${link}-${randomUUID()}`;
  await mkdir(cache, { recursive: true });
  try {
    await start("python3", ["-m", "venv", folder]);
    await install(folder, names);
    await symlink(folder, `${folder}.link`);
    await rename(`${folder}.link`, link);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return { folder };
}

/** uv needs a tenth of pip's time, but knows nothing of an index that only pip was told of. */
async function install(folder: string, names: readonly string[]): Promise<void> {
  const options = { timeout: INSTALL_MS, maxBuffer: MAX_OUTPUT };
  const pip = (...packages: string[]) =>
    start(
      join(folder, "bin/pip"),
      ["install", "--quiet", "--no-input", "--disable-pip-version-check", ...packages],
      options,
    );
  try {
    await pip(UV);
    const python = ["--python", join(folder, "bin/python")];
    await start(join(folder, "bin/uv"), ["pip", "install", "--quiet", "--no-cache", ...python, ...names], options);
  } catch {
    await pip(...names);
  }
}

const digest = (texts: readonly string[]): string => hash("sha256", JSON.stringify(texts), "hex").slice(0, 16);

/** The last lines of what pip or Python printed. */
function explain(error: unknown): string {
  const { stderr, message } = Object(error);
  const told = String(stderr || message).trim();
  return told.slice(-MAX_REASON).replaceAll(/\s+/g, " ");
}
