/** The paths where people log in and out. They are not under the API's prefix. */
const AUTH_PREFIX = "/auth";
export const SESSION_PATH = `${AUTH_PREFIX}/session`;
export const LOGIN_PATH = `${AUTH_PREFIX}/login`;
export const LOGOUT_PATH = `${AUTH_PREFIX}/logout`;
export const SWITCH_PATH = `${AUTH_PREFIX}/switch`;
export const PASSWORD_PATH = `${AUTH_PREFIX}/password`;
export const LINK_PATH = `${AUTH_PREFIX}/link`;
export const LINK_USE_PATH = `${LINK_PATH}/use`;
export const SSO_PATH = `${AUTH_PREFIX}/sso`;

/** Those that need a session. */
export const WITH_SESSION: readonly string[] = [SESSION_PATH, LOGOUT_PATH, SWITCH_PATH, PASSWORD_PATH];

export function isAuthPath(path: string): boolean {
  return path === AUTH_PREFIX || path.startsWith(`${AUTH_PREFIX}/`);
}
