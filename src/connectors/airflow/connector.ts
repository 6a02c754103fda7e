/** The Airflow connector: DAGs, tasks and assets of one Airflow, from its REST API. */
import { systemClock } from "../../clock.ts";
import type { ConnectorType } from "../connector.ts";
import { type ApiNetwork, DEFAULT_API_NETWORK } from "../http/api-client.ts";
import { crawlAirflow } from "./crawl.ts";
import { estimateSeconds } from "./estimate.ts";
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
