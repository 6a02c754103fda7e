/** Airflow 3 itself, with its provider of OpenLineage. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { findFreePort } from "./free-port.ts";
import { type FoundPython, findPython, type Python } from "./python.ts";
import { at, type Json } from "./rest-client.ts";

export const findAirflow = (): Promise<FoundPython> =>
  findPython(["apache-airflow==3.3.2", "apache-airflow-providers-openlineage==2.20.3"]);

const USER = { username: "reader", password: "a reader's password" };
const POLL_MS = 500;
/** Characters of what it printed that an error repeats. */
const MAX_TOLD = 2_000;

export interface RunningAirflow extends AsyncDisposable {
  /** Origin of its API. */
  url: string;
  /** Who may see all, and may run DAGs. */
  user: Readonly<typeof USER>;
  /** Runs DAGs, and waits until each of `all` has run: one may run because of another. */
  run(dags: readonly string[], all: readonly string[]): Promise<void>;
}

export interface AirflowParts {
  /** Where it keeps everything. */
  folder: string;
  /** Path of a file with DAGs. */
  dags: string;
  /** Where it sends its events. */
  lineageTo: { url: string; token: string };
  signal: AbortSignal;
}

/** Starts it, and waits until it has read its DAGs. */
export async function startAirflow(python: Python, parts: AirflowParts): Promise<RunningAirflow> {
  const { folder, dags, lineageTo, signal } = parts;
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const passwords = join(folder, "passwords.json");
  const log = join(folder, "printed.log");
  await mkdir(join(folder, "dags"), { recursive: true });
  await copyFile(dags, join(folder, "dags/shop.py"));
  await writeFile(passwords, JSON.stringify({ [USER.username]: USER.password }));
  const env = {
    ...process.env,
    HOME: folder,
    AIRFLOW_HOME: folder,
    AIRFLOW__CORE__LOAD_EXAMPLES: "false",
    AIRFLOW__CORE__DAGS_ARE_PAUSED_AT_CREATION: "false",
    AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS: `${USER.username}:admin`,
    AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE: passwords,
    AIRFLOW__CORE__EXECUTION_API_SERVER_URL: `${url}/execution/`,
    AIRFLOW__CORE__PARALLELISM: "2",
    AIRFLOW__API__HOST: "127.0.0.1",
    AIRFLOW__API__PORT: String(port),
    AIRFLOW__API__WORKERS: "1",
    // Two Airflows of one machine have the same ports otherwise.
    AIRFLOW__LOGGING__WORKER_LOG_SERVER_PORT: String(await findFreePort()),
    AIRFLOW__LOGGING__TRIGGER_LOG_SERVER_PORT: String(await findFreePort()),
    AIRFLOW__OPENLINEAGE__TRANSPORT: JSON.stringify({
      type: "http",
      url: lineageTo.url,
      auth: { type: "api_key", apiKey: lineageTo.token },
    }),
    // It finds its own parts by their names.
    PATH: `${python.program("")}:${process.env["PATH"]}`,
  };
  // A group of its own, so that all its processes can be ended.
  const started = spawn(python.program("airflow"), ["standalone"], { cwd: folder, env, detached: true });
  const printed = createWriteStream(log);
  for (const output of [started.stdout, started.stderr]) output.pipe(printed, { end: false });
  const ended = once(started, "exit");
  const close = async (): Promise<void> => {
    const { pid } = started;
    if (pid !== undefined && started.exitCode === null) process.kill(-pid, "SIGKILL");
    await ended;
  };
  const wait = async <T>(what: string, look: () => Promise<T | null>): Promise<T> => {
    for (;;) {
      const found = await look();
      if (found !== null) return found;
      if (signal.aborted || started.exitCode !== null) {
        throw new Error(`Airflow ${what} not: ${(await readFile(log, "utf8")).slice(-MAX_TOLD)}`);
      }
      await setTimeout(POLL_MS);
    }
  };
  try {
    const token = await wait("answers", () => logIn(url));
    const api = (path: string, body?: object): Promise<Json> => ask(`${url}/api/v2/${path}`, { token, body });
    const begin = (dag: string): Promise<Json> => api(`dags/${dag}/dagRuns`, { logical_date: null });
    const statesOf = async (dag: string): Promise<unknown[]> => {
      const runs = at(await api(`dags/${dag}/dagRuns`), "dag_runs");
      return Array.isArray(runs) ? runs.map((run: Json) => at(run, "state")) : [];
    };
    await wait("reads its DAGs", async () => (Number(at(await api("dags"), "total_entries")) > 0 ? true : null));
    return {
      url,
      user: USER,
      async run(some, all) {
        const isDone = async (): Promise<true | null> => {
          const states = await Promise.all(all.map(async (dag) => [dag, await statesOf(dag)] as const));
          // Where the machine has much to do, Airflow lets a task fail that it could not begin.
          for (const [dag, each] of states) {
            if (some.includes(dag) && each.every((state) => state === "failed")) await begin(dag);
          }
          return states.every(([, each]) => each.includes("success")) ? true : null;
        };
        for (const dag of some) await begin(dag);
        await wait("runs its DAGs", isDone);
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Null: it does not answer yet. */
async function logIn(url: string): Promise<string | null> {
  const token = at(await ask(`${url}/auth/token`, { body: USER }).catch(() => null), "access_token");
  return typeof token === "string" ? token : null;
}

async function ask(url: string, { token, body }: { token?: string; body: object | undefined }): Promise<Json> {
  const headers = {
    "content-type": "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(
    url,
    body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) },
  );
  return (await response.json()) as Json;
}
