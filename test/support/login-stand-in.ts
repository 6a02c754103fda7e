/**
 * Stands in for the service's half of the login, between a browser and the real service: it answers `/auth/*`, and lets
 * the session's requests through as those of a token.
 */
import type { BrowserContext, Route } from "playwright-core";

const CSRF_TOKEN = "csrf-of-the-session";
export const EMAIL = "ada@example.com";
export const PASSWORD = "correct horse battery";
export const LINK_TOKEN = "link-that-works";

export interface LoginStandIn {
  /** Ends the session, as a timeout or another device does. */
  endSession(): void;
  /** What was asked for, such as `POST /auth/login`. */
  asked: string[];
}

export interface StandInOptions {
  /** The token by which the service lets requests through. */
  token: string;
  isLoggedIn?: boolean;
  scopes?: readonly string[];
  sso?: { name: string } | null;
}

export async function standInForLogin(context: BrowserContext, options: StandInOptions): Promise<LoginStandIn> {
  const { token, scopes = ["read", "write", "admin"], sso = null } = options;
  let { isLoggedIn = true } = options;
  const asked: string[] = [];

  const session = () => ({
    user: { id: "user-ada", name: "Ada Lovelace", email: EMAIL, role: scopes.includes("admin") ? "admin" : "analyst" },
    workspace: { id: "workspace-default", name: "default" },
    workspaces: [{ id: "workspace-default", name: "default" }],
    scopes,
    csrf_token: CSRF_TOKEN,
    expires_at: "2100-01-01T00:00:00Z",
  });
  const answers: Record<string, (body: Record<string, unknown>) => [status: number, body?: object]> = {
    "GET /auth/session": () =>
      isLoggedIn
        ? [200, session()]
        : [401, { error: { code: "unauthorized", message: "Log in." }, login: { password: true, sso } }],
    "POST /auth/login": ({ email, password }) => {
      isLoggedIn = email === EMAIL && password === PASSWORD;
      return isLoggedIn ? [200, session()] : [401, { error: { code: "invalid_login", message: "No such login." } }];
    },
    "POST /auth/logout": () => {
      isLoggedIn = false;
      return [204];
    },
    "POST /auth/link": ({ token: link }) =>
      link === LINK_TOKEN
        ? [200, { kind: "first_admin", email: null }]
        : [404, { error: { code: "invalid_link", message: "There is no such link." } }],
    "POST /auth/link/use": ({ password }) => {
      if (String(password).includes("tributary")) {
        const details = [{ field: "password", message: "is too easy to guess" }];
        return [400, { error: { code: "bad_request", message: "password: is too easy to guess", details } }];
      }
      isLoggedIn = true;
      return [200, session()];
    },
  };

  await context.route("**/auth/**", async (route) => {
    const request = route.request();
    const name = `${request.method()} ${new URL(request.url()).pathname}`;
    asked.push(name);
    const [status, body] = answers[name]?.(request.postDataJSON() ?? {}) ?? [
      404,
      { error: { code: "not_found", message: "There is nothing." } },
    ];
    await route.fulfill({ status, ...(body && { contentType: "application/json", body: JSON.stringify(body) }) });
  });
  const letThrough = async (route: Route): Promise<void> => {
    const headers = route.request().headers();
    const hasProof = headers["x-csrf-token"] === CSRF_TOKEN;
    const isAllowed = isLoggedIn && hasProof && route.request().method() === "POST";
    await route.continue({ headers: isAllowed ? { ...headers, authorization: `Bearer ${token}` } : headers });
  };
  await context.route("**/graphql", letThrough);

  return {
    asked,
    endSession() {
      isLoggedIn = false;
    },
  };
}
