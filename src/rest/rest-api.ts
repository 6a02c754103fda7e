/** The REST API: a handler for each row of the table, and the document that describes the origin. */
import type { RestApi } from "../http/app.ts";
import { createRouteHandler, type OperationParts } from "./handle.ts";
import { buildOpenapi } from "./openapi/document.ts";
import { getRequirement } from "./operation.ts";
import { ROUTES } from "./routes.ts";

/**
 * @param parts `version` is the service's
 * @throws Error if a route names an operation that does not exist or does not fit it
 */
export function createRestApi(parts: OperationParts & { version: string }): RestApi {
  return {
    openPaths: ROUTES.filter((route) => getRequirement(route, parts) === "nothing").map(({ path }) => path),
    createRoutes: (tools) =>
      ROUTES.map((route) => ({
        method: route.method,
        path: route.path,
        handle: createRouteHandler(route, { ...parts, ...tools }),
      })),
    printOpenapi: (origin) => JSON.stringify(buildOpenapi({ ...parts, routes: ROUTES, origin })),
  };
}
