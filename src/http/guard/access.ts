/** Decides which checks of the guard a request must pass. */
import { ALIVE_PATH, API_PREFIX, GRAPHQL_PATH, isUnder, MCP_PATH, READY_PATH, WITH_SESSION } from "../paths.ts";
import type { RestContext } from "../state.ts";

/** `exempt`: only health. `public`: no token, but not for a source that is locked out. */
export type Access = "exempt" | "public" | "token";

/**
 * Every path under the API's prefix needs a token, even an unknown one. GraphQL requests need a token or session too, but
 * GraphiQL's page does not. The Model Context Protocol needs one for every method.
 * @param openPaths paths of the REST table that require nothing
 */
export function createAccessRule(openPaths: Iterable<string>): (ctx: RestContext) => Access {
  const exempt = new Set([ALIVE_PATH, READY_PATH, ...openPaths]);
  return ({ method, path }) => {
    if (exempt.has(path)) return "exempt";
    if (WITH_SESSION.includes(path)) return "token";
    if (path === GRAPHQL_PATH) return method === "GET" || method === "HEAD" ? "public" : "token";
    return path === MCP_PATH || isUnder(API_PREFIX, path) ? "token" : "public";
  };
}
