/** The paths that are no rows of the REST table. */

/** Under this prefix, everything except health needs a token. */
export const API_PREFIX = "/api/v1";

export const GRAPHQL_PATH = "/graphql";
export const MCP_PATH = "/mcp";
/** Under this prefix, clients of DataHub find what they need. */
export const DATAHUB_PREFIX = "/datahub";
export const TOKEN_PATH = "/oauth/token";
export const ALIVE_PATH = "/health/live";
export const READY_PATH = "/health/ready";
export const DOCS_PATH = "/docs";
export const OPENAPI_PATH = "/openapi.json";

const AUTH_PREFIX = "/auth";
export const SESSION_PATH = `${AUTH_PREFIX}/session`;
export const LOGIN_PATH = `${AUTH_PREFIX}/login`;
export const LOGOUT_PATH = `${AUTH_PREFIX}/logout`;
export const SWITCH_PATH = `${AUTH_PREFIX}/switch`;
export const PASSWORD_PATH = `${AUTH_PREFIX}/password`;
export const LINK_PATH = `${AUTH_PREFIX}/link`;
export const LINK_USE_PATH = `${LINK_PATH}/use`;
export const SSO_PATH = `${AUTH_PREFIX}/sso`;

/** Paths that need a session. */
export const WITH_SESSION: readonly string[] = [SESSION_PATH, LOGOUT_PATH, SWITCH_PATH, PASSWORD_PATH];

export function isUnder(prefix: string, path: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

export function isAuthPath(path: string): boolean {
  return isUnder(AUTH_PREFIX, path);
}
