/** Makes the workspace UI ready to be served: builds it if its sources have changed, and reads what was built. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import type { Logger } from "pino";

import { type BuiltFiles, readBuiltFiles } from "./built-files.ts";
import { digestFiles } from "./digest.ts";
import { BUILD_PROGRAM, BUILDS, INPUTS, PROJECT } from "./places.ts";

/** A build must not depend on where it is made. With another value, it would contain React's checks for developers. */
const BUILD_ENVIRONMENT = { NODE_ENV: "production" };

/**
 * Builds with the Node that runs this process. If nothing has changed since the last build, no process is started.
 * @returns null if it cannot be built. The log says why; everything else of the service works without it.
 */
export async function prepareUi(log: Logger): Promise<BuiltFiles | null> {
  try {
    const build = join(BUILDS, await digestFiles(INPUTS));
    if (!existsSync(build))
      await promisify(execFile)(process.execPath, [BUILD_PROGRAM], { cwd: PROJECT, env: BUILD_ENVIRONMENT });
    return await readBuiltFiles(build);
  } catch (err) {
    log.error({ err }, "the workspace UI could not be built: its pages cannot be shown, the APIs work");
    return null;
  }
}
