/**
 * An Airflow to crawl: a server whose answers have the form of the API documents of Airflow 2.10 (`/api/v1`) and 3.1
 * (`/api/v2`).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

import { onTestFinished } from "vitest";

import { type NotingServer, serveHttp } from "./http-server.ts";

interface FakeTask {
  id: string;
  doc?: string;
  owner?: string;
  next?: string[];
}

interface FakeDag {
  id: string;
  tasks?: FakeTask[];
  description?: string;
  doc?: string;
  paused?: boolean;
  owners?: string[];
  tags?: string[];
  /** A cron expression; null if the DAG has no schedule. */
  schedule?: string | null;
  /** When the next run is due; null if as many runs are active as may be. */
  due?: string | null;
  lastRun?: "success" | "failed" | "running" | "queued";
}

interface FakeAsset {
  uri: string;
  name?: string;
  /** DAGs that are scheduled on it. */
  schedules?: string[];
  /** Tasks as `dag/task`. */
  producers?: string[];
  consumers?: string[];
  aliases?: string[];
}

export interface FakeContents {
  dags: FakeDag[];
  assets?: FakeAsset[];
}

export type Version = "2.10.5" | "3.0.6" | "3.1.0";

/** Answers a request instead of Airflow and returns true, or returns false. */
export type Intrusion = (request: { path: string; query: URLSearchParams }, response: ServerResponse) => boolean;

export interface FakeAirflow extends NotingServer {
  /** The contents of the server. A test may change them. */
  contents: FakeContents;
  /** Called before each answer. A test may change it. */
  intrude: Intrusion;
  /** Paths and queries of requests, without `/api/v1` and `/api/v2`. */
  asked: () => string[];
}

export interface FakeOptions {
  version?: Version;
  /** Airflow's setting `maximum_page_limit`. */
  mostOnPage?: number;
}

export const USER = { username: "reader", password: "s3cret:with colon" };
/** The token that `POST /auth/token` of Airflow 3 returns, and that both versions accept. */
export const TOKEN = "eyJhbGciOiJIUzUxMiJ9.e30.c2lnbmF0dXJl";

