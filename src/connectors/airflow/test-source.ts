/** Tests a connector's options: asks Airflow for one entry of each list that a crawl reads. */
import { z } from "zod";

import type { Clock } from "../../clock.ts";
import { CrawlFailure, type SourceFinding } from "../connector.ts";
import { type ApiNetwork, SHORT_WAIT } from "../http/api-client.ts";
import { type AirflowApi, openApi, toPath } from "./api.ts";
import type { AirflowOptions } from "./options.ts";
import { dagShape, taskListShape } from "./shapes.ts";

interface TestContext {
  network: ApiNetwork;
  signal: AbortSignal;
  now: Clock["now"];
}

/** @returns what is wrong with the address, the credentials or the permissions */
export async function testAirflow(options: AirflowOptions, context: TestContext): Promise<SourceFinding[]> {
  const network = { ...context.network, ...SHORT_WAIT };
  try {
    using api = await openApi(options, { ...context, network });
    const { findings, firstDag } = await testDags(api, options);
    if (firstDag !== null) findings.push(...(await testTasks(api, firstDag, options)));
    findings.push(...(await testAssets(api, options)));
    return findings;
  } catch (error) {
    return [toFinding(error, options)];
  }
}

const FIRST = { limit: "1" };

async function testDags(
  api: AirflowApi,
  options: AirflowOptions,
): Promise<{ findings: SourceFinding[]; firstDag: string | null }> {
  const shape = z.object({ dags: z.array(dagShape) });
  const { dags } = await api.get("dags", { what: "the list of DAGs", shape, params: FIRST });
  const firstDag = dags[0]?.id ?? null;
  if (firstDag !== null) return { findings: [], firstDag };
  const message = `Airflow ${api.version} shows no DAG: it has none, or these credentials may read none.`;
  return { findings: [{ option: credentialOption(options), message, severity: "warning" }], firstDag };
}

async function testTasks(api: AirflowApi, dag: string, options: AirflowOptions): Promise<SourceFinding[]> {
  const path = toPath("dags", dag);
  if (path === null) return [];
  const asked = api.get(`${path}/tasks`, { what: `the tasks of the DAG ${dag}`, shape: taskListShape });
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
function credentialOption({ token, username }: AirflowOptions): string {
  return token === undefined && username !== undefined ? "username" : "token";
}

/** @throws the error if it is none of the source */
function toFinding(error: unknown, options: AirflowOptions): SourceFinding {
  if (!(error instanceof CrawlFailure)) throw error;
  const { code, message, location } = error.error;
  const severity = "error";
  if (code === "no_login") return { option: "token", message, severity };
  if (code === "unauthorized")
    return { option: credentialOption(options), message: `${message} ${LOGIN_HINT}`, severity };
  if (code === "forbidden") {
    return { option: credentialOption(options), message: `${message} ${PERMISSION_HINT}`, severity };
  }
  return { option: "url", message: location === undefined ? message : `${message} (${location})`, severity };
}

const LOGIN_HINT =
  "Airflow 2 takes a user name and password only if auth_backends has airflow.api.auth.backend.basic_auth.";

const PERMISSION_HINT = "The role Viewer is enough: it may read DAGs, tasks and assets.";
