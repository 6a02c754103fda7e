/** The service as npm starts it: signals reach it through npm and npm's shell. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it, onTestFinished } from "vitest";

import { openDataFolder } from "../../src/data-folder/folder.ts";
import { isServerRunning } from "../../src/data-folder/server-lock.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const READY = /API keys? [^\n]*\n/;

interface Started {
  process: ChildProcess;
  /** Resolves to the exit code, once the command and its children have let the output go. */
  ended: Promise<number | null>;
}

/** Resolves when the service has printed that it is ready. Whatever it leaves behind is killed when the test ends. */
async function start(command: readonly [string, ...string[]], dataDir: string): Promise<Started> {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: PROJECT,
    // A group of its own, so that the test can end what the command may have left behind.
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      npm_config_update_notifier: "false",
      npm_config_cache: join(dataDir, "..", "npm"),
      DATA_DIR: dataDir,
      PORT: "0",
      SAMPLE: "off",
    },
  });
  const ended = once(child, "exit").then(([code]: (number | null)[]) => code ?? null);
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // Nothing is left of the group.
    }
  });
  let printed = "";
  child.stdout.on("data", (chunk) => (printed += chunk));
  while (!READY.test(printed)) {
    const last = await Promise.race([once(child.stdout, "data"), ended]);
    if (!Array.isArray(last)) throw new Error(`it ended: ${last} ${printed}`);
  }
  return { process: child, ended };
}

it.each([
  ["npm start", ["npm", "start"]],
  ["npm start under a shell", ["sh", "-c", "exec npm start"]],
] as [string, [string, ...string[]]][])(
  "%s stops the server when it gets SIGTERM, and the next start works",
  async (_name, command) => {
    const dataDir = join(await makeTemporaryFolder(), "data");
    for (const time of ["first", "second"]) {
      const started = await start(command, dataDir);
      expect(isServerRunning(openDataFolder(dataDir))).toBe(true);
      started.process.kill("SIGTERM");
      expect(await started.ended, `the ${time} start`).toBe(0);
      expect(isServerRunning(openDataFolder(dataDir))).toBe(false);
    }
  },
);
