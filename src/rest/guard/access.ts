/** Decides which checks of the guard a request must pass. */
import { WITH_SESSION } from "../auth/paths.ts";
import { GRAPHQL_PATH } from "../graphql.ts";
import { MCP_PATH } from "../mcp/path.ts";
import { getRequirement, type OperationSources } from "../operation.ts";
import { API_PREFIX } from "../route.ts";
import { ROUTES } from "../routes.ts";
import type { RestContext } from "../state.ts";

export const ALIVE_PATH = "/health/live";
export const READY_PATH = "/health/ready";

/** `exempt`: only health. `public`: no token, but not for a source that is locked out. */
export type Access = "exempt" | "public" | "token";

/**
 * Every path under the API's prefix needs a token, even an unknown one, unless its root field requires nothing. GraphQL
 * requests need a token or session too, but GraphiQL's page does not. The Model Context Protocol needs one for every method.
 */
export function createAccessRule(sources: OperationSources): (ctx: RestContext) => Access {
  const exempt = new Set([ALIVE_PATH, READY_PATH]);
  for (const route of ROUTES) if (getRequirement(route, sources) === "nothing") exempt.add(route.path);
  return ({ method, path }) => {
    if (exempt.has(path)) return "exempt";
    if (WITH_SESSION.includes(path)) return "token";
    if (path === GRAPHQL_PATH) return method === "GET" || method === "HEAD" ? "public" : "token";
    return path === MCP_PATH || path === API_PREFIX || path.startsWith(`${API_PREFIX}/`) ? "token" : "public";
  };
}
