/** A Valkey server for one test: on loopback, with nothing on the disk. Redis can replace it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findFreePort } from "./free-port.ts";
import { present } from "./present.ts";

function findProgram(): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/bin", "/usr/local/bin"];
  const paths = ["valkey-server", "redis-server"].flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

const program = findProgram();

/** Continuous integration installs it, so there the tests fail without it. */
export const hasValkey = program !== null || process.env["CI"] === "true";

export interface ValkeyServer {
  port: number;
  /** For `LIMITS_URL`. */
  url: string;
  /** Ends the server at once, as a crash would. Its data is lost. */
  kill(): Promise<void>;
  /** Starts it again at the same port, if it does not run. */
  start(): Promise<void>;
  /** It still accepts connections, and answers nothing. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** @param options further options of the server, such as `{ requirepass: "secret" }` */
export async function startValkey(options: Readonly<Record<string, string>> = {}): Promise<ValkeyServer> {
  const port = await findFreePort();
  const all = { port: String(port), bind: "127.0.0.1", save: "", appendonly: "no", dir: tmpdir(), ...options };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    if (server !== null) return;
    server = spawn(present(program), args, { stdio: ["ignore", "pipe", "inherit"] });
    await isReady(server);
  }
  async function kill(): Promise<void> {
    if (server === null) return;
    const exited = once(server, "exit");
    server.kill("SIGKILL");
    server = null;
    await exited;
  }
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    freeze: () => void server?.kill("SIGSTOP"),
    thaw: () => void server?.kill("SIGCONT"),
    close: kill,
  };
}

/** Waits for the line that says that the server is ready. If it stops before, the error has its output. */
async function isReady({ stdout }: ChildProcess): Promise<void> {
  let printed = "";
  const lines = present(stdout);
  for await (const chunk of lines.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    if (/ready to accept connections/i.test(printed)) {
      lines.resume();
      return;
    }
  }
  throw new Error(`Valkey did not start: ${printed}`);
}
