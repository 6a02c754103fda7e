/** Real stores and processes: PostgreSQL, Valkey, servers and workers that share a data folder. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";

import { type RunningCommand, startCommand } from "../../test/support/command-line.ts";
import { findFreePort } from "../../test/support/free-port.ts";
import { startPostgres } from "../../test/support/postgres.ts";
import { waitUntil } from "../../test/support/shell-server.ts";
import { startSilentProxy } from "../../test/support/silent-proxy.ts";
import { startValkey } from "../../test/support/valkey.ts";

/** A server or a worker. It is restarted after each end. */
export interface Member {
  name: string;
  /** The origin of a server. */
  url: string;
  /** Whether requests should be sent there, as a load balancer decides. */
  isUp: boolean;
  /** The number of cut connections. */
  cuts: number;
  /** Whether its process has ended for any reason. */
  hasEnded(): boolean;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Tells it to stop. Resolves to its exit code. */
  stop(): Promise<number | null>;
}

/** A line of a process's log. */
interface LogLine {
  level: number;
  msg: string;
  err?: { message?: string; code?: string };
}

export interface Cluster {
  servers: Member[];
  workers: Member[];
  postgres: Awaited<ReturnType<typeof startPostgres>>;
  /** The proxy through which all processes reach PostgreSQL. */
  road: Awaited<ReturnType<typeof startSilentProxy>>;
  valkey: Awaited<ReturnType<typeof startValkey>>;
  /** The key that the first start printed. */
  key: string;
  /** Errors and warnings in the logs of all processes, with their numbers. */
  readLogs(): Map<string, number>;
  close(): Promise<void>;
}

export const DATABASE = "tributary";
const ERROR = 50;
const WARNING = 40;

export async function startCluster(folder: string, counts: { servers: number; workers: number }): Promise<Cluster> {
  const postgres = await startPostgres();
  await postgres.run("postgres", "create role tributary login password 'tributary'");
  await postgres.run("postgres", `create database ${DATABASE} owner tributary template template0`);
  const road = await startSilentProxy(postgres.port);
  const valkey = await startValkey();
  const settings = {
    METADATA_URL: `postgres://tributary:tributary@127.0.0.1:${road.port}/${DATABASE}`,
    LIMITS_URL: valkey.url,
    GRAPH_URL: "sqlite:",
    DATA_DIR: join(folder, "data"),
    SECRET_KEY: randomBytes(32).toString("base64"),
    PUBLIC_URL: "http://catalog.test",
    SERVER_WORKS: "off",
    LOG_LEVEL: "warn",
    MAX_CONNECTIONS_PER_ADDRESS: "1000",
  };
  const ended: RunningCommand[] = [];

  function createMember(
    name: string,
    args: string[],
    more: Record<string, string>,
    port = 0,
  ): Member & { running(): RunningCommand } {
    let command: RunningCommand | undefined;
    const running = (): RunningCommand => {
      if (command === undefined) throw new Error(`${name} was not started`);
      return command;
    };
    async function end(signal: NodeJS.Signals): Promise<number | null> {
      member.isUp = false;
      const { process, ended: exited } = running();
      process.kill(signal);
      return (await exited).code;
    }
    const member = {
      name,
      url: `http://127.0.0.1:${port}`,
      isUp: false,
      cuts: 0,
      running,
      hasEnded: () => running().process.exitCode !== null || running().process.signalCode !== null,
      async start() {
        command = startCommand(args, { ...settings, ...more });
        ended.push(command);
        if (port === 0) await command.printed(/works\n/);
        else await isReady(member.url, command);
        member.isUp = true;
      },
      async kill() {
        member.cuts += 1;
        await end("SIGKILL");
      },
      stop: () => end("SIGTERM"),
    };
    return member;
  }

  const servers = await Promise.all(
    Array.from({ length: counts.servers }, async (_, i) => {
      const port = await findFreePort();
      return createMember(`server ${i + 1}`, ["serve", "--without-ui"], { PORT: String(port) }, port);
    }),
  );
  const workers = Array.from({ length: counts.workers }, (_, i) => createMember(`worker ${i + 1}`, ["worker"], {}));
  // Creates the sample, the workspace and the key of the first start.
  const members = [...servers, ...workers];
  await Promise.all(members.map((member) => member.start()));
  const printed = await Promise.any(servers.map((server) => server.running().printed(/svc_live_[A-Za-z0-9]+ .*\n/)));
  await Promise.all(servers.map((server) => server.running().printed(/API keys?  .*\n/)));
  return {
    servers,
    workers,
    postgres,
    road,
    valkey,
    key: /svc_live_[A-Za-z0-9]+/.exec(printed)?.[0] ?? "",
    readLogs: () => countLines(ended.flatMap(({ output }) => output.stderr.split("\n"))),
    async close() {
      for (const { process } of ended) process.kill("SIGKILL");
      await Promise.all(ended.map((command) => command.ended));
      await road.close();
      await valkey.close();
      await postgres.close();
    },
  };
}

async function isReady(url: string, command: RunningCommand): Promise<void> {
  await waitUntil(async () => {
    if (command.process.exitCode !== null) throw new Error(`it ended: ${command.output.stderr}`);
    return (await fetch(`${url}/health/ready`).catch(() => null))?.ok ?? false;
  });
}

function countLines(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const found = describe(line);
    if (found !== null) counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  return new Map([...counts].toSorted(([, a], [, b]) => b - a));
}

/** Null for a line that is neither a warning nor an error. */
function describe(line: string): string | null {
  if (line === "") return null;
  try {
    const { level, msg, err }: LogLine = JSON.parse(line);
    if (level < WARNING) return null;
    const cause = err?.message === undefined ? "" : ` (${err.message.split("\n", 1)[0]})`;
    return `${level >= ERROR ? "error" : "warning"}: ${msg}${cause}`;
  } catch {
    // A killed process did not finish the line, or the line is not a log line.
    return `not a log: ${line.slice(0, 100)}`;
  }
}
