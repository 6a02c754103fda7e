/** The Airflow connector: DAGs, tasks and assets of one Airflow, from its REST API. */
import { z } from "zod";

import { systemClock } from "../../clock.ts";
import { type ConnectorType, CrawlFailure, type SourceFinding } from "../connector.ts";
import { type ApiContext, type ApiNetwork, DEFAULT_API_NETWORK, SHORT_WAIT } from "../http/api-client.ts";
import { type AirflowApi, openApi, toPath } from "./api.ts";
import { crawlAirflow } from "./crawl.ts";
import { type AirflowOptions, airflowOptions } from "./options.ts";
import { dagShape, taskListShape } from "./shapes.ts";

/** @param limits which addresses Airflow may have, and how long it is waited for */
export function createAirflowConnector(limits: Partial<ApiNetwork> = {}) {
  const network = { ...DEFAULT_API_NETWORK, ...limits };
  const { now } = systemClock;
  return {
    type: "airflow",
    description: "An Airflow: DAGs and tasks with their schedules and owners, and the assets that they read and write.",
    precedence: 30,
    lineagePrecedence: 150,
    options: airflowOptions,
    secretOptions: ["password", "token"],
    pull: {
      estimateSeconds: (options) => estimateSeconds(options, { network, now }),
      test: (options, signal) => testAirflow(options, { network, signal, now }),
      crawl: (options, context, _aspects, findPipelines) => crawlAirflow(options, context, findPipelines, network),
    },
  } satisfies ConnectorType<AirflowOptions>;
}

/** Somebody waits for the answer to the request that starts the sync. */
const LONGEST_WAIT_MS = 3_000;

/** With two requests at a time for each DAG, to a server that answers in 100 ms. */
const DAGS_PER_SECOND = 20;

/** The estimate if Airflow does not answer in time. */
const UNKNOWN_SECONDS = 60;

async function estimateSeconds(
  options: AirflowOptions,
  { network, now }: Pick<ApiContext, "network" | "now">,
): Promise<number> {
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  const shape = z.object({ total_entries: z.int().min(0) });
  try {
    using api = await openApi(options, { network: { ...network, retryDelaysMs: [] }, signal, now });
    const params = { limit: "1" };
    const { total_entries: dags } = await api.get("dags", { what: "the number of DAGs", shape, params });
    return Math.max(1, Math.ceil(dags / DAGS_PER_SECOND));
  } catch {
    // The crawl itself will say what is wrong.
    return UNKNOWN_SECONDS;
  }
}

/** Asks for one entry of each list that a crawl reads. */
async function testAirflow(options: AirflowOptions, context: ApiContext): Promise<SourceFinding[]> {
  const network = { ...context.network, ...SHORT_WAIT };
  try {
    using api = await openApi(options, { ...context, network });
    return [...(await testDags(api, options)), ...(await testAssets(api, options))];
  } catch (error) {
    return [toFinding(error, options)];
  }
}

const FIRST = { limit: "1" };

/** Tests the list of DAGs, and the tasks of the first one. */
async function testDags(api: AirflowApi, options: AirflowOptions): Promise<SourceFinding[]> {
  const shape = z.object({ dags: z.array(dagShape) });
  const { dags } = await api.get("dags", { what: "the list of DAGs", shape, params: FIRST });
  const [dag] = dags;
  if (dag === undefined) {
    const message = `Airflow ${api.version} shows no DAG: it has none, or these credentials may read none.`;
    return [{ option: credentialOption(options), message, severity: "warning" }];
  }
  const path = toPath("dags", dag.id);
  if (path === null) return [];
  const asked = api.get(`${path}/tasks`, { what: `the tasks of the DAG ${dag.id}`, shape: taskListShape });
  return findingsOf(asked, options);
}

async function testAssets(api: AirflowApi, options: AirflowOptions): Promise<SourceFinding[]> {
  const path = api.isLegacy ? "datasets" : "assets";
  const shape = z.object({ [path]: z.array(z.unknown()) });
  return findingsOf(api.get(path, { what: `the list of ${path}`, shape, params: FIRST }), options);
}

async function findingsOf(asking: Promise<unknown>, options: AirflowOptions): Promise<SourceFinding[]> {
  return asking.then(
    () => [],
    (error: unknown) => [toFinding(error, options)],
  );
}

/** The option that says who asks. */
function credentialOption({ token, username }: AirflowOptions): "token" | "username" {
  return token === undefined && username !== undefined ? "username" : "token";
}

/** @throws the error if it is none of the source */
function toFinding(error: unknown, options: AirflowOptions): SourceFinding {
  if (!(error instanceof CrawlFailure)) throw error;
  const { code, message, location } = error.error;
  const severity = "error";
  if (code === "no_login") return { option: "token", message, severity };
  const option = credentialOption(options);
  const hint = HINTS[code]?.[option];
  if (hint !== undefined) return { option, message: `${message} ${hint}`, severity };
  return { option: "url", message: location === undefined ? message : `${message} (${location})`, severity };
}

const VIEWER = "The role Viewer is enough: it may read DAGs, tasks and assets.";

/** By the option that says who asks. Airflow 3 answers 403 to a token that it does not know. */
const HINTS: Readonly<Record<string, Record<"token" | "username", string>>> = {
  unauthorized: {
    token: "A token is missing, wrong or expired.",
    username:
      "The user name or the password is wrong, or it is an Airflow 2 whose auth_backends lacks airflow.api.auth.backend.basic_auth.",
  },
  forbidden: { token: `The token is wrong or expired, or its user lacks a role. ${VIEWER}`, username: VIEWER },
};
