/** The Airflow connector: DAGs, tasks and assets of one Airflow, from its REST API. */
import { z } from "zod";

import { systemClock } from "../../clock.ts";
import type { ConnectorType } from "../connector.ts";
import { type ApiContext, type ApiNetwork, DEFAULT_API_NETWORK } from "../http/api-client.ts";
import { openApi } from "./api.ts";
import { crawlAirflow } from "./crawl.ts";
import { type AirflowOptions, airflowOptions } from "./options.ts";
import { testAirflow } from "./test-source.ts";

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
      crawl: (options, context) => crawlAirflow(options, context, network),
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
