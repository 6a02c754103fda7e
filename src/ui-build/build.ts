/**
 * Builds the workspace UI, unless its present sources are built already. `serve` runs this program when it starts and they
 * are not, and the Dockerfile runs it while the image is made.
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { build } from "vite";

import { compressFiles } from "./compress.ts";
import { digestFiles } from "./digest.ts";
import { toBuildOptions } from "./options.ts";
import { BUILDS, INPUTS } from "./places.ts";

const UNFINISHED = "unfinished-";

const digest = await digestFiles(INPUTS);
if (!existsSync(join(BUILDS, digest))) {
  await mkdir(BUILDS, { recursive: true });
  const earlier = await readdir(BUILDS);
  // Processes may build the same sources at once: each in a folder of its own.
  const unfinished = join(BUILDS, `${UNFINISHED}${randomUUID()}`);
  try {
    await build(toBuildOptions(unfinished));
    await compressFiles(unfinished);
    await rename(unfinished, join(BUILDS, digest));
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(join(BUILDS, digest))) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  const outdated = earlier.filter((name) => name !== digest && !name.startsWith(UNFINISHED));
  for (const name of outdated) await rm(join(BUILDS, name), { recursive: true, force: true });
}
