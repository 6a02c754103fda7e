/** The server as a shell starts it, with its output where the shell sends it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { onTestFinished } from "vitest";

import { openDataFolder } from "../../src/data-folder/folder.ts";
import { isServerRunning } from "../../src/data-folder/server-lock.ts";
import { COMPILED, runCommandHere } from "./command-line.ts";
import { findFreePort } from "./free-port.ts";
import { makeTemporaryFolder } from "./metadata-store.ts";

const KEY = /svc_live_[A-Za-z0-9]{32}/;
const BIN = fileURLToPath(new URL("../../bin/tributary.js", import.meta.url));

export interface ShellServer {
  origin: string;
  pid: number;
  /** Settings that a command needs to work on the same data folder. */
  env: Record<string, string>;
  folder: string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<{ code: number | null; signal: string | null }>;
  /** The key that a first start prints. This reads the output, which is otherwise unread. */
  printedKey(): Promise<string>;
  isLocked(): boolean;
}

export interface ShellServerOptions {
  /** The redirection that the shell adds to the command, such as `2>/dev/full`. */
  redirect?: string;
  /** Closes the reading ends of outputs that are not redirected. Otherwise they are open and never read. */
  hangUp?: boolean;
  env?: Record<string, string>;
  /** A module that the process loads first. */
  preload?: URL;
}

/**
 * Started when it answers; killed when the test ends.
 * @param atEnd the test's own hook, which concurrent tests must pass
 */
export async function startFromShell(
  { redirect = "", hangUp = false, env = {}, preload }: ShellServerOptions = {},
  atEnd: typeof onTestFinished = onTestFinished,
): Promise<ShellServer> {
  const folder = await makeTemporaryFolder(atEnd);
  const port = await findFreePort();
  const settings = { DATA_DIR: join(folder, "data"), PORT: String(port), SAMPLE: "off", ...env };
  const imports = preload === undefined ? [] : ["--import", preload.href];
  const command = [process.execPath, ...imports, BIN, "serve", "--without-ui"];
  const child = spawn("sh", ["-c", `exec "$0" "$@" ${redirect}`, ...command], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: COMPILED, ...settings },
    cwd: folder,
  });
  if (hangUp) for (const output of [child.stdout, child.stderr]) output.destroy();
  const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
  atEnd(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const origin = `http://127.0.0.1:${port}`;
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`it ended: ${child.exitCode} ${String(child.stderr.read())}`);
    return (await fetch(`${origin}/health/live`).catch(() => null))?.ok ?? false;
  });
  return {
    origin,
    pid: child.pid ?? 0,
    env: settings,
    folder,
    get: (path, headers = {}) => fetch(`${origin}${path}`, { headers }),
    kill: (signal) => void child.kill(signal),
    ended,
    async printedKey() {
      let printed = "";
      child.stdout.on("data", (chunk) => (printed += chunk));
      await waitUntil(() => KEY.test(printed));
      return KEY.exec(printed)?.[0] ?? "";
    },
    isLocked: () => isServerRunning(openDataFolder(settings.DATA_DIR)),
  };
}

/** Asks repeatedly, because another process does not report its state in any other way. */
export async function waitUntil(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

/** A key of the server's workspace, created by another process. */
export async function createKey({ env }: ShellServer, ...options: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runCommandHere(["key", "create", "--name", "test", ...options], env);
  if (stdout === "") throw new Error(stderr);
  return stdout.trim();
}

/** Limits the size of files of a running process; null removes the limit. This needs Linux. */
export async function limitFileSize(pid: number, bytes: number | null): Promise<void> {
  const child = spawn("prlimit", ["--pid", String(pid), `--fsize=${bytes ?? "unlimited"}:`], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`prlimit ended with ${code}`);
}

export const CAN_LIMIT_FILES = existsSync("/usr/bin/prlimit");

/** The lines of a log that was written to a file. */
export function readLog(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.startsWith("{")).flatMap((line) => parseLine(line));
}

function parseLine(line: string): Record<string, unknown>[] {
  try {
    return [JSON.parse(line)];
  } catch {
    // A full disk cut the line short.
    return [];
  }
}
