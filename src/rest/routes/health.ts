/** The health of the service. */
import { AWAY_SECONDS } from "../../errors.ts";
import { API_PREFIX } from "../../http/paths.ts";
import type { Route } from "../route.ts";

const health = {
  status: "ok",
  version: "0.1.0",
  uptime_seconds: 86_400,
  dependencies: { graph_db: "ok", metadata_store: "ok", crawler_queue: "ok", limits_store: "ok" },
};

const atOrigin: Route = {
  method: "GET",
  path: "/health",
  tag: "Health",
  summary: "Check health",
  description:
    "Checks the service and its dependencies now. If `crawler_queue` or `limits_store` is down, the service is `degraded`: " +
    "syncs wait, or each server counts requests by itself. If `graph_db` or `metadata_store` is down, the service is down. A " +
    "store that can be read but not written is `degraded`; writing is tried every 30 seconds at most. The queue is `degraded` " +
    "too if no worker has reported for a minute: then syncs and received events wait. GraphQL's `health` has `problems`, " +
    "which explain the state in words.",
  operation: "CheckHealth",
  input: {},
  status: 200,
  otherwise: {
    status: 503,
    retryAfterSeconds: AWAY_SECONDS,
    description: "The graph store or the metadata store is down.",
    appliesTo: (answer) => (answer as typeof health).status === "error",
  },
  example: health,
};

export const healthRoutes: readonly Route[] = [
  atOrigin,
  {
    ...atOrigin,
    path: `${API_PREFIX}/health`,
    operationId: "checkHealthUnderPrefix",
    summary: "Check health, under the API's prefix",
  },
];
