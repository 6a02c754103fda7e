/**
 * Marquez on a PostgreSQL of its own, built from a checkout of its sources. The packages that it needs are pinned in
 * marquez-pom.xml. It runs with its own settings, but without logs, and without OpenSearch: its first search reads PostgreSQL.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { findFreePort } from "../../test/support/free-port.ts";
import { startPostgres } from "../../test/support/postgres.ts";

const SOURCES = ["api/src/main/java", "clients/java/src/main/java"];
const RESOURCES = "api/src/main/resources";
const PASSWORD = "marquez";
/** The JVM starts slowly on a busy machine. */
const START_MS = 600_000;
const POLL_MS = 200;

export interface Marquez {
  origin: string;
  /** The JVM, and the first process of PostgreSQL. */
  pids: number[];
  /** Brings PostgreSQL's statistics up to date, as its autovacuum does within minutes. */
  analyze(): Promise<void>;
  /** Bytes of the database, without its log of writes. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** Compiles the checkout into its folder `build/bench`, unless that was done before. It needs Maven, and Java 17. */
function build(checkout: string): string {
  const built = join(checkout, "build/bench");
  const [lib, classes] = [join(built, "lib"), join(built, "classes")];
  if (!existsSync(classes)) {
    mkdirSync(lib, { recursive: true });
    const pom = join(import.meta.dirname, "marquez-pom.xml");
    execFileSync("mvn", ["-q", "-B", "-f", pom, "dependency:copy-dependencies", `-DoutputDirectory=${lib}`]);
    const files = SOURCES.flatMap((folder) =>
      readdirSync(join(checkout, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".java"))
        .map((name) => join(checkout, folder, name)),
    );
    const list = join(built, "sources.txt");
    writeFileSync(list, files.join("\n"));
    const options = ["-nowarn", "-parameters", "-encoding", "UTF-8", "-cp", `${lib}/*`, "-d", classes];
    execFileSync("javac", [...options, `@${list}`], { stdio: "pipe" });
  }
  return [classes, join(checkout, RESOURCES), `${lib}/*`].join(":");
}

const settingsFor = (port: number, postgres: number): object => ({
  server: {
    applicationConnectors: [{ type: "http", port, bindHost: "127.0.0.1", httpCompliance: "RFC7230_LEGACY" }],
    adminConnectors: [{ type: "http", port: 0, bindHost: "127.0.0.1" }],
    requestLog: { appenders: [] },
  },
  db: {
    driverClass: "org.postgresql.Driver",
    url: `jdbc:postgresql://127.0.0.1:${postgres}/marquez`,
    user: "marquez",
    password: PASSWORD,
  },
  migrateOnStartup: true,
  graphql: { enabled: true },
  search: { enabled: false },
  logging: { level: "ERROR", appenders: [{ type: "console" }] },
});

/** @param questionMs after which PostgreSQL ends a statement */
export async function startMarquez(checkout: string, folder: string, questionMs: number): Promise<Marquez> {
  const classPath = build(checkout);
  // The tests turn it off. Events that were answered must be stored, on both sides.
  const server = await startPostgres({ settings: { fsync: "on" } });
  await server.run(
    "postgres",
    `CREATE ROLE marquez SUPERUSER LOGIN PASSWORD '${PASSWORD}'`,
    "CREATE DATABASE marquez OWNER marquez",
    `ALTER ROLE marquez SET statement_timeout = ${questionMs}`,
  );
  const client = await server.connect("marquez");
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const status = readFileSync(`/proc/${rows[0]?.pid}/status`, "utf8");
  const postmaster = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);

  const port = await findFreePort();
  const config = join(folder, "marquez.yml");
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(settingsFor(port, server.port)));
  const options = ["-Duser.timezone=UTC", "-Dlog4j2.formatMsgNoLookups=true", "-cp", classPath];
  const java = spawn("java", [...options, "marquez.MarquezApp", "server", config], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const origin = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    if (java.exitCode === null) {
      const exited = once(java, "exit");
      java.kill("SIGKILL");
      await exited;
    }
    await client.end();
    await server.close();
  };
  const until = performance.now() + START_MS;
  const isUp = async (): Promise<boolean> =>
    (await fetch(`${origin}/api/v1/namespaces`).catch(() => null))?.ok === true;
  while (!(await isUp())) {
    if (java.exitCode !== null || performance.now() > until) {
      await close();
      throw new Error("Marquez did not start");
    }
    await sleep(POLL_MS);
  }
  return {
    origin,
    pids: [java.pid ?? 0, postmaster],
    async analyze() {
      await client.query("VACUUM ANALYZE");
    },
    async size() {
      const answer = await client.query<{ size: string }>("SELECT pg_database_size('marquez') AS size");
      return Number(answer.rows[0]?.size);
    },
    close,
  };
}
