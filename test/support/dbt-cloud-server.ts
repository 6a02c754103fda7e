/** Answers as dbt Cloud's Administrative API: runs of jobs in one account, and the artifacts of each run. */
import type { ServerResponse } from "node:http";

import { serveHttp, type NotingServer } from "./http-server.ts";

export const CLOUD_TOKEN = "dbtc_t0ken";
export const CLOUD_ACCOUNT = "7";

export interface CloudRun {
  id: number;
  job: number;
  environment?: number;
  /** 10 is success, 20 an error. */
  status?: number;
  finished: string;
  /** The artifacts by file name; null if they expired. */
  artifacts?: Record<string, string> | null;
  saved?: boolean;
}

interface CloudOptions {
  runs: CloudRun[];
  jobs?: number[];
  /** Accounts that exist, but that the token may not read. */
  forbidden?: string[];
}

export async function startDbtCloud({ runs, jobs = [1], forbidden = [] }: CloudOptions): Promise<NotingServer> {
  return serveHttp((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://localhost");
    const [, account = "", rest = ""] = /^\/api\/v2\/accounts\/(\d+)\/(.*)$/.exec(pathname) ?? [];
    if (request.headers.authorization !== `Token ${CLOUD_TOKEN}`) return tell(response, 401, null, "Invalid token.");
    if (forbidden.includes(account)) return tell(response, 403, null, "You do not have access.");
    if (account !== CLOUD_ACCOUNT) return tell(response, 404, null, "The requested resource was not found.");
    const [, run, path] = /^runs\/(\d+)\/artifacts\/(.*)$/.exec(rest) ?? [];
    if (run !== undefined) {
      const artifacts = runs.find(({ id }) => id === Number(run))?.artifacts;
      if (artifacts === undefined || artifacts === null) return tell(response, 404, null, "Not found.");
      if (path === "") return tell(response, 200, ["compiled/shop/models/a.sql", ...Object.keys(artifacts)]);
      const found = artifacts[path ?? ""];
      return found === undefined ? tell(response, 404, null, "Not found.") : void response.end(found);
    }
    const [, job] = /^jobs\/(\d+)\/$/.exec(rest) ?? [];
    if (job !== undefined) return tell(response, jobs.includes(Number(job)) ? 200 : 404, { id: Number(job) });
    if (rest !== "runs/") return tell(response, 404, null, "Not found.");
    if (query.get("order_by") !== "-finished_at") return tell(response, 400, null, "order_by");
    const wanted = runs
      .filter((each) => (each.status ?? 10) === Number(query.get("status")))
      .filter((each) => !query.has("job_definition_id") || each.job === Number(query.get("job_definition_id")))
      .filter((each) => !query.has("environment_id") || each.environment === Number(query.get("environment_id")))
      .toSorted((a, b) => (a.finished < b.finished ? 1 : -1));
    const shown = wanted.slice(0, Number(query.get("limit"))).map(({ id, saved = true }) => {
      return { id, status: 10, artifacts_saved: saved, job: { name: "daily", execute_steps: ["dbt build"] } };
    });
    return tell(response, 200, shown);
  });
}

function tell(response: ServerResponse, status: number, data: unknown, message = "Success!"): void {
  const told = { code: status, is_success: status === 200, user_message: message, developer_message: "" };
  response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ status: told, data, extra: { pagination: { count: 1 } } }));
}