/** Closes when the test ends. */
export async function serveAirflow(
  contents: FakeContents,
  { version = "3.1.0", mostOnPage = 100 }: FakeOptions = {},
): Promise<FakeAirflow> {
  const isLegacy = version.startsWith("2.");
  const base = isLegacy ? "/api/v1" : "/api/v2";
  const airflow: Omit<FakeAirflow, keyof NotingServer> = {
    contents,
    intrude: () => false,
    asked: () => server.seen.map(({ url = "" }) => url.replace(base, "")),
  };
  const listener: RequestListener = (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://airflow");
    if (airflow.intrude({ path: pathname, query }, response)) return;
    if (!isLegacy && pathname === "/auth/token") return void answerLogin(request, response);
    if (!pathname.startsWith(`${base}/`)) return notFound(response, { isLegacy });
    const path = pathname.slice(base.length);
    if (path === "/version") return json(response, { version, git_version: ".release:0123456789abcdef" });
    if (!isPermitted(request, { isLegacy })) return refuse(response, { isLegacy });
    const body = answer(path.split("/").slice(1).map(decodeURIComponent), query, airflow.contents, {
      version,
      mostOnPage,
    });
    if (body === null) notFound(response, { isLegacy });
    else json(response, body);
  };
  const server = await serveHttp(listener);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return Object.assign(airflow, server);
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function answerLogin(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { username, password } = JSON.parse(Buffer.concat(chunks).toString()) as typeof USER;
  if (request.method === "POST" && username === USER.username && password === USER.password) {
    json(response, { access_token: TOKEN }, 201);
  } else json(response, { detail: "Invalid credentials" }, 401);
}

function isPermitted({ headers }: IncomingMessage, { isLegacy }: { isLegacy: boolean }): boolean {
  if (headers.authorization === `Bearer ${TOKEN}`) return true;
  const basic = Buffer.from(`${USER.username}:${USER.password}`).toString("base64");
  return isLegacy && headers.authorization === `Basic ${basic}`;
}

function refuse(response: ServerResponse, { isLegacy }: { isLegacy: boolean }): void {
  const problem = {
    detail: null,
    status: 401,
    title: "Unauthorized",
    type: "https://airflow.apache.org/#section/Errors",
  };
  json(response, isLegacy ? problem : { detail: "Not authenticated" }, 401);
}

function notFound(response: ServerResponse, { isLegacy }: { isLegacy: boolean }): void {
  if (!isLegacy) return json(response, { detail: "Not Found" }, 404);
  response
    .writeHead(404, { "content-type": "text/html" })
    .end("<html><title>Airflow 404 = lots of circles</title></html>");
}

interface Api {
  version: Version;
  mostOnPage: number;
}

function answer(path: string[], query: URLSearchParams, { dags, assets = [] }: FakeContents, api: Api): unknown {
  const isLegacy = api.version.startsWith("2.");
  const [list, id, part] = path;
  const dag = dags.find((each) => each.id === id);
  if (list === "dags" && id === undefined) {
    const state = query.get("last_dag_run_state");
    const listed = dags.filter(({ lastRun }) => isLegacy || state === null || lastRun === state);
    const inOrder = listed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return page("dags", inOrder, (each) => toDag(each, api), { query, api });
  }
  if (list === "dags" && dag !== undefined && part === "details") return toDetails(dag, api);
  if (list === "dags" && dag !== undefined && part === "tasks") {
    const tasks = (dag.tasks ?? []).map((task) => toTask(task, api));
    return { tasks, total_entries: tasks.length };
  }
  if (list === (isLegacy ? "datasets" : "assets") && id === undefined) {
    return page(list, assets, (asset, at) => toAsset(asset, at + 1, api), { query, api });
  }
  return null;
}

function page<Item>(
  key: string,
  all: readonly Item[],
  toEntry: (item: Item, at: number) => unknown,
  { query, api: { mostOnPage, version } }: { query: URLSearchParams; api: Api },
): unknown {
  const offset = Number(query.get("offset") ?? 0);
  const limit = Number(query.get("limit") ?? (version.startsWith("2.") ? 100 : 50));
  const entries = all.slice(offset, offset + Math.min(limit, mostOnPage)).map((item, i) => toEntry(item, offset + i));
  return { [key]: entries, total_entries: all.length };
}

const AT = "2026-05-04T03:02:01.123456Z";

function toDag(dag: FakeDag, { version }: Api): Record<string, unknown> {
  const { id, description, paused = false, owners = ["airflow"], tags = [], schedule = null, due = null } = dag;
  const next = schedule === null ? null : AT;
  const common = {
    dag_id: id,
    dag_display_name: id,
    is_paused: paused,
    last_parsed_time: AT,
    last_expired: null,
    fileloc: "/opt/airflow/dags/sales/daily.py",
    file_token: "Ii9vcHQvYWlyZmxvdy9kYWdzIg.c2ln",
    description: description ?? null,
    timetable_description: schedule === null ? "Never, external triggers only" : `At ${schedule}`,
    max_active_tasks: 16,
    max_active_runs: 16,
    max_consecutive_failed_dag_runs: 0,
    has_task_concurrency_limits: false,
    has_import_errors: false,
    next_dagrun_data_interval_start: AT,
    next_dagrun_data_interval_end: AT,
    owners,
  };
  if (version.startsWith("2.")) {
    return {
      ...common,
      is_active: true,
      is_subdag: false,
      root_dag_id: null,
      default_view: "grid",
      last_pickled: null,
      pickle_id: null,
      scheduler_lock: null,
      next_dagrun: next,
      next_dagrun_create_after: due,
      schedule_interval: schedule === null ? null : { __type: "CronExpression", value: schedule },
      tags: tags.map((name) => ({ name })),
    };
  }
  return {
    ...common,
    is_stale: false,
    bundle_name: "dags-folder",
    bundle_version: null,
    relative_fileloc: "sales/daily.py",
    timetable_summary: schedule,
    next_dagrun_logical_date: next,
    next_dagrun_run_after: due,
    tags: tags.map((name) => ({ name, dag_id: id, dag_display_name: id })),
  };
}

function toDetails(dag: FakeDag, api: Api): Record<string, unknown> {
  const isLegacy = api.version.startsWith("2.");
  return {
    ...toDag(dag, api),
    catchup: false,
    dag_run_timeout: null,
    doc_md: dag.doc ?? null,
    start_date: AT,
    end_date: null,
    is_paused_upon_creation: null,
    params: {},
    render_template_as_native_obj: false,
    template_search_path: null,
    last_parsed: AT,
    concurrency: 16,
    ...(isLegacy
      ? { timezone: "UTC", orientation: "LR", dataset_expression: null }
      : { timezone: "UTC", asset_expression: null, default_args: {}, latest_dag_version: null }),
  };
}

function toTask({ id, doc, owner = "airflow", next = [] }: FakeTask, { version }: Api): Record<string, unknown> {
  const day = { __type: "TimeDelta", days: 0, seconds: 300, microseconds: 0 };
  return {
    task_id: id,
    task_display_name: id,
    class_ref: {
      module_path: "airflow.providers.common.sql.operators.sql",
      class_name: "SQLExecuteQueryOperator",
    },
    depends_on_past: false,
    doc_md: doc ?? null,
    downstream_task_ids: next,
    end_date: null,
    execution_timeout: null,
    extra_links: [],
    is_mapped: false,
    operator_name: "SQLExecuteQueryOperator",
    owner,
    params: {},
    pool: "default_pool",
    pool_slots: 1,
    priority_weight: 1,
    queue: "default",
    retries: 0,
    retry_delay: day,
    retry_exponential_backoff: false,
    start_date: AT,
    template_fields: ["sql", "parameters"],
    trigger_rule: "all_success",
    ui_color: "#cdaaed",
    ui_fgcolor: "#000",
    wait_for_downstream: false,
    weight_rule: "downstream",
    ...(version.startsWith("2.") ? { executor: null } : {}),
  };
}

function toAsset(asset: FakeAsset, id: number, { version }: Api): Record<string, unknown> {
  const { uri, name = uri, schedules = [], producers = [], consumers = [], aliases = [] } = asset;
  const at = { created_at: AT, updated_at: AT };
  const toDags = schedules.map((dag_id) => ({ dag_id, created_at: AT, updated_at: AT }));
  const toTasks = (tasks: string[]) =>
    tasks.map((task) => ({ dag_id: task.split("/")[0], task_id: task.split("/")[1], ...at }));
  const common = { id, uri, extra: { team: "sales", password: "hunter2" }, ...at, producing_tasks: toTasks(producers) };
  if (version.startsWith("2.")) return { ...common, consuming_dags: toDags };
  const named = {
    ...common,
    name,
    group: "asset",
    aliases: aliases.map((alias, at_) => ({ id: at_, name: alias, group: "asset" })),
  };
  if (version.startsWith("3.0")) {
    return { ...named, consuming_dags: toDags, last_asset_event_id: 7, last_asset_event_timestamp: AT };
  }
  const last_asset_event = { id: 7, timestamp: AT };
  return { ...named, scheduled_dags: toDags, consuming_tasks: toTasks(consumers), watchers: [], last_asset_event };
}
