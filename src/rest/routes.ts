/** The route table: all routes that run an operation, in the order of the documentation. */
import type { Route } from "./route.ts";
import { agentRoutes } from "./routes/agents.ts";
import { assetRoutes } from "./routes/assets.ts";
import { changeRoutes } from "./routes/changes.ts";
import { connectorRoutes } from "./routes/connectors.ts";
import { healthRoutes } from "./routes/health.ts";
import { lineageRoutes } from "./routes/lineage.ts";
import { metricRoutes } from "./routes/metrics.ts";

export const ROUTES: readonly Route[] = [
  ...assetRoutes,
  ...lineageRoutes,
  ...changeRoutes,
  ...metricRoutes,
  ...agentRoutes,
  ...connectorRoutes,
  ...healthRoutes,
];
