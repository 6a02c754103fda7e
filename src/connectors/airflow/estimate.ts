/** Estimates the first crawl from the number of DAGs. */
import { z } from "zod";

import type { Clock } from "../../clock.ts";
import type { ApiNetwork } from "../http/api-client.ts";
import { openApi } from "./api.ts";
import type { AirflowOptions } from "./options.ts";

/** Somebody waits for the answer to the request that starts the sync. */
const LONGEST_WAIT_MS = 3_000;

/** With two requests at a time for each DAG, to a server that answers in 100 ms. */
const DAGS_PER_SECOND = 20;

/** The estimate if Airflow does not answer in time. */
const UNKNOWN_SECONDS = 60;

export async function estimateSeconds(
  options: AirflowOptions,
  { network, now }: { network: ApiNetwork; now: Clock["now"] },
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
