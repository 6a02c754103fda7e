/** Opens Airflow's REST API: finds out its version, and logs in. */
import { CrawlFailure } from "../connector.ts";
import { type ApiClient, type ApiContext, createApiClient } from "../http/api-client.ts";
import { ApiFailure } from "../http/api-faults.ts";
import type { AirflowOptions } from "./options.ts";
import { tokenShape, versionShape } from "./shapes.ts";

export type AirflowApi = ReturnType<typeof toApi>;

/** @throws CrawlFailure if it cannot be reached, is no Airflow, or refuses the credentials */
export async function openApi(options: AirflowOptions, context: ApiContext): Promise<AirflowApi> {
  const { url, token } = options;
  const connect = (authorization: string | undefined): ApiClient => {
    const secrets = authorization === undefined ? {} : { authorization };
    return createApiClient({ service: "Airflow", url, secrets, ...context });
  };
  // A proxy before Airflow may ask for the token on every path.
  using first = connect(token && bearer(token));
  const version = await findVersion(first, "api/v2");
  if (version !== null) return toApi(connect(await toBearer(first, options)), version, "api/v2");
  using second = connect(toBasic(options));
  const legacy = await findVersion(second, "api/v1");
  if (legacy === null) {
    const message = "There is no Airflow at this address: it has neither /api/v2/version nor /api/v1/version.";
    throw new CrawlFailure({ code: "not_found", message, stage: "connect", location: url.href });
  }
  return toApi(connect(toBasic(options)), legacy, "api/v1");
}

/** Returns null if there is no such API. */
async function findVersion(client: ApiClient, path: string): Promise<string | null> {
  try {
    return (await client.get(`${path}/version`, { what: "the version", shape: versionShape })).version;
  } catch (error) {
    if (error instanceof ApiFailure && error.error.code === "not_found") return null;
    throw error;
  }
}

function bearer(token: string): string {
  return `Bearer ${token}`;
}

async function toBearer(client: ApiClient, { username, password = "", token }: AirflowOptions) {
  if (token !== undefined) return bearer(token);
  return username === undefined ? undefined : bearer(await logIn(client, { username, password }));
}

/** Airflow 2 takes a user name and password with each request. */
function toBasic({ username, password = "", token }: AirflowOptions): string | undefined {
  if (token !== undefined) return bearer(token);
  return username === undefined ? undefined : `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

function toApi(client: ApiClient, version: string, base: "api/v1" | "api/v2") {
  const get: ApiClient["get"] = (path, request) => client.get(`${base}/${path}`, request);
  return {
    /** Such as `3.1.0`. */
    version,
    /** Whether it is Airflow 2. */
    isLegacy: base === "api/v1",
    /** The path is below that of the API. */
    get,
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}

/** Airflow 3: https://airflow.apache.org/docs/apache-airflow/stable/security/api.html */
async function logIn(client: ApiClient, credentials: { username: string; password: string }): Promise<string> {
  try {
    const answer = await client.post("auth/token", credentials, { what: "a token", shape: tokenShape });
    return answer.access_token;
  } catch (error) {
    if (!(error instanceof ApiFailure) || !WITHOUT_LOGIN.has(error.error.code)) throw error;
    const message =
      "Airflow gives no token for a user name and password (POST /auth/token): its auth manager does not support it. Use the option token.";
    throw new CrawlFailure({ ...error.error, code: "no_login", message }, error);
  }
}

const WITHOUT_LOGIN = new Set(["not_found", "http_error"]);

/** A path of segments that may have any characters. Returns null if a URL cannot contain one of them. */
export function toPath(...segments: readonly string[]): string | null {
  // In a URL, these mean the folder itself and the one above it, even if they are encoded.
  if (segments.some((segment) => segment === "." || segment === ".." || !segment.isWellFormed())) return null;
  return segments.map(encodeURIComponent).join("/");
}
