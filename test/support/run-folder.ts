/** A folder that all processes of one run of the tests share. It is removed when the run ends. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const VARIABLE = "TEST_RUN_FOLDER";

/** Vitest calls it once before a run, in its own process, and calls what it returns after the run. */
export function setup(): () => void {
  const folder = makeFolder();
  process.env[VARIABLE] = folder;
  return () => rmSync(folder, { recursive: true });
}

const makeFolder = (): string => mkdtempSync(join(tmpdir(), "tributary-run-"));

/** Outside of vitest, as in a bench, the folder belongs to this process. */
function makeOwnFolder(): string {
  const folder = makeFolder();
  process.once("exit", () => rmSync(folder, { recursive: true }));
  return (process.env[VARIABLE] = folder);
}

/**
 * A folder that the first process that asks for it fills. The other processes wait until it is complete.
 * @returns its path
 */
export async function makeOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const done = join(process.env[VARIABLE] ?? makeOwnFolder(), name);
  const begun = `${done}.begun`;
  while (!existsSync(done)) {
    if (!(await isFirst(begun))) {
      await setTimeout(50);
      continue;
    }
    try {
      // The first process may have ended between the two looks.
      if (existsSync(done)) await rm(begun, { recursive: true });
      else await fill(begun).then(() => rename(begun, done));
    } catch (error) {
      await rm(begun, { recursive: true });
      throw error;
    }
  }
  return done;
}

/** Makes the folder. False if another process has made it. */
async function isFirst(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
