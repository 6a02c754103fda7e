/** A PostgreSQL server for one test: on loopback and a free port, with a data folder that is removed with it. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Client } from "pg";

import { present } from "./present.ts";

/** The folder of the server's programs: of the newest version that Debian has installed, or of the PATH. */
function findBinaries(): string | null {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
  const debian = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => `/usr/lib/postgresql/${version}/bin`);
  const folders = [...debian, ...(process.env["PATH"] ?? "").split(":")];
  return folders.find((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name)))) ?? null;
}

const binaries = findBinaries();

/** Continuous integration installs it, so there the tests fail without it. */
export const hasPostgres = binaries !== null || process.env["CI"] === "true";

/** The server refuses to run as root. Then it runs as the user that Debian made for it, or as nobody. */
function findUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const [, , uid, gid] = present(
    users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody"),
  );
  return { uid: Number(uid), gid: Number(gid) };
}

const SUPERUSER = "admin";
const SUPERUSER_PASSWORD = "the administrator's password";

export interface PostgresServer {
  port: number;
  /** Runs statements as the superuser, each separately. */
  run(database: string, ...statements: string[]): Promise<void>;
  /** A connection of the superuser, which the test must close. */
  connect(database: string): Promise<Client>;
  /** Ends the server at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with its data. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Lines of pg_hba.conf; by default every role logs in with its password. */
  hba?: readonly string[];
  /** Further settings of the server. */
  settings?: Readonly<Record<string, string>>;
  /** Files beside the data, such as a certificate, by their names. Only the server's user can read them. */
  files?: Readonly<Record<string, string>>;
}

const WITH_PASSWORD = ["host all all 127.0.0.1/32 scram-sha-256"];

/** Starts a server with only the superuser. */
export async function startPostgres({
  hba = [],
  settings = {},
  files = {},
}: ServerOptions = {}): Promise<PostgresServer> {
  const programs = present(binaries);
  const user = findUser();
  const folder = mkdtempSync(join(tmpdir(), "tributary-postgres-"));
  const data = join(folder, "data");
  mkdirSync(data);
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, SUPERUSER_PASSWORD);
  if (user !== null) for (const path of [folder, data, passwordFile]) chownSync(path, user.uid, user.gid);
  const as = { ...user, cwd: folder, env: { LC_ALL: "C", PATH: process.env["PATH"] } };
  const make = ["-D", data, "-U", SUPERUSER, "--auth=scram-sha-256", `--pwfile=${passwordFile}`, "--encoding=UTF8"];
  execFileSync(join(programs, "initdb"), [...make, "--locale=C", "--no-sync"], { ...as, stdio: "pipe" });
  writeFileSync(join(data, "pg_hba.conf"), [...hba, ...WITH_PASSWORD].join("\n"));
  for (const [name, text] of Object.entries(files)) {
    const path = join(data, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (user !== null) chownSync(path, user.uid, user.gid);
  }
  const port = await findFreePort();
  const all = {
    fsync: "off",
    unix_socket_directories: "",
    listen_addresses: "127.0.0.1",
    port: String(port),
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(join(programs, "postgres"), ["-D", data, ...args], {
      ...as,
      stdio: ["ignore", "ignore", "pipe"],
    });
    await isReady(started);
    return started;
  };
  let server = await start();

  const connect = async (database: string): Promise<Client> => {
    const client = new Client({
      host: "127.0.0.1",
      port,
      user: SUPERUSER,
      password: SUPERUSER_PASSWORD,
      database,
      ssl: false,
    });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const exited = once(server, "exit");
    server.kill(signal);
    await exited;
  };
  return {
    port,
    connect,
    async run(database, ...statements) {
      const client = await connect(database);
      try {
        for (const statement of statements) await client.query(statement);
      } finally {
        await client.end();
      }
    },
    kill: () => end("SIGQUIT"),
    async start() {
      server = await start();
    },
    async close() {
      if (server.exitCode === null && server.signalCode === null) await end("SIGINT");
      rmSync(folder, { recursive: true });
    },
  };
}

/** Waits for the line that says that the server is ready. If it stops before, the error has its output. */
async function isReady({ stderr }: ChildProcess): Promise<void> {
  let printed = "";
  const lines = present(stderr);
  for await (const chunk of lines.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    if (/ready to accept connections/.test(printed)) {
      lines.resume();
      return;
    }
  }
  throw new Error(`PostgreSQL did not start: ${printed}`);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return address.port;
}
