/** The service under npm and npx: signals reach it only through npm and npm's shell. */
import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

import { describe, expect, it, onTestFinished } from "vitest";

import { openDataFolder } from "../../src/data-folder/folder.ts";
import { isServerRunning } from "../../src/data-folder/server-lock.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const READY = /API keys? [^\n]*\n/;

interface Started {
  process: ChildProcess;
  /** Resolves to the exit code of the command itself. */
  ended: Promise<number | null>;
  /** Resolves when the command and all its children have closed their output. */
  allEnded: Promise<unknown>;
}

/** @param options environment variables besides those of every start, and where the output goes */
function spawnCommand(
  [program, ...args]: readonly [string, ...string[]],
  dataDir: string,
  { env = {}, stdio = ["ignore", "pipe", "inherit"] }: { env?: Record<string, string>; stdio?: StdioOptions } = {},
): ChildProcess {
  const child = spawn(program, args, {
    cwd: PROJECT,
    // The command has its own process group, so that the test can end what it may have left behind.
    detached: true,
    stdio,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      npm_config_update_notifier: "false",
      npm_config_offline: "true",
      npm_config_cache: join(dataDir, "..", "npm"),
      DATA_DIR: dataDir,
      PORT: "0",
      SAMPLE: "off",
      ...env,
    },
  });
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // No process of the group is left.
    }
  });
  return child;
}

/** Resolves to what was printed, once the service is ready. */
async function whenReady(output: Readable, ended: Promise<unknown>): Promise<string> {
  let printed = "";
  output.on("data", (chunk) => (printed += chunk));
  const over = ended.then(() => null);
  while (!READY.test(printed)) {
    if ((await Promise.race([once(output, "data"), over])) === null) throw new Error(`it ended: ${printed}`);
  }
  return printed;
}

/** Resolves when the service has printed that it is ready. */
async function start(command: readonly [string, ...string[]], dataDir: string): Promise<Started> {
  const child = spawnCommand(command, dataDir);
  const ended = once(child, "exit").then(([code]: (number | null)[]) => code ?? null);
  const allEnded = once(child, "close");
  await whenReady(streamOf(child, 1), ended);
  return { process: child, ended, allEnded };
}

function streamOf(child: ChildProcess, place: 1 | 3): Readable {
  const stream = child.stdio[place];
  if (stream instanceof Readable) return stream;
  throw new Error(`the command has no stream ${place}`);
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

describe("npx tributary serve", () => {
  it("`npx tributary serve` stops the server when npx gets SIGTERM, and the next start works", async () => {
    const dataDir = join(await makeTemporaryFolder(), "data");
    for (const time of ["first", "second"]) {
      const started = await start(["npx", "tributary", "serve"], dataDir);
      expect(isServerRunning(openDataFolder(dataDir)), `the ${time} start`).toBe(true);
      started.process.kill("SIGTERM");
      await started.allEnded;
      expect(isServerRunning(openDataFolder(dataDir)), `the ${time} start`).toBe(false);
    }
  });

  it("A server under npx ends with its parent, and another server does not", async () => {
    const folder = await makeTemporaryFolder();
    const serve = `"$NODE" bin/tributary.js serve`;
    const script = `npm_lifecycle_event=npx DATA_DIR="$OTHER" ${serve} >&3 & ${serve} 3>&- & wait`;
    const shell = spawnCommand(["sh", "-c", script], join(folder, "data"), {
      env: { NODE: process.execPath, OTHER: join(folder, "npx") },
      stdio: ["ignore", "pipe", "inherit", "pipe"],
    });
    const [own, ofNpx] = [streamOf(shell, 1), streamOf(shell, 3)];
    const ended = once(shell, "exit");
    const ofNpxEnded = once(ofNpx, "close");
    const [printed] = await Promise.all([whenReady(own, ended), whenReady(ofNpx, ended)]);
    shell.kill("SIGKILL");
    // The server under npx notices first and then closes everything. So the other one has had more than enough time to
    // notice.
    await ofNpxEnded;
    const origin = /http:\/\/[^/]+/.exec(printed)?.[0];
    expect((await fetch(`${origin}/health/live`)).status).toBe(200);
  });
});
