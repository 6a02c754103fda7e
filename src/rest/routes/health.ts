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
    "The service and what it depends on, each checked now. `crawler_queue` or `limits_store` being down degrades the " +
    "service: crawls wait, and each server counts requests by itself. " +
    "`graph_db` or `metadata_store` being down stops it. A store that can be read and not written is `degraded`; " +
    "that is tried every 30 seconds at most. So is the queue if no worker has shown itself for a minute: then crawls " +
    "and received events wait. GraphQL's `health` has `problems`, which say in words what is wrong.",
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
